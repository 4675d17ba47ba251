"""Scales: round numbers to mark an axis at, and the part of it that a chart needs."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, isfinite, log10

from karat.data.charts import Dots

TICKS = 5
NARROW = 0.5
"""Dots that take up at most this share of their scale are drawn on the part they need, else they fall on one spot."""
ROUNDING = 1e-9
LONG = 1e9
"""Whole numbers from here on are written with their power of ten."""


def step_of(low: float, high: float, most: int = TICKS, whole: bool = False) -> float:
    """1, 2 or 5 times a power of ten, so that about `most` steps lead from low to high."""
    raw = (high - low) / most
    power = 10.0 ** floor(log10(raw))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= raw * (1 - ROUNDING))
    return max(step, 1.0) if whole else step


def ticks(low: float, high: float, whole: bool = False) -> list[tuple[float, str]]:
    """The round numbers between two others, and how they are written; `whole` where nothing between them exists.

    A scale of whole steps that ends at 1, as ranks do, is marked there too.
    """
    low, high = sorted((low, high))
    step = step_of(low, high, whole=whole)
    first, last = ceil(low / step - ROUNDING), floor(high / step + ROUNDING)
    digits = max(0, -floor(log10(step) + ROUNDING))
    marked = [(place * step, f"{place * step:,.{digits}f}") for place in range(first, last + 1)]
    return [(1.0, "1"), *marked] if low == 1 and step > 1 else marked


def rounded(low: float, high: float) -> tuple[float, float]:
    """The round numbers just outside two others."""
    step = step_of(low, high)
    ends = floor(low / step + ROUNDING) * step, ceil(high / step - ROUNDING) * step
    return float(f"{ends[0]:.12g}"), float(f"{ends[1]:.12g}")


def apart(low: float, high: float) -> tuple[float, float]:
    """Two ends that differ: what has one value only stands in the middle of its scale."""
    return (low, high) if low != high else (low - 0.5, high + 0.5)


def needed(values: Iterable[float], low: float, high: float) -> tuple[float, float]:
    """From where to where values are drawn: their own scale, or the part of it that they take up.

    Where low is the larger, the scale is turned round, and so is the part of it.
    """
    known = [value for value in values if isfinite(value)]
    span = max(known) - min(known) if known else 0.0
    least, most = sorted(apart(low, high))
    if 0 < span <= NARROW * (most - least):
        ends = rounded(min(known), max(known))
        least, most = max(ends[0], min(least, min(known))), min(ends[1], max(most, max(known)))
    return (most, least) if low > high else (least, most)


def dot_range(chart: Dots) -> tuple[float, float]:
    """From where to where dots are drawn; what they are read against is always in sight."""
    ruled = [] if chart.rule is None else [chart.rule]
    return needed((value for values in (*chart.series.values(), ruled) for value in values), chart.low, chart.high)


def fitted(chart: Dots) -> str:
    """What has to be said beside an axis that is not the chart's own; nothing where it is."""
    low, high = dot_range(chart)
    if (low, high) == apart(chart.low, chart.high):
        return ""
    return f"axis from {low:g} to {high:g}, a part of {chart.low:g} to {chart.high:g}"


def written(value: float) -> str:
    """A number at the end of an axis: whole where it is whole, and not too long to be read."""
    return f"{value:,.0f}" if abs(value) < LONG and value == round(value) else f"{value:,.4g}"
