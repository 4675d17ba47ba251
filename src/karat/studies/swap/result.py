"""What `swap` returns, and how it shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from karat.data.result import Cell, Chart, Column, Sheet
from karat.studies.base import StudyResult

NAN = float("nan")
ROWS, LINES = 30, 4
"""Rows of the table and lines of a chart at most; JSON and CSV have everything."""


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
    """The swap method for a fresh sample of units, valid at the full size without extrapolation."""

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


@dataclass(frozen=True, kw_only=True)
class Swap(StudyResult):
    """What `swap` returns."""

    way: str | None
    measures: list[str]
    runs: list[str]
    units: int
    sizes: list[int]
    trials: int
    comparisons: int
    error: float
    curves: list[Curve]
    tied: list[Tied]
    smallest_reliable_difference: float
    sensitivity: float
    teams: Teams | None
    analytic: Analytic
    zero_median_units: int
    unscored_units: int

    def sheets(self) -> list[Sheet]:
        """The answer, then the error rates by difference at the full size."""
        fitted = {curve.low: curve for curve in self.curves}
        rows = []
        for curve in self.analytic.curves:
            by_fit = fitted.get(curve.low)
            fit = by_fit.fit if by_fit else None
            rows.append(
                (
                    f"{curve.low:g}–{curve.high:g}",
                    sum(point.comparisons for point in by_fit.points) if by_fit else 0,
                    fit.error_at_full if fit else NAN,
                    fit.interval[1] if fit else NAN,
                    _size(by_fit.reliable_size if by_fit else None),
                    curve.error_at_full,
                    curve.interval[1],
                    _size(curve.reliable_size),
                )
            )
            if len(rows) == ROWS or (len(rows) > 5 and not max(rows[-1][2], rows[-1][5]) > 0.002):
                break
        names = (
            ("difference", None, "absolute difference on the first set"),
            ("comparisons", None, "pairs of runs in it, over all sizes and trials"),
            ("error, fit", 4, f"a·e^(−b·size) through the procedure's rates, extrapolated to {self.units} units"),
            ("at most", 4, "upper end of the interval over trials"),
            ("units, fit", 0, f"size at which the fit is at most {self.error:g}"),
            ("error, fresh", 4, f"for two fresh samples of {self.units} units, from means and variances"),
            ("at most ", 4, "upper end of the interval over runs and units"),
            ("units, fresh", 0, f"size at which that is at most {self.error:g}"),
        )
        columns = [
            Column(name, values, digits, note)
            for (name, digits, note), values in zip(names, zip(*rows, strict=True), strict=True)
        ]
        return [self._answer(), Sheet(f"Error rate with all {self.units} units, by difference", tuple(columns))]

    def _answer(self) -> Sheet:
        analytic = self.analytic
        return Sheet(
            f"{len(self.runs)} runs, {self.units} units, {len(self.sizes)} sizes × {self.trials} trials: "
            f"{self.comparisons:,} comparisons",
            (
                Column("by", ["procedure and fit", "fresh samples"]),
                Column(
                    "smallest reliable difference",
                    [self.smallest_reliable_difference, analytic.smallest_reliable_difference],
                    3,
                    f"error at most {self.error:g} for it and for all larger ones",
                ),
                Column("from", [None, analytic.interval[0]], 3),
                Column("to", [None, analytic.interval[1]], 3),
                Column("sensitivity", [self.sensitivity, analytic.sensitivity], 3, "share of pairs of runs that far"),
            ),
            ("Parts of one test set are not independent, and the fit is hopeful in its tail: trust the second line.",),
        )

    def records(self) -> Sheet:
        """Every rate, one a row."""
        rows = list(self._records())
        names = ("method", "low", "high", "size", "error", "comparisons")
        return Sheet("swap", tuple(Column(name, [row[i] for row in rows]) for i, name in enumerate(names)))

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

    def charts(self) -> list[Chart]:
        """Error by size for a few differences, and by difference at the full size."""
        chosen = self._chosen()
        series = {f"{curve.low:g}–{curve.high:g}": [point.error for point in curve.points] for curve in chosen}
        at = {f"{curve.low:g}–{curve.high:g}": [point.size for point in curve.points] for curve in chosen}
        full = {"fit": [], "fresh": []}  # type: dict[str, list[float]]
        places = {"fit": [], "fresh": []}  # type: dict[str, list[float]]
        for curve in self.curves:
            if curve.fit:
                full["fit"].append(curve.fit.error_at_full)
                places["fit"].append((curve.low + curve.high) / 2)
        for one in self.analytic.curves:
            full["fresh"].append(one.error_at_full)
            places["fresh"].append((one.low + one.high) / 2)
        axes = "error rate"
        return [
            Chart("lines", "Error rate by size", (), series, 0, 0.5, at, ("units in each set", axes), rule=self.error),
            Chart(
                "lines",
                f"Error rate with all {self.units} units",
                (),
                full,
                0,
                0.5,
                places,
                ("difference", axes),
                rule=self.error,
            ),
        ]

    def _chosen(self) -> list[Curve]:
        """Bins to draw: some below and up to the smallest reliable difference, where they have enough points."""
        drawn = [curve for curve in self.curves if curve.fit and len(curve.points) > 2]
        last = self.analytic.smallest_reliable_difference
        near = [curve for curve in drawn if not curve.low > last + 1e-9] or drawn
        step = max(1, (len(near) - 1) // (LINES - 1))
        return near[::-1][::step][:LINES][::-1]

    def reasons_shown(self) -> list[str]:
        """Why cells of the sheets are undefined, if any are."""
        dashes = any(value != value for sheet in self.sheets() for column in sheet.columns for value in column.values)
        told = [one.reason for one in self.undefined if not one.path.startswith("/teams")]
        return list(dict.fromkeys(told)) if dashes else []


def _size(size: int | None) -> float:
    return NAN if size is None else float(size)
