"""The comparison of runs: what `compare` returns, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Cell, Column, Field, Sheet
from karat.data.undefined import Steps, Why, pointer
from karat.studies.base import StudyResult
from karat.studies.wording import counted, p_value

PAIRS_SHOWN = 45
"""So many pairs are shown whole; of more, the closest."""
SHOWN = 25
LEAST = 2
"""Units, or clusters, that two runs must both have been scored on to be tested."""
SAME = 1e-9
"""Values nearer than this are one value."""
ONE = "there is one unit only, and a test takes two"
SIMULATION = "Monte-Carlo standard error of the p before it"
MOST_GROUPS = 1000
NOT_ALL = "every run was compared with one run only"
NOT_TESTED = "not tested"
TOO_MANY = f"the runs fall into more than {MOST_GROUPS} groups"
UNASKED = "no margin was given, so no pair is called equivalent or not"


@dataclass(frozen=True)
class Ranked:
    """One run, its value, and the letters of its groups; or whether it differs from the run it was compared with."""

    run: str
    value: float
    interval: tuple[float, float]
    units: int
    letters: str | None
    """None for a run that was tested against no other."""
    different: bool | None
    """None where it was not tested, where all pairs were compared, and for the one run itself."""


@dataclass(frozen=True)
class PairOfRuns:
    """Two runs compared; `difference` is that of `a` less that of `b`."""

    a: str
    b: str
    difference: float
    interval: tuple[float, float]
    p: float
    p_corrected: float
    mc_error: float
    """The Monte-Carlo standard error of p; 0 where p is not simulated."""
    mc_error_corrected: float
    """That of p_corrected, which is simulated wherever p is, and under maxt always."""
    different: bool | None
    """Whether they differ significantly; None where they were not tested."""
    units: int
    dropped: int
    """Units that only one of the two was scored on, or neither."""
    p_equivalence: float | None
    equivalent: bool | None
    """None where no margin was given, or nothing was tested."""


@dataclass(frozen=True)
class Standing:
    """The other runs, by how they compare with one."""

    better: list[str]
    """Significantly different, and ahead on the units that both were scored on."""
    worse: list[str]
    alike: list[str]
    """Not significantly different."""
    untested: list[str]


@dataclass(frozen=True)
class LeftOut:
    """A run that cannot be compared, and why."""

    run: str
    reason: str


def _no_run_interval(result: Comparison, steps: Steps) -> str:
    run = result.runs[int(steps[1])]
    if run.value != run.value:
        return result.no_value
    return ONE if run.units == 1 else _constant("the value", result)


def _constant(what: str, result: Comparison) -> str:
    """Why nothing varies: there is one cluster, or all are alike."""
    if result.clusters == 1:
        return "all units are in one cluster, and it takes two to tell how anything varies"
    scope = "units" if result.clusters is None else "clusters"
    told = f"{what} does not vary over the {scope} at hand, so it has no interval"
    return told if result.clusters is None else f"{told}; or one cluster holds all units that were scored"


def _no_pair(result: Comparison, steps: Steps) -> str:
    pair = result.pairs[int(steps[1])]
    if pair.difference != pair.difference:
        return result.no_value if pair.units else "there is no unit that both runs were scored on"
    if pair.units == 1:
        return ONE if result.units == 1 else "both runs were scored on one unit only, and a test takes two"
    if steps[2] == "interval" or result.clusters == 1:
        return _constant("the difference", result)
    if result.clusters is not None and pair.p != pair.p:
        return "one cluster holds all units that both runs were scored on, and a test takes two"
    return "the two runs differ by the same amount on every unit, so nothing tells how the difference varies"


def _no_verdict(result: Comparison, steps: Steps) -> str:
    run = result.runs[int(steps[1])].run
    if result.versus == "all":
        return "all pairs were compared: see their verdicts, and the letters"
    if run == result.versus:
        return "it is the run that the others are compared with"
    place = next(place for place, pair in enumerate(result.pairs) if pair.a == run)
    return _no_pair(result, ("pairs", place, "p_corrected"))


def _no_letters(result: Comparison, steps: Steps) -> str:
    if result.letters is None:
        return TOO_MANY if result.versus == "all" else NOT_ALL
    name = result.runs[int(steps[1])].run if steps[0] == "runs" else steps[1]
    run = next(row for row in result.runs if row.run == name)
    if run.value != run.value:
        return result.no_value
    return ONE if run.units == 1 else "it has too little in common with any other run to be tested"


def _no_equivalence(result: Comparison, steps: Steps) -> str:
    return UNASKED if result.equivalence is None else _no_pair(result, steps)


TESTED = {"exact": "McNemar", "bca": "accelerated", "wilcoxon": "Wilcoxon"}
"""Whose tests they are, of those that have a paper."""
EQUIVALENCE = "Schuirmann 1987; Tango 1998"


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
    groups: list[list[str]] | None
    """None, and no letters, where not all pairs were compared."""
    letters: dict[str, str | None] | None
    left_out: list[LeftOut]

    METHOD: ClassVar[str] = (
        "Runs are compared two by two on the units that both answered, by the mean difference and a test for paired "
        "scores (named below the table); p-values are corrected for the number of pairs. Runs share a letter, or a "
        "line in the figure, where they were tested and do not differ significantly."
    )
    WHY: ClassVar[Why] = {
        "way": "a score matrix has no labels",
        "clusters": "every unit stands alone",
        "replicates": "nothing is simulated",
        "equivalence": UNASKED,
        "runs/*/interval/*": _no_run_interval,
        "runs/*/letters": _no_letters,
        "runs/*/different": _no_verdict,
        "groups": _no_letters,
        "letters": _no_letters,
        "letters/*": _no_letters,
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
    def significant(self) -> list[PairOfRuns]:
        """The pairs that differ significantly."""
        return [pair for pair in self.pairs if pair.different]

    @property
    def tested(self) -> list[PairOfRuns]:
        """The pairs that were tested."""
        return [pair for pair in self.pairs if pair.different is not None]

    @property
    def leaders(self) -> list[Ranked]:
        """Of the runs that were tested against another, the one with the highest value; several where they tie."""
        names = {run for pair in self.tested for run in (pair.a, pair.b)}
        rows = [row for row in self.runs if row.run in names]
        return [row for row in rows if row.value >= rows[0].value - SAME]

    def standing(self, run: str) -> Standing:
        """How the other runs compare with one."""
        made = Standing([], [], [], [])
        for pair in self.pairs:
            if run in (pair.a, pair.b):
                other, ahead = (pair.b, pair.difference) if pair.a == run else (pair.a, -pair.difference)
                if pair.different is None:
                    made.untested.append(other)
                elif pair.different:
                    (made.worse if ahead > 0 else made.better).append(other)
                else:
                    made.alike.append(other)
        return made

    def citations(self) -> list[str]:
        """The sources of the test and of the intervals as well."""
        return [
            *super().citations(),
            TESTED.get(self.test, ""),
            self.intervals,
            EQUIVALENCE if self.equivalence else "",
        ]

    def make_sheets(self) -> list[Sheet]:
        """The ranking with letters, and the pairs: all of them, or the closest."""
        return [self._ranking(), self._pairs(), *([self._left_out()] if self.left_out else [])]

    def _ranking(self) -> Sheet:
        of_what = counted(self.units, "unit") + (f" in {counted(self.clusters, 'cluster')}" if self.clusters else "")
        way = f", {self.way}-way" if self.way else ""
        notes = [
            self._grouping,
            f"test: {self.test} ({self.why})",
            f"{self.test} tests {self.tests_what}",
            f"correction: {self.correction}, which controls {self.controls}",
        ]
        rows = range(len(self.runs))
        columns = [
            Column("run", [row.run for row in self.runs]),
            *self._verdicts(),
            Column(self.measure, [row.value for row in self.runs], 4, at=_at("runs", rows, "value")),
            Column(f"{100 * self.level:g} % interval", [_interval(row.interval) for row in self.runs],
                   at=_at("runs", rows, "interval", 0)),
        ]  # fmt: skip
        if any(row.units != self.units for row in self.runs):
            columns.append(Column("units", [row.units for row in self.runs]))
        return Sheet(f"{self.measure}{way}, {of_what}, {len(self.runs)} runs", tuple(columns), tuple(notes))

    @property
    def _grouping(self) -> str:
        """How to read the second column."""
        if self.letters is not None:
            unless = "" if len(self.tested) == len(self.pairs) else ", unless they were not tested against each other"
            return f"runs that share a letter are not significantly different; runs that share none are{unless}"
        if self.versus == "all":
            return f"no letters: {TOO_MANY}; the verdict on every pair is in JSON and CSV"
        return (
            f"every run is compared with {self.versus} only: nothing is said of any two others, so there are no letters"
        )

    def _verdicts(self) -> list[Column]:
        """Right after the name, where a narrow page still shows it: the letters, or the verdict on each run."""
        if self.letters is not None:
            note = "runs that share one are not significantly different"
            return [Column("letters", [row.letters or NOT_TESTED for row in self.runs], note=note)]
        if self.versus == "all":
            return []
        cells = ["itself" if row.run == self.versus else _verdict(row.different) for row in self.runs]
        return [Column(f"different from {self.versus}", cells)]

    def about(self, run: str) -> list[Sheet]:
        """Every pair that it is one of, however many there are."""
        mine = [place for place, pair in enumerate(self.pairs) if run in (pair.a, pair.b)]
        return [
            *(about for sheet in (self._ranking(),) if (about := sheet.about(run))),
            *([self._pair_sheet(mine, "Beside every other run")] if mine else []),
        ]

    def _pairs(self) -> Sheet:
        verdicts = [pair.different for pair in self.pairs]
        found, untested = verdicts.count(True), verdicts.count(None)
        shown = list(range(len(self.pairs)))
        title = f"All {len(self.pairs)} pairs, {found} significantly different"
        title += f", {untested} not tested" if untested else ""
        if len(self.pairs) == 1:
            told = {True: "significantly different", False: "not significantly different", None: NOT_TESTED}
            title = f"One pair, {told[verdicts[0]]}"
        if len(self.pairs) > PAIRS_SHOWN:
            # Pairs that tie are many and say nothing: the closest that differ say how fine the test set is.
            best = (True,) if found else (False,) if found + untested < len(verdicts) else (None,)
            shown = [place for place in shown if verdicts[place] in best]
            shown.sort(key=lambda at: (abs(self.pairs[at].difference), self.pairs[at].p))
            shown = shown[:SHOWN]
            of_those = f"{found:,} significantly different; of those," if found else "none significantly different;"
            title = f"{len(self.pairs):,} pairs, {of_those} the {len(shown)} closest"
            if len(shown) == found:
                title = f"The {found} of {len(self.pairs):,} pairs that are significantly different"
        return self._pair_sheet(shown, title)

    def _pair_sheet(self, shown: list[int], title: str) -> Sheet:
        pairs = [self.pairs[place] for place in shown]
        columns = [
            Column("run a", [pair.a for pair in pairs]),
            Column("run b", [pair.b for pair in pairs]),
            Column("different", [_verdict(pair.different) for pair in pairs]),
            Column("a − b", [pair.difference for pair in pairs], 4, f"difference in {self.measure}",
                   _at("pairs", shown, "difference")),
            Column(f"{100 * self.level:g} % interval", [_interval(pair.interval) for pair in pairs],
                   at=_at("pairs", shown, "interval", 0)),
            Column("p", [p_value(pair.p) for pair in pairs], at=_at("pairs", shown, "p")),
        ]  # fmt: skip
        if any(pair.mc_error > 0 for pair in pairs):
            errors = [pair.mc_error for pair in pairs]
            columns.append(Column("± simulation", errors, 5, SIMULATION, _at("pairs", shown, "mc_error")))
        columns.append(
            Column(f"p {self.correction}", [p_value(pair.p_corrected) for pair in pairs],
                   at=_at("pairs", shown, "p_corrected"))
        )  # fmt: skip
        if any(pair.mc_error_corrected > 0 for pair in pairs):
            errors, at = [pair.mc_error_corrected for pair in pairs], _at("pairs", shown, "mc_error_corrected")
            columns.append(Column(f"± simulation, {self.correction}", errors, 5, SIMULATION, at))
        if any(pair.dropped for pair in pairs):
            columns.append(Column("units dropped", [pair.dropped for pair in pairs]))
        if self.equivalence is not None:
            columns.append(Column(f"within ±{self.equivalence:g}", [_verdict(pair.equivalent) for pair in pairs]))
        notes = [f"intervals of one pair each, not corrected: {self.intervals}"]
        if any(pair.mc_error_corrected > 0 for pair in pairs):
            notes.append(
                f"± simulation: Monte-Carlo standard error of the p before it, from {self.replicates:,} replicates"
            )
        return Sheet(title, tuple(columns), tuple(notes))

    def _left_out(self) -> Sheet:
        return Sheet.of("Left out", self.left_out, Field("run"), Field("why", "reason"))

    def records(self) -> Sheet:
        """The pairs, one a row."""
        names = (
            "p",
            "p_corrected",
            "mc_error",
            "mc_error_corrected",
            "different",
            "units",
            "dropped",
            "p_equivalence",
            "equivalent",
        )
        ends = Field("low", "interval.0"), Field("high", "interval.1")
        return Sheet.of("pairs", self.pairs, *map(Field, ("a", "b", "difference")), *ends, *map(Field, names))


def _at(group: str, rows: Sequence[int], *steps: str | int) -> list[str]:
    return [pointer(group, row, *steps) for row in rows]


def _verdict(found: bool | None) -> Cell:
    return NOT_TESTED if found is None else found


def _interval(ends: tuple[float, float]) -> Cell:
    low, high = ends
    return low if low != low else f"{low:.3f} – {high:.3f}"
