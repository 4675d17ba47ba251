"""What `swap` returns, and how it shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from karat.data.result import Column, Estimate, Sheet
from karat.data.shown import Cell, Shown, Why
from karat.data.undefined import Missing
from karat.statistics.decay import FEWEST_SIZES
from karat.studies.base import StudyResult
from karat.studies.wording import counted_units

ROWS_SHOWN = 30
"""Rows of the table at most; JSON and CSV have everything."""
SMALL_ERROR = 0.002
"""Rows end where errors are no larger than this."""
NO_FIT = (
    f"fewer than {FEWEST_SIZES} sizes, or too few in the upper half of them, "
    "have enough comparisons of such a difference"
)
NO_ERROR = "no error was seen at any size, so a is 0 and no rate of decay follows"
NO_FALL = "the fitted error does not fall with size"
NOT_RELIABLE = "no bin has a fitted error that is small enough there and in all larger bins"
NEVER_DIFFER = "the runs never differ"
ALL_CHANCE = "the runs may differ by chance alone"
WITHOUT_ONE = "without some one of the runs the differences between the others would not be large enough"
ONE_TRIAL = "one trial shows no variation between trials"


def _no_fit(curve: Any, _: object) -> str:
    if curve.fit is None:
        return NO_FIT
    return NO_ERROR if curve.fit.b != curve.fit.b else ONE_TRIAL


def _no_size(curve: Any, _: object) -> str:
    return NO_FALL if curve.fit else NO_FIT


def _no_needed(_: object, result: Any) -> str:
    return NEVER_DIFFER if result.never_differ else ALL_CHANCE


def _unreliable(_: object, result: Any) -> str:
    return str(result.why_unreliable)


def _no_share(pairs: Any, result: Any) -> str:
    return result.why_unreliable if pairs.pairs else "there is no such pair of runs"


Compared = Annotated[int, Shown(note="pairs of runs in the procedure, over all sizes and trials")]
Foretold = Annotated[
    float, Shown("error, fit", note="a·e^(−b·size) through the procedure's rates, extrapolated to {it.all_units}")
]
UpperEnd = Annotated[float, Shown("fresh, at most", note="upper end of its interval over runs and {it.unit}s")]


@dataclass(frozen=True)
class Point:
    """The error rate of one bin at one size, and its interval over trials on these units."""

    size: int
    error: float
    comparisons: int
    interval: Annotated[tuple[float, float], Why(ONE_TRIAL)]


@dataclass(frozen=True)
class Fit:
    """a·e^(−b·size) through the points of one bin; intervals are over trials."""

    a: float
    b: float
    error_at_full: float
    interval: tuple[float, float]
    dispersion: float
    points: int


@dataclass(frozen=True)
class Curve:
    """The procedure's error rate by size, for differences from `low` up to but without `high`."""

    low: float
    high: float
    points: list[Point]
    fit: Annotated[Fit | None, Why(_no_fit)]
    reliable_size: Annotated[
        int | None, Shown("{it.unit}s, fit", note="size at which the fit is at most {it.error:g}"), Why(_no_size)
    ]
    """The size from which on the fitted error is small enough."""

    @property
    def comparisons(self) -> Compared:
        """How many comparisons fell into the bin."""
        return sum(point.comparisons for point in self.points)

    @property
    def error_at_full(self) -> Foretold:
        """What the fit says of all units."""
        return self.fit.error_at_full if self.fit else Missing(NO_FIT)

    @property
    def at_most(self) -> Annotated[float, Shown("fit, at most", note="upper end of its interval over trials")]:
        """The upper end of that."""
        return self.fit.interval[1] if self.fit else Missing(NO_FIT)


@dataclass(frozen=True)
class Tied:
    """Pairs of runs that the first set ties, and the share of them that the second tells apart."""

    size: int
    comparisons: int
    apart: float


@dataclass(frozen=True)
class Procedure:
    """The published procedure: trials on parts of these units, and a fit extrapolated to all of them.

    It makes no allowance for chance in what these units show, which is optimistic for close runs.
    """

    curves: list[Curve]
    tied: list[Tied]
    smallest_reliable_difference: float
    interval_over_trials: tuple[float, float]
    """Of that difference: holds what infinitely many trials on these runs and units would give."""
    sensitivity: Annotated[float, Why(NOT_RELIABLE)]
    """The share of pairs of runs that differ by at least that."""


@dataclass(frozen=True)
class Rate:
    """An error rate that was worked out and not drawn."""

    size: int
    error: float


@dataclass(frozen=True)
class FreshCurve:
    """How often a fresh test set reverses two runs whose difference is in the middle of the bin."""

    low: float
    high: float
    rates: list[Rate]
    error_at_full: Annotated[
        float, Shown("error, fresh", note="how often a fresh set of {it.units} {it.unit}s reverses two such runs")
    ]
    interval: tuple[float, float]
    reliable_size: Annotated[
        int | None,
        Shown("{it.unit}s, fresh", note="size at which that upper end is at most {it.error:g}"),
        Why(ALL_CHANCE),
    ]
    """The size from which on the upper end of the interval is small enough."""

    @property
    def difference(self) -> Annotated[str, Shown(note="absolute difference on the first set")]:
        """The bin in words."""
        return f"{self.low:g}–{self.high:g}"

    @property
    def at_most(self) -> UpperEnd:
        """The upper end of the interval."""
        return self.interval[1]


@dataclass(frozen=True)
class Fresh:
    """How often a fresh test set of as many units reverses two runs, observed differences being shrunk towards 0.

    A difference is called reliable only where the upper end of its error rate's interval is small enough.
    """

    reliability: Annotated[Estimate, Why(NEVER_DIFFER)]
    """The share of what sets the observed means of runs apart that is not chance; 0 where chance explains it all."""
    needed: Annotated[Estimate, Why(_no_needed)]
    """The difference from which on the error is small enough."""
    smallest_reliable_difference: Annotated[
        float, Shown(digits=3, note="error at most {it.error:g} for it and for all larger ones"), Why(_unreliable)
    ]
    """The upper end of that, with every run and with any one of them left out, where two of the runs differ by so
    much. Where the others may differ by chance alone without some run, it is a difference that only that run shows."""
    sensitivity: Annotated[float, Shown(digits=3, note="share of pairs of runs that far"), Why(_unreliable)]
    """The share of pairs of runs that differ by at least that."""
    curves: list[FreshCurve]


@dataclass(frozen=True)
class PairShare:
    """Of so many pairs of runs, the share that differs by at least the smallest reliable difference."""

    pairs: int
    share: Annotated[float, Why(_no_share)]


@dataclass(frozen=True)
class Teams:
    """Sensitivity among runs of different teams and among runs of one team."""

    between: PairShare
    within: PairShare


@dataclass(frozen=True, kw_only=True)
class Swap(StudyResult):
    """What `swap` returns."""

    way: Annotated[str | None, Why("scores have no labels")]
    measures: list[str]
    runs: list[str]
    units: int
    unit: str
    """What the units are: units, or clusters of them."""
    members: Annotated[int | None, Why("every unit stands alone")]
    """Where they are clusters: how many units those hold."""
    sizes: list[int]
    trials: int
    comparisons: int
    error: float
    largest_difference: float
    """Between two of the runs, with all units."""
    fresh: Fresh
    procedure: Procedure
    teams: Annotated[Teams | None, Why("no --team was given to tell teams by")]
    graded: bool
    """Whether scores are other than 0 and 1."""
    zero_median_units: int
    unscored_units: int

    METHOD: ClassVar[str] = (
        "How often a fresh test set would reverse two runs follows from how far apart the runs are and how much of "
        "that is chance; a difference is called reliable where the upper end of that rate's interval is small enough, "
        "whichever run is left out. "
        "Beside it stands the published swap procedure: sets of units that do not overlap are drawn again and again, "
        "reversals are counted by the difference on the first set, and an exponential extrapolates to the whole set."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Voorhees & Buckley 2002", "Cronbach 1951; Feldt 1965; Box 1954")

    @property
    def all_units(self) -> str:
        """30 clusters (120 units)."""
        return counted_units(self.units, self.unit, self.members)

    @property
    def never_differ(self) -> bool:
        """Whether all runs have the same score on every unit."""
        return self.fresh.reliability.value != self.fresh.reliability.value

    @property
    def why_unreliable(self) -> str:
        """Why no difference between these runs is called reliable."""
        if self.never_differ:
            return NEVER_DIFFER
        needed = self.fresh.needed.high
        if needed != needed:
            return ALL_CHANCE
        if needed <= self.largest_difference:
            return WITHOUT_ONE
        return f"that would take a difference of {needed:.3g}, and the largest is {self.largest_difference:.3g}"

    def make_sheets(self) -> list[Sheet]:
        """The answer, then the error rates by difference at the full size."""
        return [self._answer(), *([self._rates()] if self.fresh.curves else [])]

    def _rates(self) -> Sheet:
        """One row per bin: its error rate by fresh samples, and by the procedure."""
        fitted = {curve.low: curve for curve in self.procedure.curves}
        shown: list[FreshCurve] = []
        fits: list[Curve] = []
        for curve in self.fresh.curves:
            shown.append(curve)
            fits.append(fitted.get(curve.low) or Curve(curve.low, curve.high, [], None, None))
            small = not curve.at_most > SMALL_ERROR and not fits[-1].error_at_full > SMALL_ERROR
            if len(shown) == ROWS_SHOWN or (len(shown) > 5 and small):
                break
        title = f"Error rate with all {self.all_units}, by difference"
        beside = self.sheet(title, fits, "comparisons error_at_full at_most reliable_size")
        rates = self.sheet(title, shown, "difference error_at_full at_most reliable_size", *beside.columns)
        return replace(rates, notes=tuple(f"{one.name}: {one.note}" for one in rates.columns))

    def _answer(self) -> Sheet:
        needed, over_trials = self.fresh.needed, self.procedure.interval_over_trials
        return self.sheet(
            f"{len(self.runs)} runs, {self.all_units}, {len(self.sizes)} sizes × {self.trials} trials: "
            f"{self.comparisons:,} comparisons",
            [self.fresh, self.procedure],
            Column("by", ["fresh samples", "published procedure"]),
            "smallest_reliable_difference",
            Column("from", [needed.low, over_trials[0]], 3),
            Column("to", [needed.high, over_trials[1]], 3),
            Column("interval over", [f"runs and {self.unit}s", "trials"]),
            "sensitivity",
            notes=[
                "Fresh samples: reliable are differences from the upper end of the interval on, or from where it lies "
                f"with any one run left out, if any two runs differ by so much. {self._reliability()}",
                f"The published procedure (trials on parts of this set, extrapolated) makes no allowance for chance in "
                f"what these {self.unit}s show, which is optimistic for close runs: rely on the first row.",
            ],
        )

    def _reliability(self) -> str:
        share = self.fresh.reliability
        if self.never_differ:
            return f"Here {NEVER_DIFFER}."
        return f"{share.value:.0%} of the variation between runs is not chance ({share.low:.0%} to {share.high:.0%})."

    def records(self) -> Sheet:
        """One row per error rate."""
        names = ("method", "low", "high", "size", "error", "comparisons")
        return Sheet.listed("swap", names, list(self._records()))

    def _records(self) -> Iterator[tuple[Cell, ...]]:
        for curve in self.procedure.curves:
            for point in curve.points:
                yield "procedure", curve.low, curve.high, point.size, point.error, point.comparisons
            if curve.fit:
                yield "fit", curve.low, curve.high, self.units, curve.fit.error_at_full, None
        for one in self.fresh.curves:
            for rate in one.rates:
                yield "fresh", one.low, one.high, rate.size, rate.error, None
