"""Error rates drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable

from karat.arrays import NAN
from karat.data.charts import Chart, Figures, Line, Lines, Variant
from karat.studies.swap.result import Curve, Fit, Point, Swap

LINES = 4
"""So many bins are drawn."""
POINTS, CURVE = 16, 41
"""So many points of a bin at most, and of its fitted curve."""
ERROR = "error rate"


def error_by_size(result: Swap) -> Iterable[Chart]:
    """How often a second set of the same size orders two runs the other way, by the difference on the first.

    Points are what the published procedure found on two parts of the test set, fitted what their exponential curve
    predicts for larger sets, up to all units. Fresh is the best estimate for two new samples: it allows for chance in
    the differences of this test set, which the procedure does not, and extrapolates nothing.
    """
    fresh_of = {curve.low: curve.rates for curve in result.fresh.curves}
    lines = []
    for curve in _chosen(result):
        kept, variants = _thinned(curve.points), []
        if curve.fit:
            sizes = _sizes(result)
            variants.append(Variant(sizes, [_foretold(curve.fit, size) for size in sizes], "fitted"))
        if fresh := fresh_of.get(curve.low):
            variants.append(Variant([one.size for one in fresh], [one.error for one in fresh], "fresh"))
        sizes_and_errors = [point.size for point in kept], [point.error for point in kept]
        lines.append(Line(*sizes_and_errors, f"{curve.low:g}–{curve.high:g}", "marks", tuple(variants)))
    if lines:
        yield Lines(
            title="Error rate by size",
            note="a colour a range of differences on the first set",
            lines=tuple(lines),
            axes=(f"{result.unit}s in each set", ERROR),
            high=0.5,
            rule=result.error,
        )


def error_by_difference(result: Swap) -> Iterable[Chart]:
    """The error rate with all units, by difference: for fresh samples, and as the published procedure predicts it.

    A difference is reliable where "fresh, at most", the upper end of the interval, is below the rule.
    """
    curves = result.fresh.curves
    fits = [one for one in result.procedure.curves if curves and one.low <= curves[-1].low]
    lines = (
        ("fresh", [(one.low, one.high, one.error_at_full) for one in curves]),
        ("fresh, at most", [(one.low, one.high, one.interval[1]) for one in curves]),
        ("procedure", [(one.low, one.high, one.fit.error_at_full if one.fit else NAN) for one in fits]),
    )
    yield Lines(
        title=f"Error rate with all {result.all_units}",
        note=f"with all {result.all_units}",
        lines=tuple(
            Line([at for at, _ in made], [error for _, error in made], name)
            for name, made in ((name, _by_bin(bins)) for name, bins in lines)
        ),
        axes=("difference", ERROR),
        high=0.5,
        rule=result.error,
    )


def _chosen(result: Swap) -> list[Curve]:
    """Bins to draw: some below and up to the smallest reliable difference, where they have enough points."""
    drawn = [curve for curve in result.procedure.curves if curve.fit and len(curve.points) > 2]
    seen = {curve.low for curve in result.fresh.curves}
    last = result.fresh.smallest_reliable_difference
    near = [curve for curve in drawn if curve.low in seen and not curve.low > last + 1e-9] or drawn
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


FIGURES: Figures = (error_by_size, error_by_difference)
