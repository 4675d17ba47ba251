"""What `size` returns, and how it shows itself."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Chart, Column, Sheet
from karat.studies.base import StudyResult

LINES = 4


@dataclass(frozen=True)
class Discordance:
    """Over pairs of runs: the share of units that one alone gets right; if graded, the variance of differences."""

    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Noise:
    """What errors in the key make of a wanted difference.

    `bias` is the difference that they show between two runs that do not differ: errors that are not symmetric favour
    one of the two.
    """

    discordance: float
    difference: float
    bias: float
    units: int | None


@dataclass(frozen=True)
class Needed:
    """The units for one difference, and what tests make of that number.

    `low` and `high` are for pairs of runs that disagree little and much (10th and 90th percentile of discordance).
    """

    way: str | None
    difference: float
    power: float
    units: int | None
    low: int | None
    high: int | None
    exact: float
    mid_p: float
    simulated: float
    mc_error: float
    """The Monte-Carlo error of `simulated`."""
    noise: Noise | None


@dataclass(frozen=True)
class Detectable:
    """What the test set at hand can show, with its own number of units."""

    way: str | None
    units: int
    difference: float
    corrected: float
    """With Bonferroni's correction over all pairs of runs."""
    noisy: float
    pilot: tuple[str, str]
    observed: float
    discordance: Discordance


@dataclass(frozen=True)
class PowerPoint:
    """The power at one number of units."""

    units: int
    power: float


@dataclass(frozen=True)
class PowerCurve:
    """Power by units, for one difference."""

    way: str | None
    difference: float
    points: list[PowerPoint]


@dataclass(frozen=True)
class RuleCost:
    """What a rule for disagreements leaves of the candidates, by label.

    Lost are those of a label that one assessor at random would have found, on average, and the rule does not.
    """

    rule: str
    labels: dict[str, int]
    lost: dict[str, float]
    largest: int


@dataclass(frozen=True)
class Sample:
    """A test set drawn from judged candidates."""

    candidates: int
    units: int
    labels: dict[str, int]
    ids: list[str]
    rules: list[RuleCost]


@dataclass(frozen=True, kw_only=True)
class Size(StudyResult):
    """What `size` returns."""

    way: str | None
    measures: list[str]
    kind: str
    runs: list[str]
    power: float
    level: float
    noise: float
    """The share of the key's labels that are wrong, as asked for or as ballots have it."""
    sizes: list[Needed]
    detectable: float
    detectables: list[Detectable]
    curves: list[PowerCurve]
    sample: Sample | None

    def sheets(self) -> list[Sheet]:
        """What the set at hand shows, the units for each difference, and the sample."""
        made = [self._at_hand(), self._needed()]
        if self.sample:
            labels = list(self.sample.labels)
            rules = self.sample.rules
            columns = [Column("labelled by", [rule.rule for rule in rules])]
            columns += [Column(label, [rule.labels[label] for rule in rules]) for label in labels]
            columns += [Column(f"lost {label}", [rule.lost[label] for rule in rules], 1) for label in labels]
            columns.append(Column("largest set", [rule.largest for rule in rules]))
            drawn = ", ".join(f"{count} {label}" for label, count in self.sample.labels.items())
            title = f"{self.sample.units} drawn from {self.sample.candidates} candidates: {drawn}"
            made.append(
                Sheet(
                    title,
                    tuple(columns),
                    ("Lost: those that one assessor at random would find, and the rule does not.",),
                )
            )
        return made

    def _at_hand(self) -> Sheet:
        rows = self.detectables
        columns = [
            Column("way", [row.way for row in rows]),
            Column("units", [row.units for row in rows]),
            Column("detectable", [row.difference for row in rows], 4, f"difference found with power {self.power:g}"),
            Column(f"of {_pairs(self.runs)} pairs", [row.corrected for row in rows], 4, "with Bonferroni's correction"),
        ]
        if self.noise:
            columns.append(Column("noisy key", [row.noisy for row in rows], 4, "true difference that is still found"))
        columns += [
            Column("discordance", [row.discordance.median for row in rows], 4, "of the median pair of runs"),
            Column("10 %", [row.discordance.low for row in rows], 4),
            Column("90 %", [row.discordance.high for row in rows], 4),
            Column("simulated from", [" ~ ".join(row.pilot) for row in rows]),
        ]
        return Sheet(f"What the {rows[0].units} units at hand can show", tuple(columns))

    def _needed(self) -> Sheet:
        rows = self.sizes
        columns = [
            Column("way", [row.way for row in rows]),
            Column("difference", [row.difference for row in rows], 3),
            Column("units", [_size(row.units) for row in rows], 0, "for the median pair of runs"),
            Column("alike", [_size(row.low) for row in rows], 0, "for pairs that disagree little"),
            Column("unlike", [_size(row.high) for row in rows], 0, "for pairs that disagree much"),
        ]
        if self.kind == "right/wrong":
            columns.append(Column("exact test", [row.exact for row in rows], 3, "power of McNemar's exact test then"))
            columns.append(Column("mid-p", [row.mid_p for row in rows], 3, "power of its mid-p version then"))
        columns.append(Column("simulated", [row.simulated for row in rows], 3, "share of simulated sets that show it"))
        columns.append(Column("± simulation", [row.mc_error for row in rows], 3, "Monte-Carlo standard error"))
        if self.noise:
            noisy = [row.noise for row in rows]
            columns.append(Column("seen", [one.difference if one else None for one in noisy], 4, "with a noisy key"))
            columns.append(Column("units, noisy key", [_size(one.units if one else None) for one in noisy], 0))
        return Sheet(f"Units needed for power {self.power:g} at level {self.level:g}", tuple(columns))

    def records(self) -> Sheet:
        """The sizes, one a row."""
        fields = ("way", "difference", "power", "units", "low", "high", "exact", "mid_p", "simulated", "mc_error")
        columns = [Column(name, [getattr(row, name) for row in self.sizes]) for name in fields]
        noisy = [row.noise for row in self.sizes]
        columns.append(Column("noisy_difference", [one.difference if one else None for one in noisy]))
        columns.append(Column("noisy_units", [one.units if one else None for one in noisy]))
        return Sheet("sizes", tuple(columns))

    def charts(self) -> list[Chart]:
        """Power by units, a line a difference."""
        made = []
        for way in dict.fromkeys(curve.way for curve in self.curves):
            mine = [curve for curve in self.curves if curve.way == way][:LINES]
            names = [f"{curve.difference:g}" for curve in mine]
            series = {name: [one.power for one in curve.points] for name, curve in zip(names, mine, strict=True)}
            at = {name: [one.units for one in curve.points] for name, curve in zip(names, mine, strict=True)}
            title = "Power to find a difference" + (f", {way}-way" if way else "")
            made.append(Chart("lines", title, (), series, 0, 1, at, ("units", "power"), rule=self.power))
        return made

    def reasons_shown(self) -> list[str]:
        """Why cells of the sheets are undefined, if any are."""
        dashes = any(value != value for sheet in self.sheets() for column in sheet.columns for value in column.values)
        told = [one.reason for one in self.undefined if not one.path.endswith(("/sample", "/noise", "/noisy"))]
        return list(dict.fromkeys(told)) if dashes else []


def _size(units: int | None) -> float:
    return float("nan") if units is None else float(units)


def _pairs(runs: list[str]) -> int:
    return len(runs) * (len(runs) - 1) // 2
