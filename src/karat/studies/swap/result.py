"""What `swap` returns, and how it shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from karat.arrays import NAN
from karat.data.result import Cell, Column, Estimate, Field, Sheet
from karat.data.undefined import Steps, Why, reached
from karat.statistics.decay import POINTS
from karat.studies.base import StudyResult
from karat.studies.wording import counted, counted_units

ROWS = 30
"""Rows of the table at most; JSON and CSV have everything."""
NO_FIT = (
    f"fewer than {POINTS} sizes, or too few in the upper half of them, have enough comparisons of such a difference"
)
NO_ERROR = "no error was seen at any size, so a is 0 and no rate of decay follows"
NO_FALL = "the fitted error does not fall with size"
NOT_RELIABLE = "no bin has a fitted error that is small enough there and in all larger bins"
NEVER_DIFFER = "the runs never differ"
ALL_CHANCE = "the runs may differ by chance alone"
WITHOUT_ONE = "without some one of the runs the differences between the others would not be large enough"
ONE_TRIAL = "one trial shows no variation between trials"
Placed = tuple[Cell, str]
"""A cell, and where in the result it stands."""
NONE_DRAWN = "in too many resamples no difference is reliable at all: the interval is open above"


@dataclass(frozen=True)
class Point:
    """The error rate of one bin at one size, and its interval over trials on these units."""

    size: int
    error: float
    comparisons: int
    interval: tuple[float, float]


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
    fit: Fit | None
    reliable_size: int | None
    """The size from which on the fitted error is small enough."""


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
    sensitivity: float
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
    error_at_full: float
    interval: tuple[float, float]
    reliable_size: int | None
    """The size from which on the upper end of the interval is small enough."""


@dataclass(frozen=True)
class Fresh:
    """How often a fresh test set of as many units reverses two runs, observed differences being shrunk towards 0.

    A difference is called reliable only where the upper end of its error rate's interval is small enough.
    """

    reliability: Estimate
    """The share of what sets the observed means of runs apart that is not chance; 0 where chance explains it all."""
    needed: Estimate
    """The difference from which on the error is small enough."""
    smallest_reliable_difference: float
    """The upper end of that, with every run and with any one of them left out, where two of the runs differ by so
    much. Where the others may differ by chance alone without some run, it is a difference that only that run shows."""
    sensitivity: float
    """The share of pairs of runs that differ by at least that."""
    curves: list[FreshCurve]


@dataclass(frozen=True)
class PairShare:
    """Of so many pairs of runs, the share that differs by at least the smallest reliable difference."""

    pairs: int
    share: float


@dataclass(frozen=True)
class Teams:
    """Sensitivity among runs of different teams and among runs of one team."""

    between: PairShare
    within: PairShare


def _no_fit_interval(result: Swap, steps: Steps) -> str:
    fit = reached(result, steps[:4])
    return NO_ERROR if fit.b != fit.b else ONE_TRIAL


def _no_interval(result: Swap, _: Steps) -> str:
    if result.procedure.smallest_reliable_difference != result.procedure.smallest_reliable_difference:
        return NOT_RELIABLE
    return ONE_TRIAL if result.trials == 1 else NONE_DRAWN


def _no_share(result: Swap, steps: Steps) -> str:
    return result.why_unreliable if reached(result, steps[:-1]).pairs else "there is no such pair of runs"


@dataclass(frozen=True, kw_only=True)
class Swap(StudyResult):
    """What `swap` returns."""

    way: str | None
    measures: list[str]
    runs: list[str]
    units: int
    unit: str
    """What the units are: units, or clusters of them."""
    members: int | None
    """Where they are clusters: how many units those hold."""
    sizes: list[int]
    trials: int
    comparisons: int
    error: float
    largest_difference: float
    """Between two of the runs, with all units."""
    fresh: Fresh
    procedure: Procedure
    teams: Teams | None
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
    WHY: ClassVar[Why] = {
        "way": "scores have no labels",
        "members": "every unit stands alone",
        "fresh/reliability/*": NEVER_DIFFER,
        "fresh/curves/*/reliable_size": ALL_CHANCE,
        "fresh/needed/*": lambda it, _: NEVER_DIFFER if it.never_differ else ALL_CHANCE,
        "fresh/*": lambda it, _: it.why_unreliable,
        "procedure/curves/*/points/*/interval/*": ONE_TRIAL,
        "procedure/curves/*/fit": NO_FIT,
        "procedure/curves/*/fit/**": _no_fit_interval,
        "procedure/curves/*/reliable_size": lambda it, steps: NO_FALL if it.procedure.curves[steps[2]].fit else NO_FIT,
        "procedure/interval_over_trials/*": _no_interval,
        "procedure/*": NOT_RELIABLE,
        "teams": "no --team was given to tell teams by",
        "teams/*/share": _no_share,
    }

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
        fitted = {curve.low: place for place, curve in enumerate(self.procedure.curves)}
        rows: list[list[Placed]] = []
        for number, curve in enumerate(self.fresh.curves):
            rows.append(
                [
                    (f"{curve.low:g}–{curve.high:g}", ""),
                    (curve.error_at_full, ""),
                    (curve.interval[1], ""),
                    (_size(curve.reliable_size), f"/fresh/curves/{number}/reliable_size"),
                    *self._by_fit(fitted.get(curve.low)),
                ]
            )
            small = all(isinstance(error, float) and not error > 0.002 for error in (rows[-1][2][0], rows[-1][5][0]))
            if len(rows) == ROWS or (len(rows) > 5 and small):
                break
        names = (
            ("difference", None, "absolute difference on the first set"),
            (
                "error, fresh",
                4,
                f"how often a fresh set of {counted(self.units, self.unit)} reverses two such runs",
            ),
            ("fresh, at most", 4, f"upper end of its interval over runs and {self.unit}s"),
            (f"{self.unit}s, fresh", 0, f"size at which that upper end is at most {self.error:g}"),
            ("comparisons", None, "pairs of runs in the procedure, over all sizes and trials"),
            ("error, fit", 4, f"a·e^(−b·size) through the procedure's rates, extrapolated to {self.all_units}"),
            ("fit, at most", 4, "upper end of its interval over trials"),
            (f"{self.unit}s, fit", 0, f"size at which the fit is at most {self.error:g}"),
        )
        columns = [
            Column(name, [row[at][0] for row in rows], digits, note, [row[at][1] for row in rows])
            for at, (name, digits, note) in enumerate(names)
        ]
        notes = tuple(f"{name}: {note}" for name, _, note in names)
        return [self._answer(), Sheet(f"Error rate with all {self.all_units}, by difference", tuple(columns), notes)]

    def _by_fit(self, place: int | None) -> list[Placed]:
        """What the procedure says of one bin: comparisons, error, its upper end, and the size needed."""
        if place is None:
            return [(0, ""), (NAN, ""), (NAN, ""), (NAN, "")]
        curve, at = self.procedure.curves[place], f"/procedure/curves/{place}"
        ends: list[Placed] = [(NAN, f"{at}/fit")] * 2
        if curve.fit:
            ends = [(curve.fit.error_at_full, ""), (curve.fit.interval[1], f"{at}/fit/interval/1")]
        compared = sum(point.comparisons for point in curve.points)
        return [(compared, ""), *ends, (_size(curve.reliable_size), f"{at}/reliable_size")]

    def _answer(self) -> Sheet:
        fresh, procedure = self.fresh, self.procedure
        ends = (fresh.needed.low, fresh.needed.high), procedure.interval_over_trials
        least, share = "smallest_reliable_difference", "sensitivity"
        leasts = [fresh.smallest_reliable_difference, procedure.smallest_reliable_difference]
        shares = [fresh.sensitivity, procedure.sensitivity]
        from_to = [
            Column(name, [row[at] for row in ends], 3,
                   at=[f"/fresh/needed/{end}", f"/procedure/interval_over_trials/{at}"])
            for at, (name, end) in enumerate((("from", "low"), ("to", "high")))
        ]  # fmt: skip
        told = f"error at most {self.error:g} for it and for all larger ones"
        return Sheet(
            f"{len(self.runs)} runs, {self.all_units}, {len(self.sizes)} sizes × {self.trials} trials: "
            f"{self.comparisons:,} comparisons",
            (
                Column("by", ["fresh samples", "published procedure"]),
                Column("smallest reliable difference", leasts, 3, told, (f"/fresh/{least}", f"/procedure/{least}")),
                *from_to,
                Column("interval over", [f"runs and {self.unit}s", "trials"]),
                Column(share, shares, 3, "share of pairs of runs that far", (f"/fresh/{share}", f"/procedure/{share}")),
            ),
            (
                "Fresh samples: reliable are differences from the upper end of the interval on, or from where it lies "
                f"with any one run left out, if any two runs differ by so much. {self._reliability()}",
                f"The published procedure (trials on parts of this set, extrapolated) makes no allowance for chance in "
                f"what these {self.unit}s show, which is optimistic for close runs: rely on the first row.",
            ),
        )

    def _reliability(self) -> str:
        share = self.fresh.reliability
        if self.never_differ:
            return f"Here {NEVER_DIFFER}."
        return f"{share.value:.0%} of the variation between runs is not chance ({share.low:.0%} to {share.high:.0%})."

    def records(self) -> Sheet:
        """Every rate, one a row."""
        rows = list(self._records())
        names = ("method", "low", "high", "size", "error", "comparisons")
        return Sheet.of("swap", rows, *(Field(name, str(at)) for at, name in enumerate(names)))

    def _records(self) -> Iterator[tuple[Cell, ...]]:
        for curve in self.procedure.curves:
            for point in curve.points:
                yield "procedure", curve.low, curve.high, point.size, point.error, point.comparisons
            if curve.fit:
                yield "fit", curve.low, curve.high, self.units, curve.fit.error_at_full, None
        for one in self.fresh.curves:
            for rate in one.rates:
                yield "fresh", one.low, one.high, rate.size, rate.error, None


def _size(size: int | None) -> float:
    return NAN if size is None else float(size)
