"""Error rates drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable

from karat.data.charts import Chart, Lines
from karat.studies.base import figure
from karat.studies.swap.result import Curve, Fit, Point, Swap

LINES = 4
"""So many bins are drawn."""
POINTS, CURVE = 16, 41
"""So many points of a bin at most, and of its fitted curve."""
NAN = float("nan")
ERROR = "error rate"


@figure("error-by-size", study="swap")
def by_size(result: Swap) -> Iterable[Chart]:
    """How often a second set of the same size orders two runs the other way, by the difference on the first.

    Points are what the procedure found on two parts of the test set, fitted what their exponential curve foretells for
    larger sets, up to all units. Fresh is the same for two new samples, with nothing extrapolated: trust that where
    they part. Where a line is below the rule, a difference of that size is reliable.
    """
    fresh_of = {(curve.low, curve.high): curve.fresh for curve in result.analytic.curves}
    series: dict[str, list[float]] = {}
    x: dict[str, list[float]] = {}
    points, like = [], {}
    for curve in _chosen(result):
        name = f"{curve.low:g}–{curve.high:g}"
        kept = _thinned(curve.points)
        points.append(name)
        x[name], series[name] = [point.size for point in kept], [point.error for point in kept]
        if curve.fit:
            like[f"{name} fitted"] = name
            x[f"{name} fitted"] = _sizes(result)
            series[f"{name} fitted"] = [_foretold(curve.fit, size) for size in _sizes(result)]
        if fresh := fresh_of.get((curve.low, curve.high)):
            like[f"{name} fresh"] = name
            x[f"{name} fresh"], series[f"{name} fresh"] = [one.size for one in fresh], [one.error for one in fresh]
    if points:
        yield Lines(
            title="Error rate by size",
            series=series,
            x=x,
            axes=(f"{result.unit}s in each set", ERROR),
            high=0.5,
            scattered=tuple(points),
            like=like,
            rule=result.error,
        )


@figure("error-by-difference", study="swap")
def by_difference(result: Swap) -> Iterable[Chart]:
    """The error rate with all units, by difference: as the fitted curves foretell it, and for fresh samples.

    Where the line of fresh samples falls below the rule and stays there, the smallest reliable difference begins.
    """
    by_fit = _by_bin([(one.low, one.high, one.fit.error_at_full if one.fit else NAN) for one in result.curves])
    fresh = _by_bin([(one.low, one.high, one.error_at_full) for one in result.analytic.curves])
    yield Lines(
        title=f"Error rate with all {result.all_units}",
        series={"fit": [error for _, error in by_fit], "fresh": [error for _, error in fresh]},
        x={"fit": [at for at, _ in by_fit], "fresh": [at for at, _ in fresh]},
        axes=("difference", ERROR),
        high=0.5,
        rule=result.error,
    )


def _chosen(result: Swap) -> list[Curve]:
    """Bins to draw: some below and up to the smallest reliable difference, where they have enough points."""
    drawn = [curve for curve in result.curves if curve.fit and len(curve.points) > 2]
    last = result.analytic.smallest_reliable_difference
    near = [curve for curve in drawn if not curve.low > last + 1e-9] or drawn
    step = max(1, (len(near) - 1) // (LINES - 1))
    return near[::-1][::step][:LINES][::-1]


def _thinned(points: list[Point]) -> list[Point]:
    """So many points of a bin as can be seen apart, the first and the last among them."""
    places = {round(place * (len(points) - 1) / (POINTS - 1)) for place in range(POINTS)}
    return [points[place] for place in sorted(places)]


def _sizes(result: Swap) -> list[float]:
    """Where a fitted curve is worked out: from the smallest set to all units."""
    first, last = result.sizes[0], result.units
    return [first + (last - first) * place / (CURVE - 1) for place in range(CURVE)]


def _foretold(fit: Fit, size: float) -> float:
    """The fitted error at a size: none at any, where none was seen."""
    return fit.a * math.exp(-fit.b * size) if fit.a else 0.0


def _by_bin(bins: list[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """The middle of each bin and its error; NaN between two bins that are not neighbours."""
    made: list[tuple[float, float]] = []
    before = None
    for low, high, error in bins:
        if before is not None and low > before + 1e-9:
            made.append(((before + low) / 2, NAN))
        made.append(((low + high) / 2, error))
        before = high
    return made
