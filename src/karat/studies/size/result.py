"""What `size` returns, and how it shows itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Chart, Field, Sheet
from karat.data.undefined import Steps, Why
from karat.studies.base import StudyResult

LINES = 4
"""Of a chart at most."""
SCORES = "scores have no labels"
GRADED = "McNemar's test is for right/wrong scores"
HIDDEN = "the errors in the key leave nothing of the difference"
NO_NOISE = "no errors of the key were asked for"
ENDLESS = "no number of units is enough"


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

    @property
    def simulated_from(self) -> str:
        """The pilot in one cell."""
        return " ~ ".join(self.pilot)


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


def _not_found(result: Size, steps: Steps) -> str:
    place = int(steps[1]) if len(steps) > 1 else 0
    if result.detectables[place].discordance.median > 0:
        return "no difference that these runs' disagreement allows is found with so few units"
    return "the runs do not differ on any unit"


def _not_found_noisy(result: Size, steps: Steps) -> str:
    way = result.detectables[int(steps[1])].way
    return _not_found(result, steps) if any(row.noise for row in result.sizes if row.way == way) else NO_NOISE


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

    WHY: ClassVar[Why] = {
        "way": SCORES,
        "*/*/way": SCORES,
        "sizes/*/exact": lambda it, _: GRADED if it.kind == "graded" else ENDLESS,
        "sizes/*/mid_p": lambda it, _: GRADED if it.kind == "graded" else ENDLESS,
        "sizes/*/noise": NO_NOISE,
        "sizes/*/noise/units": HIDDEN,
        "sizes/*/simulated": lambda it, steps: HIDDEN if it.sizes[steps[1]].noise else ENDLESS,
        "sizes/*/mc_error": lambda it, steps: HIDDEN if it.sizes[steps[1]].noise else ENDLESS,
        "sizes/*/*": ENDLESS,
        "detectable": _not_found,
        "detectables/*/noisy": _not_found_noisy,
        "detectables/*/*": _not_found,
        "sample": "no candidates were given to draw from",
    }

    def sheets(self) -> list[Sheet]:
        """What the set at hand shows, the units for each difference, and the sample."""
        return [self._at_hand(), self._needed(), *([self._sampled(self.sample)] if self.sample else [])]

    def _sampled(self, sample: Sample) -> Sheet:
        labels = list(sample.labels)
        drawn = ", ".join(f"{count} {label}" for label, count in sample.labels.items())
        return Sheet.of(
            f"{sample.units} drawn from {sample.candidates} candidates: {drawn}",
            sample.rules,
            Field("labelled by", "rule"),
            *(Field(label, ("labels", label)) for label in labels),
            *(Field(f"lost {label}", ("lost", label), 1) for label in labels),
            Field("largest set", "largest"),
            notes=["Lost: those that one assessor at random would find, and the rule does not."],
        )

    def _at_hand(self) -> Sheet:
        noisy = Field("noisy key", "noisy", 4, "true difference that is still found")
        pairs = len(self.runs) * (len(self.runs) - 1) // 2
        return Sheet.of(
            f"What the {self.detectables[0].units} units at hand can show",
            self.detectables,
            *self._way(),
            Field("units"),
            Field("detectable", "difference", 4, f"difference found with power {self.power:g}"),
            Field(f"among all {pairs} pairs", "corrected", 4, "with Bonferroni's correction"),
            *([noisy] if self.noise else []),
            Field("discordance", "discordance.median", 4, "of the median pair of runs"),
            Field("10 %", "discordance.low", 4),
            Field("90 %", "discordance.high", 4),
            Field("simulated from", "simulated_from"),
            at="detectables",
        )

    def _needed(self) -> Sheet:
        fields = [
            *self._way(),
            Field("difference", digits=3),
            Field("units", digits=0, note="for the median pair of runs"),
            Field("alike", "low", 0, "for pairs that disagree little"),
            Field("unlike", "high", 0, "for pairs that disagree much"),
        ]
        if self.kind == "right/wrong":
            fields.append(Field("exact test", "exact", 3, "power of McNemar's exact test then"))
            fields.append(Field("mid-p", "mid_p", 3, "power of its mid-p version then"))
        fields.append(Field("simulated", digits=3, note="share of simulated sets that show it"))
        fields.append(Field("± simulation", "mc_error", 3, "Monte-Carlo standard error"))
        if self.noise:
            fields.append(Field("seen", "noise.difference", 4, "with a noisy key"))
            fields.append(Field("units, noisy key", "noise.units", 0))
        title = f"Units needed for power {self.power:g} at level {self.level:g}"
        return Sheet.of(title, self.sizes, *fields, at="sizes")

    def _way(self) -> list[Field]:
        """Scores have no way."""
        return [Field("way")] if self.way else []

    def records(self) -> Sheet:
        """The sizes, one a row."""
        names = ("way", "difference", "power", "units", "low", "high", "exact", "mid_p", "simulated", "mc_error")
        noisy = [Field(f"noisy_{name}", f"noise.{name}") for name in ("difference", "units")]
        return Sheet.of("sizes", self.sizes, *map(Field, names), *noisy)

    def charts(self) -> list[Chart]:
        """Power by units, a line a difference."""
        made = []
        for way in dict.fromkeys(curve.way for curve in self.curves):
            mine = _drawn([curve for curve in self.curves if curve.way == way])
            names = [f"{curve.difference:g}" for curve in mine]
            series = {name: [one.power for one in curve.points] for name, curve in zip(names, mine, strict=True)}
            at = {name: [one.units for one in curve.points] for name, curve in zip(names, mine, strict=True)}
            title = "Power to find a difference" + (f", {way}-way" if way else "")
            made.append(Chart("lines", title, (), series, 0, 1, at, ("units", "power"), rule=self.power))
        return made


def _drawn(curves: list[PowerCurve]) -> list[PowerCurve]:
    """The curves to draw, in order: all, or, where they are many, some of all but the smallest difference's."""
    ordered = sorted(curves, key=lambda curve: curve.difference)
    if len(ordered) <= LINES:
        return ordered
    last = len(ordered) - 2
    return [ordered[1 + round(place * last / (LINES - 1))] for place in range(LINES)]
