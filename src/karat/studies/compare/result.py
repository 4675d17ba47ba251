"""The comparison of runs: the result of `compare` and its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.composite import RANKS_MEAN, Board, Entry, Ranks
from karat.data.fields import Missing, Shown, Why, readable, span
from karat.data.records import Records, RowsAt
from karat.data.result import Cell, Checked, Ends, Field, Note, Sheet
from karat.labels import IN_WORDS
from karat.studies.base import LeftOut
from karat.studies.compare.gate import UNGATED, Gate, gate_checks, gate_sheet
from karat.studies.shared_texts import NONE_SHARED, SharedTexts
from karat.studies.tested_pairs import SHARED_LETTER, TOO_MANY_GROUPS, VERDICTS, ComparedInPairs
from karat.studies.wording import CORRECTION_NAMES, TEST_NAMES, P, begun, counted, unit_of

FEWEST_TESTED = 2
"""The fewest units, or clusters, on which both of two runs must be scored to be tested."""
SIMULATION = "Monte Carlo standard error of the p-value to its left"
ONE_UNIT = "there is only one unit, and a test needs at least two"
UNASKED = "no margin was given (--equivalence), so equivalence was not tested"
ONE_COMPARED = "every run was compared with {it.versus} only"


def _constant(what: str, result: Any) -> str:
    if result.clusters == 1:
        return "all units are in one cluster, and at least two are needed to estimate the variance"
    scope = "units" if result.clusters is None else "clusters"
    reason = f"{what} is the same on all {scope}, so it has no interval"
    return reason if result.clusters is None else f"{reason}; or all scored units are in one cluster"


def _no_run_interval(run: Any, result: Any) -> str:
    if run.value != run.value:
        return result.no_value
    return ONE_UNIT if run.units == 1 else _constant("the value", result)


def _no_letters(run: Any, result: Any) -> str:
    if result.letters is None:
        return _no_groups(result)
    if run.value != run.value:
        return result.no_value
    return ONE_UNIT if run.units == 1 else "it shares too few units with every other run to be tested"


def _no_groups(result: Any) -> str:
    return TOO_MANY_GROUPS if result.versus == "all" else "every run was compared with a single run"


def _no_verdict(run: Any, result: Any) -> str:
    if result.versus == "all":
        return "all pairs were compared: see their verdicts, and the letters"
    if run.run == result.versus:
        return "it is the run that the others are compared with"
    return _not_tested(next(pair for pair in result.pairs if pair.a == run.run), result)


def _not_tested(pair: Any, result: Any) -> str:
    if pair.difference != pair.difference:
        return result.no_value if pair.units else "no unit was scored for both runs"
    if pair.units == 1:
        return (
            ONE_UNIT if result.units == 1 else "only one unit was scored for both runs, and a test needs at least two"
        )
    if result.clusters == 1:
        return _constant("the difference", result)
    if result.clusters is not None and pair.p != pair.p:
        return "all units scored for both runs are in one cluster, and a test needs at least two"
    return "the two runs differ by the same amount on every unit, so the variance of the difference cannot be estimated"


def _no_interval(pair: Any, result: Any) -> str:
    untested = pair.difference != pair.difference or pair.units == 1
    return _not_tested(pair, result) if untested else _constant("the difference", result)


def _no_equivalence(pair: Any, result: Any) -> str:
    return UNASKED if result.equivalence is None else _not_tested(pair, result)


def _verdict(found: bool | None) -> Cell:
    return VERDICTS[None] if found is None else found


Untested = Why(_not_tested)
Verdict = Annotated[bool | None, Shown(form=_verdict), Untested]
SimulationError = Annotated[float, Shown("± simulation", 5, SIMULATION), Untested]


@dataclass(frozen=True)
class Ranked:
    """One run with its value and the letters of its groups, or whether it differs from the run it was compared with."""

    run: str
    value: Annotated[float, Shown("{it.measure_name}", unit="{it.in_percent}")]
    interval: Annotated[Ends, Shown("{it.percent} CI"), Why(_no_run_interval)]
    units: int
    ranks: Annotated[
        Ranks | None,
        Shown("rank", note="{it.ranks_mean}", form=span),
        Why(ONE_COMPARED),
    ]
    """The best and the worst rank that it could hold, given the tests."""
    letters: Annotated[str | None, Shown(note=SHARED_LETTER, form=_verdict), Why(_no_letters)]
    """None if the run was not tested against any other."""
    different: Annotated[bool | None, Why(_no_verdict)]
    """None if it was not tested, if all pairs were compared, and for the reference run itself."""


@dataclass(frozen=True)
class PairOfRuns:
    """Two runs compared; `difference` is the value of `a` minus that of `b`."""

    a: Annotated[str, Shown("run a")]
    b: Annotated[str, Shown("run b")]
    difference: Annotated[
        float, Shown("a − b", note="difference in {it.measure_name}", unit="{it.in_points}"), Untested
    ]
    interval: Annotated[Ends, Shown("{it.percent} CI"), Why(_no_interval)]
    p: Annotated[P, Untested]
    p_corrected: Annotated[P, Shown("p, {it.corrected_by}"), Untested]
    mc_error: SimulationError
    """The Monte Carlo standard error of p; 0 if p is not simulated."""
    mc_error_corrected: Annotated[SimulationError, Shown("± simulation, {it.corrected_by}")]
    """The Monte Carlo standard error of p_corrected, which is simulated if p is, and always with maxt."""
    different: Verdict
    """Whether they differ significantly; None if they were not tested."""
    units: int
    dropped: Annotated[int, Shown("units dropped")]
    """Units on which at most one of the two runs was scored."""
    p_equivalence: Annotated[float | None, Why(_no_equivalence)]
    equivalent: Annotated[bool | None, Shown("within ±{it.equivalence:g}", form=_verdict), Why(_no_equivalence)]
    """None if no margin was given, or the pair was not tested."""

    def turned(self) -> PairOfRuns:
        """The same pair as b compared with a."""
        # What is missing keeps its reason.
        high, low, difference = (end if end != end else -end for end in (*self.interval, self.difference))
        return replace(self, a=self.b, b=self.a, difference=difference, interval=(low, high))


TEST_SOURCES = {"exact": "McNemar", "bca": "accelerated", "wilcoxon": "Wilcoxon"}
"""The sources of the tests that have one."""
EQUIVALENCE_SOURCE = "Schuirmann 1987; Tango 1998"


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(ComparedInPairs):
    """The result of `compare`; runs are ranked, and pairs are in the order of the ranking."""

    way: Annotated[str | None, Why("a score matrix has no labels")]
    measure: str
    units: int
    clusters: Annotated[int | None, Why("units are not clustered")]
    shared_texts: Annotated[SharedTexts | None, NONE_SHARED]
    test: str
    why: str
    tests_what: str
    correction: str
    controls: str
    intervals: str
    """The method of the intervals of the differences."""
    replicates: Annotated[int | None, Why("nothing is simulated")]
    versus: str
    equivalence: Annotated[float | None, Why(UNASKED)]
    gate: Annotated[Gate | None, Why(UNGATED)]
    """The check against a baseline."""
    runs: list[Ranked]
    pairs: list[PairOfRuns]
    groups: Annotated[list[list[str]] | None, Why(_no_groups)]
    """None, like the letters, if not all pairs were compared."""
    letters: Annotated[dict[str, str] | None, Why(_no_groups)]
    """The letters of the runs that were tested."""
    left_out: list[LeftOut]
    constant: list[str]
    """The runs that give the same answer to every pair."""

    METHOD: ClassVar[str] = (
        "Every pair of runs is compared on the units scored for both, by a paired test of their difference (named "
        "below the table); p-values are corrected for the number of pairs. Runs that were tested and do not differ "
        "significantly share a letter, and a line in the figure."
    )
    RECORDS: ClassVar[Records] = Records(
        "a, b, difference, low=interval.0, high=interval.1, p, p_corrected, mc_error, mc_error_corrected, different, "
        "units, dropped, p_equivalence, equivalent",
        RowsAt("pairs.*"),
    )

    @property
    def no_value(self) -> str:
        """Why a run has no value, which depends on the measure."""
        return next(row.value.why for row in self.runs if isinstance(row.value, Missing))

    @property
    def test_name(self) -> str:
        """The test in a sentence about pairs."""
        return TEST_NAMES[self.test].removeprefix("paired ")

    @property
    def measure_name(self) -> str:
        """The measure in words."""
        return readable(self.measure)

    @property
    def corrected_by(self) -> str:
        """The correction in a heading."""
        return self.correction_name.removesuffix(" correction")

    @property
    def correction_name(self) -> str:
        """The correction for multiple tests in a sentence."""
        return CORRECTION_NAMES[self.correction]

    @property
    def failed(self) -> bool:
        """Whether a check against a baseline was asked for and fails."""
        return self.gate is not None and self.gate.failed

    def checks(self) -> list[Checked]:
        """One per run that was compared with the baseline."""
        return gate_checks(self)

    @property
    def missing(self) -> str:
        """How units that were not scored are treated, for the signature."""
        return "dropped if either run has no score"

    @property
    def leaders(self) -> list[Ranked]:
        """The run with the highest value among those that were tested; several if they tie."""
        names = {run for pair in self.tested for run in (pair.a, pair.b)}
        rows = [row for row in self.runs if row.run in names]
        tolerance = DISPLAY_TOLERANCE * max((abs(row.value) for row in rows), default=1.0)
        return [row for row in rows if row.value >= rows[0].value - tolerance]

    def board(self) -> Board | None:
        """The runs with the ranks that they could hold, compared with the leader."""
        if self.versus != "all" or not self.leaders:
            return None
        leaders = tuple(row.run for row in self.leaders)
        against = {
            pair.b if pair.a == leaders[0] else pair.a: (pair.difference * (1 if pair.b == leaders[0] else -1), pair)
            for pair in self.pairs
            if leaders[0] in (pair.a, pair.b)
        }
        entries = []
        for row in self.runs:
            assert row.ranks is not None
            difference, pair = against.get(row.run, (0.0, None))
            verdict = None if pair is None else pair.different
            entries.append(Entry(row.run, row.ranks, row.value, row.interval, difference, verdict))
        test = f"{TEST_NAMES[self.test]}, {self.correction_name}, level {1 - self.interval_level:.2g}"
        of = self.units, "unit", self.interval_level, test, leaders, tuple(entries)
        return Board(self.measure, self.way, *of, percent=bool(self.in_percent))

    @property
    def in_percent(self) -> str:
        """The unit of the measure, also of scores, as far as they are shares."""
        return unit_of(self.measure) if all(row.value <= 1 for row in self.runs if row.value == row.value) else ""

    @property
    def ranks_mean(self) -> str:
        """How ranges of ranks are to be read."""
        return RANKS_MEAN

    def citations(self) -> list[str]:
        """The sources of the test and of the intervals as well."""
        equivalence = EQUIVALENCE_SOURCE if self.equivalence else ""
        return [*super().citations(), TEST_SOURCES.get(self.test, ""), self.intervals, equivalence]

    def make_sheets(self) -> list[Sheet]:
        """The ranking with letters, the main pairs, and the runs left out."""
        left_out = [self.sheet("Left out", self.left_out, Field("run", "name"), "reason")] if self.left_out else []
        gate = [gate_sheet(self)] if self.gate else []
        leader = self.leaders[0].run if self.versus == "all" and self.leaders else None
        return [self._ranking(), *gate, self.main_pairs(leader), *left_out]

    def _ranking(self) -> Sheet:
        of_what = counted(self.units, "unit") + (f" in {counted(self.clusters, 'cluster')}" if self.clusters else "")
        way = f", {IN_WORDS[self.way]}" if self.way else ""
        notes = [Note.of(self._grouping, "rank", "letters")]
        tested = f"test: {TEST_NAMES[self.test]} ({self.why}); it tests {self.tests_what}"
        for told in (tested, f"{self.correction_name}: controls {self.controls}"):
            notes.append(Note.of(told, "rank", "letters", f"different from {self.versus}"))
        # The verdict comes right after the name, so that a narrow page still shows it.
        verdict: str | Field = "letters" if self.lettered else ""
        if self.versus != "all":
            verdict = Field(
                f"different from {self.versus}",
                lambda row: "itself" if row.run == self.versus else _verdict(row.different),
            )
        units = "units" * any(row.units != self.units for row in self.runs)
        title = f"{begun(self.measure_name)}{way}, {of_what}, {len(self.runs):,} runs"
        ranks = "ranks" if self.versus == "all" else ""
        columns = (ranks, "run", verdict, "value interval", units)
        made = self.sheet(title, self.runs, *columns, notes=notes, sorted_by=self.measure_name)
        return replace(made, best=(self.measure_name,))

    @property
    def _grouping(self) -> str:
        """The note on the letters."""
        if self.lettered:
            unless = "" if len(self.tested) == len(self.pairs) else ", unless they were not tested against each other"
            return f"runs that share a letter are not significantly different; runs that share no letter are{unless}"
        if self.versus == "all":
            return (
                "rank: below all runs that are significantly better, above all that are significantly worse; the "
                "verdict on every pair is in JSON and CSV"
            )
        return f"every run is compared with {self.versus} only; other pairs are not tested, so there are no letters"

    def pair_sheet(self, pairs: list[PairOfRuns], title: str) -> Sheet:
        """The pairs with their tests."""
        simulated = any(pair.mc_error_corrected > 0 for pair in pairs)
        notes = [f"the intervals hold for one pair each and are not corrected: {self.intervals}"]
        notes += [f"± simulation: {SIMULATION}, from {self.replicates or 0:,} replicates"] * simulated
        return self.sheet(
            title,
            pairs,
            "a b different difference interval p",
            "mc_error" * any(pair.mc_error > 0 for pair in pairs),
            "p_corrected",
            "mc_error_corrected" * simulated,
            "dropped" * any(pair.dropped for pair in pairs),
            "equivalent" * (self.equivalence is not None),
            notes=notes,
        )
