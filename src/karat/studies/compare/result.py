"""The comparison of runs: what `compare` returns, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.result import Chart, Column, Sheet
from karat.studies.base import StudyResult

FEW = 45
"""So many pairs are shown whole; of more, the closest."""
SHOWN = 25
DRAWN = 60
"""Of more runs than this no chart is drawn."""


@dataclass(frozen=True)
class Ranked:
    """One run, its value, and the letters of the groups it is in."""

    run: str
    value: float
    interval: tuple[float, float]
    units: int
    letters: str


@dataclass(frozen=True)
class PairOfRuns:
    """Two runs held against each other; `difference` is that of `a` less that of `b`."""

    a: str
    b: str
    difference: float
    interval: tuple[float, float]
    p: float
    p_corrected: float
    mc_error: float
    """The Monte-Carlo standard error of p; 0 where nothing is simulated."""
    different: bool
    units: int
    dropped: int
    """Units that only one of the two was scored on, or neither."""
    p_equivalence: float | None
    equivalent: bool | None
    """None where no margin was given."""


@dataclass(frozen=True)
class LeftOut:
    """A run that cannot be compared, and why."""

    run: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Comparison(StudyResult):
    """What `compare` returns; runs are ranked, and pairs are in the order of the ranking."""

    way: str | None
    measure: str
    units: int
    clusters: int | None
    test: str
    why: str
    tests_what: str
    correction: str
    controls: str
    intervals: str
    """How the intervals of the differences are made."""
    level: float
    replicates: int | None
    versus: str
    equivalence: float | None
    runs: list[Ranked]
    pairs: list[PairOfRuns]
    groups: list[list[str]]
    letters: dict[str, str]
    left_out: list[LeftOut]

    @property
    def measures(self) -> list[str]:
        """For the signature."""
        return [self.measure]

    @property
    def missing(self) -> str:
        """For the signature: what becomes of units that were not scored."""
        return "dropped where either run lacks them"

    @property
    def told_apart(self) -> list[PairOfRuns]:
        """The pairs that differ."""
        return [pair for pair in self.pairs if pair.different]

    def sheets(self) -> list[Sheet]:
        """The ranking with letters, and the pairs: all of them, or the closest."""
        return [self._ranking(), self._pairs(), *([self._left_out()] if self.left_out else [])]

    def _ranking(self) -> Sheet:
        of_what = f"{self.units} units" + (f" in {self.clusters} clusters" if self.clusters else "")
        way = f", {self.way}-way" if self.way else ""
        columns = [
            Column("run", [row.run for row in self.runs]),
            Column(self.measure, [row.value for row in self.runs], 4),
            Column(f"{100 * self.level:g} % interval", [_interval(row.interval) for row in self.runs]),
        ]
        if any(row.units != self.units for row in self.runs):
            columns.append(Column("units", [row.units for row in self.runs]))
        columns.append(Column("not told apart", [row.letters for row in self.runs]))
        notes = [
            "runs that share a letter are not told apart; runs that share none are",
            f"test: {self.test} ({self.why})",
            f"{self.test} tests {self.tests_what}",
            f"correction: {self.correction}, which controls {self.controls}",
        ]
        return Sheet(f"{self.measure}{way}, {of_what}, {len(self.runs)} runs", tuple(columns), tuple(notes))

    def _pairs(self) -> Sheet:
        shown, title = self.pairs, f"All {len(self.pairs)} pairs, {len(self.told_apart)} told apart"
        if len(self.pairs) > FEW:
            # Pairs that tie are many and say nothing: the closest that are told apart say how fine the test set is.
            shown = sorted(self.told_apart or self.pairs, key=lambda pair: (abs(pair.difference), pair.p))[:SHOWN]
            of_those = f"{len(self.told_apart):,} told apart; of those," if self.told_apart else "none told apart;"
            title = f"{len(self.pairs):,} pairs, {of_those} the {len(shown)} closest"
        columns = [
            Column("run", [pair.a for pair in shown]),
            Column("less run", [pair.b for pair in shown]),
            Column("difference", [pair.difference for pair in shown], 4),
            Column(f"{100 * self.level:g} % interval", [_interval(pair.interval) for pair in shown]),
            Column("p", [_small(pair.p) for pair in shown]),
            Column(f"p {self.correction}", [_small(pair.p_corrected) for pair in shown]),
            Column("told apart", [pair.different for pair in shown]),
        ]
        if any(pair.mc_error > 0 for pair in shown):
            columns.insert(5, Column("± simulation", [pair.mc_error for pair in shown], 5))
        if any(pair.dropped for pair in shown):
            columns.append(Column("units dropped", [pair.dropped for pair in shown]))
        if self.equivalence is not None:
            columns.append(Column(f"within ±{self.equivalence:g}", [pair.equivalent for pair in shown]))
        return Sheet(title, tuple(columns), (f"intervals of one pair each, not corrected: {self.intervals}",))

    def _left_out(self) -> Sheet:
        columns = (
            Column("run", [one.run for one in self.left_out]),
            Column("why", [one.reason for one in self.left_out]),
        )
        return Sheet("Left out", columns)

    def records(self) -> Sheet:
        """The pairs, one a row."""
        fields = [
            "a",
            "b",
            "difference",
            "p",
            "p_corrected",
            "mc_error",
            "different",
            "units",
            "dropped",
            "p_equivalence",
            "equivalent",
        ]
        columns = [Column(name, [getattr(pair, name) for pair in self.pairs], 9) for name in fields]
        columns[3:3] = [
            Column("low", [pair.interval[0] for pair in self.pairs], 9),
            Column("high", [pair.interval[1] for pair in self.pairs], 9),
        ]
        return Sheet("pairs", tuple(columns))

    def reasons_shown(self) -> list[str]:
        """Why values and p-values are undefined, if any are."""
        told = [one.reason for one in self.undefined if one.path.startswith(("/runs/", "/pairs/"))]
        return list(dict.fromkeys(told))

    def charts(self) -> list[Chart]:
        """The runs' values between the ends of their intervals."""
        known = [value for row in self.runs for value in (row.value, *row.interval) if value == value]
        if len(self.runs) > DRAWN or not known:
            return []
        names = tuple(f"{row.run} {row.letters}" for row in self.runs)
        series = {
            self.measure: [row.value for row in self.runs],
            "low": [row.interval[0] for row in self.runs],
            "high": [row.interval[1] for row in self.runs],
        }
        low, high = min(0.0, *known), max(1.0, *known)
        return [Chart("dots", f"{self.measure} and {100 * self.level:g} % interval", names, series, low, high)]


def _interval(ends: tuple[float, float]) -> str | None:
    low, high = ends
    return None if low != low else f"{low:.3f} – {high:.3f}"


def _small(p: float) -> str:
    """A p-value: four digits, or its power of ten where those would be zeros."""
    if p != p:
        return "–"
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
