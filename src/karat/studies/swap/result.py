"""What `swap` returns, and how it shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from karat.data.result import Cell, Column, Field, Sheet
from karat.data.undefined import Steps, Why, reached
from karat.statistics.decay import POINTS
from karat.studies.base import StudyResult
from karat.studies.words import counted, counted_units

NAN = float("nan")
ROWS = 30
"""Rows of the table at most; JSON and CSV have everything."""
NO_FIT = (
    f"fewer than {POINTS} sizes, or too few in the upper half of them, have enough comparisons of such a difference"
)
NO_ERROR = "no error was seen at any size, so a is 0 and no rate of decay follows"
NO_FALL = "the error is not small enough at any size looked at"
NOT_RELIABLE = "no difference that was seen has a small enough error, and all larger ones too"
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
class Rate:
    """An error rate that was worked out and not drawn."""

    size: int
    error: float


@dataclass(frozen=True)
class AnalyticCurve:
    """Error rates from means and variances alone; the interval is over runs and units."""

    low: float
    high: float
    fresh: list[Rate]
    finite: list[Rate]
    error_at_full: float
    interval: tuple[float, float]
    reliable_size: int | None


@dataclass(frozen=True)
class Analytic:
    """The swap method for a fresh sample of units, valid at the full size without extrapolation.

    The interval of the smallest reliable difference is over runs and units.
    """

    curves: list[AnalyticCurve]
    smallest_reliable_difference: float
    interval: tuple[float, float]
    sensitivity: float


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
    fit = reached(result, steps[:3])
    return NO_ERROR if fit.b != fit.b else ONE_TRIAL


def _no_interval(result: Swap, _: Steps) -> str:
    if result.smallest_reliable_difference != result.smallest_reliable_difference:
        return NOT_RELIABLE
    return ONE_TRIAL if result.trials == 1 else NONE_DRAWN


def _no_analytic_interval(result: Swap, _: Steps) -> str:
    least = result.analytic.smallest_reliable_difference
    return NOT_RELIABLE if least != least else NONE_DRAWN


def _no_share(result: Swap, steps: Steps) -> str:
    return NOT_RELIABLE if reached(result, steps[:-1]).pairs else "there is no such pair of runs"


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
    curves: list[Curve]
    tied: list[Tied]
    smallest_reliable_difference: float
    interval_over_trials: tuple[float, float]
    """Of the smallest reliable difference: holds what infinitely many trials on these runs and units would give."""
    sensitivity: float
    teams: Teams | None
    analytic: Analytic
    zero_median_units: int
    unscored_units: int

    METHOD: ClassVar[str] = (
        "Two sets of units that do not overlap are drawn again and again; where they order two runs otherwise, that is "
        "an error, counted by the difference on the first set. An exponential through the rates foretells them for the "
        "whole set; fresh is the rate for two new samples, from means and variances, with nothing extrapolated."
    )
    SOURCES: ClassVar[tuple[str, ...]] = ("Voorhees & Buckley 2002",)
    WHY: ClassVar[Why] = {
        "way": "scores have no labels",
        "members": "every unit stands alone",
        "curves/*/points/*/interval/*": ONE_TRIAL,
        "curves/*/fit": NO_FIT,
        "curves/*/fit/**": _no_fit_interval,
        "curves/*/reliable_size": lambda it, steps: NO_FALL if it.curves[steps[1]].fit else NO_FIT,
        "smallest_reliable_difference": NOT_RELIABLE,
        "interval_over_trials/*": _no_interval,
        "sensitivity": NOT_RELIABLE,
        "teams": "no --team was given to tell teams by",
        "teams/*/share": _no_share,
        "analytic/curves/*/fresh/**": "hardly any pair of runs shows such a difference on so many units",
        "analytic/curves/*/interval/*": "no resample of runs and units has such a difference",
        "analytic/curves/*/reliable_size": NO_FALL,
        "analytic/interval/*": _no_analytic_interval,
        "analytic/*": NOT_RELIABLE,
    }

    @property
    def all_units(self) -> str:
        """30 clusters (120 units)."""
        return counted_units(self.units, self.unit, self.members)

    def sheets(self) -> list[Sheet]:
        """The answer, then the error rates by difference at the full size."""
        fitted = {curve.low: place for place, curve in enumerate(self.curves)}
        rows: list[list[Placed]] = []
        for number, curve in enumerate(self.analytic.curves):
            at = f"/analytic/curves/{number}"
            rows.append(
                [
                    (f"{curve.low:g}–{curve.high:g}", ""),
                    *self._by_fit(fitted.get(curve.low)),
                    (curve.error_at_full, f"{at}/error_at_full"),
                    (curve.interval[1], f"{at}/interval/1"),
                    (_size(curve.reliable_size), f"{at}/reliable_size"),
                ]
            )
            small = all(isinstance(error, float) and not error > 0.002 for error in (rows[-1][2][0], rows[-1][5][0]))
            if len(rows) == ROWS or (len(rows) > 5 and small):
                break
        names = (
            ("difference", None, "absolute difference on the first set"),
            ("comparisons", None, "pairs of runs in it, over all sizes and trials"),
            ("error, fit", 4, f"a·e^(−b·size) through the procedure's rates, extrapolated to {self.all_units}"),
            ("fit, at most", 4, "upper end of its interval over trials"),
            (f"{self.unit}s, fit", 0, f"size at which the fit is at most {self.error:g}"),
            ("error, fresh", 4, f"for two fresh samples of {counted(self.units, self.unit)}, from means and variances"),
            ("fresh, at most", 4, f"upper end of its interval over runs and {self.unit}s"),
            (f"{self.unit}s, fresh", 0, f"size at which that is at most {self.error:g}"),
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
        curve, at = self.curves[place], f"/curves/{place}"
        ends: list[Placed] = [(NAN, f"{at}/fit")] * 2
        if curve.fit:
            ends = [(curve.fit.error_at_full, ""), (curve.fit.interval[1], f"{at}/fit/interval/1")]
        compared = sum(point.comparisons for point in curve.points)
        return [(compared, ""), *ends, (_size(curve.reliable_size), f"{at}/reliable_size")]

    def _answer(self) -> Sheet:
        analytic = self.analytic
        by_fit, least = "/interval_over_trials", "/smallest_reliable_difference"
        leasts = [self.smallest_reliable_difference, analytic.smallest_reliable_difference]
        told = f"error at most {self.error:g} for it and for all larger ones"
        ends = [
            Column(name, [self.interval_over_trials[end], analytic.interval[end]], 3,
                   at=[f"{by_fit}/{end}", f"/analytic/interval/{end}"])
            for end, name in enumerate(("from", "to"))
        ]  # fmt: skip
        shares, at = [self.sensitivity, analytic.sensitivity], ("/sensitivity", "/analytic/sensitivity")
        return Sheet(
            f"{len(self.runs)} runs, {self.all_units}, {len(self.sizes)} sizes × {self.trials} trials: "
            f"{self.comparisons:,} comparisons",
            (
                Column("by", ["procedure and fit", "fresh samples"]),
                Column("smallest reliable difference", leasts, 3, told, (least, f"/analytic{least}")),
                *ends,
                Column("interval over", ["trials", f"runs and {self.unit}s"]),
                Column("sensitivity", shares, 3, "share of pairs of runs that far", at),
            ),
            (
                "Parts of one test set are not independent, and the fit is hopeful in its tail: trust the second line.",
                f"The first interval holds what infinitely many trials on these runs and {self.unit}s would give; only "
                f"the second looks to other runs and {self.unit}s.",
            ),
        )

    def records(self) -> Sheet:
        """Every rate, one a row."""
        rows = list(self._records())
        names = ("method", "low", "high", "size", "error", "comparisons")
        return Sheet.of("swap", rows, *(Field(name, str(at)) for at, name in enumerate(names)))

    def _records(self) -> Iterator[tuple[Cell, ...]]:
        for curve in self.curves:
            for point in curve.points:
                yield "procedure", curve.low, curve.high, point.size, point.error, point.comparisons
            if curve.fit:
                yield "fit", curve.low, curve.high, self.units, curve.fit.error_at_full, None
        for one in self.analytic.curves:
            for method, rates in (("fresh", one.fresh), ("finite", one.finite)):
                for rate in rates:
                    yield method, one.low, one.high, rate.size, rate.error, None


def _size(size: int | None) -> float:
    return NAN if size is None else float(size)
