"""The result of `swap` and its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from karat.data.fields import Cell, Missing, Shown, Why, rounded
from karat.data.records import Records, RowsAt
from karat.data.result import Ends, Estimate, Field, Note, Sheet, ends
from karat.statistics.decay import FEWEST_SIZES
from karat.studies.base import LeftOut, StudyResult
from karat.studies.wording import counted_units, in_points

MOST_ROWS_SHOWN = 30
"""The most rows in the table; JSON and CSV have all of them."""
SMALL_ERROR = 0.002
"""The table ends at the first error this small."""
NO_FIT = (
    f"fewer than {FEWEST_SIZES} sizes, or too few in the upper half of them, "
    "have enough comparisons with such a difference"
)
NO_ERROR = "no error was observed at any size, so a is 0 and the rate of decay is undefined"
NO_FALL = "the fitted error does not fall with size"
NOT_RELIABLE = "in no bin is the fitted error small enough there and in all larger bins"
NEVER_DIFFER = "the runs never differ"
ALL_CHANCE = "chance alone may explain all differences between the runs"
WITHOUT_ONE = "with one of the runs left out, the differences between the others would not be large enough"
ONE_TRIAL = "there is only one trial, so the variation between trials is unknown"
UNRELIABLE = "{it.why_unreliable}"


def _no_fit(curve: Any) -> str:
    if curve.fit is None:
        return NO_FIT
    return NO_ERROR if curve.fit.b != curve.fit.b else ONE_TRIAL


def _no_size(curve: Any) -> str:
    return NO_FALL if curve.fit else NO_FIT


def _no_needed(result: Any) -> str:
    return NEVER_DIFFER if result.never_differ else ALL_CHANCE


def _no_share(pairs: Any, result: Any) -> str:
    return result.why_unreliable if pairs.pairs else "there is no such pair of runs"


Compared = Annotated[int, Shown(note="pairs of runs in the procedure, over all sizes and trials")]
Predicted = Annotated[
    float,
    Shown("error, fit", note="a·e^(−b·size) through the procedure's rates, extrapolated to {it.all_units}", unit="%"),
]
UpperEnd = Annotated[
    float, Shown("fresh, upper end", note="upper end of its interval over runs and {it.unit}s", unit="%")
]
FitUpperEnd = Annotated[float, Shown("fit, upper end", note="upper end of its interval over trials", unit="%")]


@dataclass(frozen=True)
class ErrorAtSize:
    """The error rate of one bin at one size, and its interval over trials."""

    size: int
    error: float
    comparisons: int
    interval: Annotated[tuple[float, float], Why(ONE_TRIAL)]


@dataclass(frozen=True)
class ExponentialFit:
    """a·e^(−b·size) through the points of one bin; intervals are over trials."""

    a: float
    b: float
    error_at_full: float
    interval: tuple[float, float]
    dispersion: float
    points: int


@dataclass(frozen=True)
class Curve:
    """The procedure's error rate by size, for differences of at least `low` and less than `high`."""

    low: float
    high: float
    points: list[ErrorAtSize]
    fit: Annotated[ExponentialFit | None, Why(_no_fit)]
    reliable_size: Annotated[
        int | None, Shown("{it.unit}s, fit", note="size at which the fit is at most {it.error:.0%}"), Why(_no_size)
    ]
    """The smallest size at which the fitted error is small enough."""

    @property
    def comparisons(self) -> Compared:
        """The number of comparisons in the bin."""
        return sum(point.comparisons for point in self.points)

    @property
    def error_at_full(self) -> Predicted:
        """The fitted error with all units."""
        return self.fit.error_at_full if self.fit else Missing(NO_FIT)

    @property
    def at_most(self) -> FitUpperEnd:
        """The upper end of the interval of the fitted error with all units."""
        return self.fit.interval[1] if self.fit else Missing(NO_FIT)


@dataclass(frozen=True)
class Tied:
    """Pairs of runs that are tied on the first set, and the share of them that differ on the second."""

    size: int
    comparisons: int
    apart: float


@dataclass(frozen=True)
class Procedure:
    """The published procedure: trials on parts of these units, and a fit extrapolated to all of them.

    It makes no allowance for chance in the differences on these units.
    """

    curves: list[Curve]
    tied: list[Tied]
    smallest_reliable_difference: float
    interval_over_trials: Annotated[Ends, Shown("{it.percent} CI")]
    """The interval of that difference over trials, with these runs and units fixed."""
    sensitivity: Annotated[float, Why(NOT_RELIABLE)]
    """The share of pairs of runs that differ by at least that much."""


@dataclass(frozen=True)
class Rate:
    """An error rate computed without simulation."""

    size: int
    error: float


@dataclass(frozen=True)
class FreshCurve:
    """How often a fresh test set reverses two runs whose difference is in the middle of the bin."""

    low: float
    high: float
    rates: list[Rate]
    error_at_full: Annotated[
        float,
        Shown("error, fresh", note="how often a fresh set of {it.units:,} {it.unit}s reverses two such runs", unit="%"),
    ]
    interval: tuple[float, float]
    reliable_size: Annotated[
        int | None,
        Shown("{it.unit}s, fresh", note="size at which that upper end is at most {it.error:.0%}"),
        Why(ALL_CHANCE),
    ]
    """The smallest size at which the upper end of the interval is small enough."""

    @property
    def at_most(self) -> UpperEnd:
        """The upper end of the interval."""
        return self.interval[1]


@dataclass(frozen=True)
class Fresh:
    """How often a fresh test set of the same size reverses two runs, with observed differences shrunk towards 0.

    A difference is called reliable only if the upper end of the interval of its error rate is small enough.
    """

    reliability: Annotated[Estimate, Why(NEVER_DIFFER)]
    """The share of the variance between the observed means of runs that is not chance; 0 if chance explains it all."""
    needed: Annotated[Estimate, Why(_no_needed)]
    """The smallest difference at which the error is small enough."""
    smallest_reliable_difference: Annotated[
        float,
        Shown(note="error at most {it.error:.0%} for it and for all larger ones", unit="{it.in_points}"),
        Why(UNRELIABLE),
    ]
    """The largest upper end of that difference, with all runs and with any one of them left out, if two of the runs
    differ by that much. If the other runs may differ by chance alone when a run is left out, it is a difference that
    only that run has."""
    sensitivity: Annotated[
        float,
        Shown(note="share of pairs of runs that differ by at least that much", unit="%"),
        Why(UNRELIABLE),
    ]
    """The share of pairs of runs that differ by at least that much."""
    curves: list[FreshCurve]


@dataclass(frozen=True)
class PairShare:
    """The number of pairs of runs, and the share that differ by at least the smallest reliable difference."""

    pairs: int
    share: Annotated[float, Why(_no_share)]


@dataclass(frozen=True)
class Teams:
    """Sensitivity between runs of different teams and between runs of the same team."""

    between: PairShare
    within: PairShare


@dataclass(frozen=True, kw_only=True, repr=False)
class Swap(StudyResult):
    """The result of `swap`."""

    way: Annotated[str | None, Why("scores have no labels")]
    measures: list[str]
    runs: list[str]
    units: int
    unit: str
    """What is counted: units, or clusters of them."""
    members: Annotated[int | None, Why("units are not clustered")]
    """The number of units in the clusters."""
    sizes: list[int]
    trials: int
    comparisons: int
    error: float
    largest_difference: float
    """The largest difference between two of the runs, with all units."""
    fresh: Fresh
    procedure: Procedure
    teams: Annotated[Teams | None, Why("no --team was given, so teams are unknown")]
    graded: bool
    """Whether there are scores other than 0 and 1."""
    zero_median_units: int
    unscored_units: int
    left_out: list[LeftOut]
    """The runs that do not count, and why."""

    RECORDS: ClassVar[Records] = Records(
        "method, low, high, size, error, comparisons",
        RowsAt(
            "procedure.curves.*",
            RowsAt("points.*", method="=procedure"),
            RowsAt("fit", method="=fit", size="units", error="error_at_full", comparisons=""),
        ),
        RowsAt("fresh.curves.*.rates.*", method="=fresh"),
    )
    METHOD: ClassVar[str] = (
        "How often a fresh test set would reverse two runs is estimated from the differences between runs, allowing "
        "for chance; a difference is called reliable if the upper end of the interval of that rate is small enough, "
        "whichever run is left out. Runs that give the same answer to every pair are not counted. For comparison, the "
        "published swap procedure draws disjoint sets of units "
        "repeatedly, counts reversals by the difference on the first set, and extrapolates to the whole set by an "
        "exponential curve."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Voorhees & Buckley 2002", "Cronbach 1951; Feldt 1965; Box 1954")

    @property
    def right_or_wrong(self) -> bool:
        """Also of scores that are."""
        return super().right_or_wrong or not self.graded

    @property
    def one_pair(self) -> bool:
        """Whether there are only two runs, whose observed difference the published procedure would take for true."""
        return len(self.runs) == 2

    @property
    def all_units(self) -> str:
        """The number of units, as in "30 clusters (120 units)"."""
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
        least, largest = (in_points(self.measures[0], one) for one in (needed, self.largest_difference))
        return f"that would take a difference of {least}, and the largest is {largest}"

    def between(self, curve: Curve | FreshCurve) -> str:
        """The differences of a bin in words, in points if people give the measure in per cent."""
        low, high = (f"{rounded((100 if self.in_points else 1) * end):g}" for end in (curve.low, curve.high))
        return f"{low}–{high}"

    def make_sheets(self) -> list[Sheet]:
        """The smallest reliable difference, and the error rates with all units by difference."""
        return [self._answer(), *([self._rates()] if self.fresh.curves else [])]

    def _rates(self) -> Sheet:
        """One row per bin: its error rates by fresh samples and by the procedure."""
        fitted = {curve.low: curve for curve in self.procedure.curves}
        shown: list[FreshCurve] = []
        fits: list[Curve] = []
        for curve in self.fresh.curves:
            shown.append(curve)
            fits.append(fitted.get(curve.low) or Curve(curve.low, curve.high, [], None, None))
            small = not curve.at_most > SMALL_ERROR and not fits[-1].error_at_full > SMALL_ERROR
            if len(shown) == MOST_ROWS_SHOWN or (len(shown) > 5 and small):
                break
        title = f"Error rate with all {self.all_units}, by difference"
        beside = self.sheet(title, fits, "comparisons error_at_full at_most reliable_size")
        note = "absolute difference on the first set"
        bins = Field("difference", self.between, note=note, unit=self.in_points)
        rates = self.sheet(
            title, shown, bins, "error_at_full at_most reliable_size", *(() if self.one_pair else beside.columns)
        )
        return replace(rates, notes=tuple(Note.of(f"{one.heading}: {one.note}", one.name) for one in rates.columns))

    def _answer(self) -> Sheet:
        fresh, procedure = self.fresh, self.procedure
        rows: list[tuple[Cell | Fresh | Procedure, ...]] = [
            ("fresh samples", fresh.needed.value, ends(fresh.needed.interval), f"runs and {self.unit}s", fresh),
            (
                "published procedure",
                procedure.smallest_reliable_difference,
                ends(procedure.interval_over_trials),
                "trials",
                procedure,
            ),
        ]
        published = (
            "The published procedure (trials on parts of this set, extrapolated) makes no allowance for chance "
            f"in the differences observed on these {self.unit}s: rely on the first row."
        )
        return self.sheet(
            f"{len(self.runs):,} runs, {self.all_units}, {len(self.sizes):,} sizes × {self.trials:,} trials: "
            f"{self.comparisons:,} comparisons",
            rows[:1] if self.one_pair else rows,
            Field("by", "0"),
            Field("estimate", "1", note=f"difference with an error of {self.error:.0%}", unit=self.in_points),
            Field(f"{self.percent} CI", "2"),
            Field("CI over", "3"),
            "4.smallest_reliable_difference 4.sensitivity",
            notes=[
                "Fresh samples: a difference is reliable if it is at least the upper end of the interval, whichever "
                "run is left out. So the smallest reliable difference may be larger than the upper end with all runs, "
                f"or larger than any difference between these runs (–). {self._reliability()} The rate is one over all "
                "such pairs of runs: tests of single pairs, corrected for their number, can find larger differences "
                "not significant.",
                *[published] * (not self.one_pair),
            ],
        )

    def _reliability(self) -> str:
        share = self.fresh.reliability
        if self.never_differ:
            return f"{NEVER_DIFFER.capitalize()}."
        value, low, high = (f"{one:.0%}" for one in (share.value, share.low, share.high))
        interval = f" ({low} to {high})" if low != high else ""
        return f"Not due to chance: {value} of the variance between runs{interval}."
