"""The comparison of runs: what `compare` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Cell, Chart, Column, Field, Sheet
from karat.data.undefined import Steps, Why, pointer
from karat.studies.base import StudyResult

FEW = 45
"""So many pairs are shown whole; of more, the closest."""
SHOWN = 25
DRAWN = 60
"""Of more runs than this no chart is drawn."""
ONE = "there is one unit only"
UNASKED = "no margin was given, so no pair is called equivalent or not"


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


def _no_run_interval(result: Comparison, steps: Steps) -> str:
    run = result.runs[int(steps[1])]
    if run.value != run.value:
        return result.no_value
    return ONE if run.units == 1 else "the value does not vary over the units at hand, so it has no interval"


def _no_pair(result: Comparison, steps: Steps) -> str:
    pair = result.pairs[int(steps[1])]
    if pair.difference != pair.difference:
        return result.no_value if pair.units else "there is no unit that both runs were scored on"
    if pair.units == 1:
        return ONE
    if steps[2] == "interval":
        return "the difference does not vary over the units at hand, so it has no interval"
    return "the two runs differ by the same amount on every unit, so nothing tells how the difference varies"


def _no_equivalence(result: Comparison, steps: Steps) -> str:
    return UNASKED if result.equivalence is None else _no_pair(result, steps)


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

    WHY: ClassVar[Why] = {
        "way": "a score matrix has no labels",
        "clusters": "every unit stands alone",
        "replicates": "nothing is simulated",
        "equivalence": UNASKED,
        "runs/*/interval/*": _no_run_interval,
        "pairs/*/p_equivalence": _no_equivalence,
        "pairs/*/equivalent": _no_equivalence,
        "pairs/**": _no_pair,
    }

    @property
    def no_value(self) -> str:
        """Why a run has no value: what only the measure knows is told as it is computed."""
        return next(one.reason for one in self.undefined if one.path.startswith("/runs/"))

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
        notes = [
            "runs that share a letter are not told apart; runs that share none are",
            f"test: {self.test} ({self.why})",
            f"{self.test} tests {self.tests_what}",
            f"correction: {self.correction}, which controls {self.controls}",
        ]
        rows = range(len(self.runs))
        columns = [
            Column("run", [row.run for row in self.runs]),
            Column(self.measure, [row.value for row in self.runs], 4, at=_at("runs", rows, "value")),
            Column(f"{100 * self.level:g} % interval", [_interval(row.interval) for row in self.runs],
                   at=_at("runs", rows, "interval", 0)),
        ]  # fmt: skip
        if any(row.units != self.units for row in self.runs):
            columns.append(Column("units", [row.units for row in self.runs]))
        columns.append(Column("not told apart", [row.letters for row in self.runs]))
        return Sheet(f"{self.measure}{way}, {of_what}, {len(self.runs)} runs", tuple(columns), tuple(notes))

    def _pairs(self) -> Sheet:
        told_apart = [place for place, pair in enumerate(self.pairs) if pair.different]
        shown, title = list(range(len(self.pairs))), f"All {len(self.pairs)} pairs, {len(told_apart)} told apart"
        if len(self.pairs) > FEW:
            # Pairs that tie are many and say nothing: the closest that are told apart say how fine the test set is.
            shown = sorted(told_apart or shown, key=lambda at: (abs(self.pairs[at].difference), self.pairs[at].p))[
                :SHOWN
            ]
            of_those = f"{len(told_apart):,} told apart; of those," if told_apart else "none told apart;"
            title = f"{len(self.pairs):,} pairs, {of_those} the {len(shown)} closest"
        pairs = [self.pairs[place] for place in shown]
        columns = [
            Column("run", [pair.a for pair in pairs]),
            Column("less run", [pair.b for pair in pairs]),
            Column("difference", [pair.difference for pair in pairs], 4, at=_at("pairs", shown, "difference")),
            Column(f"{100 * self.level:g} % interval", [_interval(pair.interval) for pair in pairs],
                   at=_at("pairs", shown, "interval", 0)),
            Column("p", [_small(pair.p) for pair in pairs], at=_at("pairs", shown, "p")),
            Column(f"p {self.correction}", [_small(pair.p_corrected) for pair in pairs],
                   at=_at("pairs", shown, "p_corrected")),
            Column("told apart", [pair.different for pair in pairs]),
        ]  # fmt: skip
        if any(pair.mc_error > 0 for pair in pairs):
            at = _at("pairs", shown, "mc_error")
            columns.insert(5, Column("± simulation", [pair.mc_error for pair in pairs], 5, at=at))
        if any(pair.dropped for pair in pairs):
            columns.append(Column("units dropped", [pair.dropped for pair in pairs]))
        if self.equivalence is not None:
            columns.append(Column(f"within ±{self.equivalence:g}", [pair.equivalent for pair in pairs]))
        return Sheet(title, tuple(columns), (f"intervals of one pair each, not corrected: {self.intervals}",))

    def _left_out(self) -> Sheet:
        return Sheet.of("Left out", self.left_out, Field("run"), Field("why", "reason"))

    def records(self) -> Sheet:
        """The pairs, one a row."""
        names = ("p", "p_corrected", "mc_error", "different", "units", "dropped", "p_equivalence", "equivalent")
        ends = Field("low", "interval.0"), Field("high", "interval.1")
        return Sheet.of("pairs", self.pairs, *map(Field, ("a", "b", "difference")), *ends, *map(Field, names))

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


def _at(group: str, rows: Sequence[int], *steps: str | int) -> list[str]:
    return [pointer(group, row, *steps) for row in rows]


def _interval(ends: tuple[float, float]) -> Cell:
    low, high = ends
    return low if low != low else f"{low:.3f} – {high:.3f}"


def _small(p: float) -> Cell:
    """A p-value: four digits, or its power of ten where those would be zeros."""
    if p != p:
        return p
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
