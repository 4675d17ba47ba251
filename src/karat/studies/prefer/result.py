"""Runs ranked by preferences: the result of `prefer` and its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from karat.arrays import DISPLAY_TOLERANCE
from karat.data.composite import RANKS_MEAN, Board, Entry, Ranks
from karat.data.fields import Shown, Why, span
from karat.data.records import Records, RowsAt
from karat.data.result import Ends, Estimate, Field, Note, Sheet
from karat.studies.base import LeftOut
from karat.studies.tested_pairs import SHARED_LETTER, TOO_MANY_GROUPS, ComparedInPairs
from karat.studies.wording import CORRECTION_NAMES, P, counted

WIN_RATE = "win_rate"
"""The measure by which runs are ranked."""
TEST = "Wald test of strengths"
ONE_CLUSTER = "all comparisons are in one cluster, and at least two are needed to estimate the variance"
NEVER_BOTH = "no two runs were shown in both orders"


def _no_fit(pair: Any, result: Any) -> str:
    if pair.compared < result.fewest:
        return f"fewer than {result.fewest} comparisons of the two (--fewest)"
    return "the strengths of the two follow from these comparisons alone"


def _no_assessor_test(row: Any, result: Any) -> str:
    if row.comparisons < result.fewest:
        return f"fewer than {result.fewest} comparisons by this assessor (--fewest)"
    return "the model follows from the comparisons of this assessor alone"


Untested = Why(ONE_CLUSTER)
Unfitted = Why(_no_fit)
Alone = Why(_no_assessor_test)


@dataclass(frozen=True)
class PreferredRun:
    """One run: what became of its comparisons, and its place among the others."""

    run: str
    value: Annotated[float, Shown("win rate", unit="%", note="{it.win_rate_means}")]
    interval: Annotated[Ends, Shown("{it.percent} CI"), Untested]
    strength: Annotated[float, Shown(digits=2, note="log odds of being preferred to an average run, ties aside")]
    """Relative to the mean of all runs that are ranked."""
    strength_interval: Annotated[Ends, Shown("{it.percent} CI of strength"), Untested]
    wins: int
    losses: int
    ties: Annotated[int, Shown(note="including those in which both are bad")]
    ranks: Annotated[Ranks, Shown("rank", note=RANKS_MEAN, form=span)]
    letters: Annotated[str | None, Shown(note=SHARED_LETTER), Why(TOO_MANY_GROUPS)]


@dataclass(frozen=True)
class PreferredPair:
    """Two runs; a is the stronger one."""

    a: Annotated[str, Shown("run a")]
    b: Annotated[str, Shown("run b")]
    difference: Annotated[float, Shown("a − b", 2, note="difference in strength")]
    interval: Annotated[Ends, Shown("{it.percent} CI"), Untested]
    p: Annotated[P, Untested]
    p_corrected: Annotated[P, Shown("p, {it.corrected_by}"), Untested]
    different: Annotated[bool | None, Untested]
    """Whether they differ significantly."""
    expected: Annotated[float, Shown("expected", unit="%", note="share of wins of a over b by the model, ties as half")]
    compared: Annotated[int, Shown(note="comparisons of the two with each other")]
    observed: Annotated[
        float,
        Shown(unit="%", note="share of wins of a over b in these, ties as half"),
        Why("the two were never compared with each other"),
    ]
    excess: Annotated[
        float, Shown("observed − expected", unit="points", note="given which one was on the left"), Unfitted
    ]
    p_fit: Annotated[P, Shown("p of fit"), Unfitted]
    p_fit_corrected: Annotated[P, Shown("p of fit, Holm"), Unfitted]

    def turned(self) -> PreferredPair:
        """The same pair as b compared with a."""
        high, low = (end if end != end else -end for end in self.interval)
        away = {name: -value if value == value else value for name in ("difference", "excess")
                for value in [getattr(self, name)]}  # fmt: skip
        observed = 1 - self.observed if self.observed == self.observed else self.observed
        expected = 1 - self.expected
        return replace(self, a=self.b, b=self.a, interval=(low, high), observed=observed, expected=expected, **away)


@dataclass(frozen=True)
class OrderEffect:
    """What it is worth to stand on the left."""

    log_odds: Annotated[Estimate, Untested]
    left: Annotated[Estimate, Shown("left preferred", unit="%"), Untested]
    """The share of comparisons of two equally good answers, ties aside, in which the left one is preferred."""
    p: Annotated[P, Untested]


@dataclass(frozen=True)
class PreferringAssessor:
    """One assessor's verdicts compared with those that the model of all assessors expects."""

    assessor: str
    comparisons: int
    ties: Annotated[float, Shown(unit="%", note="share of ties, including those in which both are bad")]
    both_bad: Annotated[float, Shown("both bad", unit="%")]
    left: Annotated[float, Shown("left wins", unit="%", note="ties as half")]
    left_excess: Annotated[
        float, Shown("left − expected", unit="points", note="compared with the model without an order effect")
    ]
    p_left: Annotated[P, Alone]
    """Of the hypothesis that this assessor prefers neither side."""
    p_left_corrected: Annotated[P, Shown("p, Holm"), Alone]
    stronger: Annotated[float, Shown("stronger run wins", unit="%", note="ties as half")]
    stronger_excess: Annotated[
        float, Shown("stronger − expected", unit="points", note="compared with the model of all assessors")
    ]
    p_stronger: Annotated[P, Alone]
    """Of the hypothesis that this assessor prefers the stronger run as often as the model of all assessors predicts."""
    p_stronger_corrected: Annotated[P, Shown("p, Holm"), Alone]


@dataclass(frozen=True)
class Favour:
    """A run that wins significantly more, or less, often with one assessor than with all of them."""

    assessor: str
    run: str
    comparisons: int
    excess: Annotated[float, Shown("more wins than expected", unit="points", note="ties as half")]
    p: P
    p_corrected: Annotated[P, Shown("p, Holm")]


@dataclass(frozen=True)
class VerdictCounts:
    """How often each verdict was given."""

    left: int
    right: int
    tie: int
    both_bad: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Preferred(ComparedInPairs):
    """The result of `prefer`; runs are ranked, and pairs are in the order of the ranking."""

    measure: str
    comparisons: int
    units: Annotated[int | None, Why("the comparisons do not say what was answered")]
    verdicts: VerdictCounts
    cluster: str
    """What makes comparisons depend on each other: unit, assessor, or none."""
    clusters: int
    correction: str
    controls: str
    prior: float
    fewest: int
    tie: Annotated[float, Why("there are no ties")]
    """The log odds of a tie, relative to either of two equally good runs winning."""
    order: Annotated[OrderEffect | None, Why(NEVER_BOTH)]
    runs: list[PreferredRun]
    pairs: list[PreferredPair]
    groups: Annotated[list[list[str]] | None, Why(TOO_MANY_GROUPS)]
    assessors: list[PreferringAssessor]
    """Empty unless there are at least two."""
    favours: list[Favour]
    """Only those that are significant."""
    favours_tested: int
    left_out: list[LeftOut]

    METHOD: ClassVar[str] = (
        "Bradley and Terry's model gives every run a strength, such that the odds that one run is preferred to another "
        "depend on the difference of their strengths alone; ties and the effect of standing on the left are parameters "
        "of their own. Standard errors allow for dependence within clusters of comparisons, and p-values are corrected "
        "for the number of pairs."
    )
    SOURCES: ClassVar[tuple[str, ...]] = (
        "Bradley and Terry 1952",
        "Davidson 1970",
        "Davidson and Beaver 1977",
        "Liang and Zeger 1986",
        "Ford 1957",
    )
    RECORDS: ClassVar[Records] = Records(
        "a, b, difference, low=interval.0, high=interval.1, p, p_corrected, different, expected, compared, observed, "
        "excess, p_fit, p_fit_corrected",
        RowsAt("pairs.*"),
    )

    @property
    def corrected_by(self) -> str:
        """The correction in a heading."""
        return CORRECTION_NAMES[self.correction].removesuffix(" correction")

    @property
    def win_rate_means(self) -> str:
        """What the win rate is."""
        return "expected share of wins against the other runs, ties as half, if neither side had an advantage"

    @property
    def how(self) -> str:
        """The test in a sentence."""
        return f"{TEST}, {CORRECTION_NAMES[self.correction]}, level {1 - self.interval_level:.2g}"

    @property
    def clustered(self) -> str:
        """What standard errors allow for, in words."""
        if self.cluster == "none":
            return "comparisons count as independent of each other"
        return f"standard errors allow for dependence within the {counted(self.clusters, self.cluster)}"

    @property
    def odd(self) -> list[PreferredPair]:
        """The pairs that deviate significantly from the fitted model, the oddest first."""
        found = [pair for pair in self.pairs if pair.p_fit_corrected <= 1 - self.interval_level]
        return sorted(found, key=lambda pair: (pair.p_fit, -abs(pair.excess)))

    @property
    def leaders(self) -> list[PreferredRun]:
        """The strongest run; several if they tie."""
        return [row for row in self.runs if row.strength >= self.runs[0].strength - DISPLAY_TOLERANCE]

    def board(self) -> Board:
        """The runs with the ranks that they could hold, compared with the leader."""
        first, leaders = self.runs[0], tuple(row.run for row in self.leaders)
        verdicts = {pair.b: pair.different for pair in self.pairs if pair.a == first.run}
        entries = [
            Entry(row.run, row.ranks, row.value, row.interval, row.value - first.value, verdicts.get(row.run))
            for row in self.runs
        ]
        return Board(
            self.measure, None, self.comparisons, "comparison", self.interval_level, self.how, leaders, tuple(entries),
            left_out=len(self.left_out), percent=True,
        )  # fmt: skip

    def make_sheets(self) -> list[Sheet]:
        """The ranking, the order, the pairs, the assessors, and the runs left out."""
        order = [self._order(self.order)] if self.order is not None else []
        made = [self._ranking(), *order, self.main_pairs(self.runs[0].run)]
        if self.odd:
            title = f"{counted(len(self.odd), 'pair that deviates', 'pairs that deviate')}"
            made.append(self._fit_sheet(self.odd, f"{title} from the fitted model"))
        if self.assessors:
            made.append(self._assessors())
        if self.favours:
            title = "Runs that an assessor favours or disfavours, compared with the model of all assessors"
            tested = f"{counted(self.favours_tested, 'combination')} of assessor and run tested; these are significant."
            columns = "assessor run comparisons excess p p_corrected"
            made.append(self.sheet(title, self.favours, columns, notes=[tested]))
        if self.left_out:
            made.append(self.sheet("Left out", self.left_out, Field("run", "name"), "reason"))
        return made

    def _ranking(self) -> Sheet:
        told = self.verdicts
        decided, units = told.left + told.right, f" on {counted(self.units, 'unit')}" if self.units else ""
        title = (
            f"{counted(self.comparisons, 'comparison')} of {counted(len(self.runs), 'run')}{units}: {decided:,} "
            f"decided, {counted(told.tie, 'tie')}, {told.both_bad:,} times both bad"
        )
        notes = [
            Note.of("runs that share a letter are not significantly different; runs that share none are", "letters"),
            Note.of(f"{self.how}; {self.clustered}", "rank", "letters"),
        ]
        if self.prior:
            notes.append(
                Note.of(f"every run has {self.prior:g} comparisons with an average opponent added, half of them won",
                        "strength")
            )  # fmt: skip
        columns = ("ranks run", "letters" * self.lettered, "value interval strength strength_interval wins losses ties")
        made = self.sheet(title, self.runs, *columns, notes=notes if self.lettered else notes[1:], sorted_by="win rate")
        return replace(made, best=("win rate",))

    def _order(self, found: OrderEffect) -> Sheet:
        title = "Order: how often the left one of two equally good answers is preferred, ties aside"
        fields = Field("left preferred", "left.value", unit="%"), "left.interval", Field("log odds", "log_odds.value")
        return self.sheet(title, [found], *fields, "log_odds.interval p", notes=[self.clustered])

    def pair_sheet(self, pairs: list[PreferredPair], title: str) -> Sheet:
        """The pairs with their tests, and what the model expects of them."""
        notes = ["the intervals hold for one pair each and are not corrected"]
        columns = "a b different difference interval p p_corrected expected compared observed"
        return self.sheet(title, pairs, columns, notes=notes)

    def _fit_sheet(self, pairs: list[PreferredPair], title: str) -> Sheet:
        tested = sum(pair.p_fit == pair.p_fit for pair in self.pairs)
        notes = [f"{counted(tested, 'pair')} with at least {self.fewest} comparisons tested"]
        return self.sheet(title, pairs, "a b compared observed expected excess p_fit p_fit_corrected", notes=notes)

    def _assessors(self) -> Sheet:
        columns = "assessor comparisons ties both_bad left left_excess p_left_corrected"
        stronger = "stronger stronger_excess p_stronger_corrected"
        notes = ["p, Holm: of the differences to their left, which are 0 for an assessor like all others"]
        title = f"{counted(len(self.assessors), 'assessor')}, compared with the model of all of them"
        return self.sheet(title, self.assessors, columns, stronger, notes=notes)
