"""Scales: round numbers to mark an axis at, and the part of it that a chart needs."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10

from karat.data.result import Chart

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
    """The round numbers between two others, and how they are written; `whole` where nothing between them exists."""
    step = step_of(low, high, whole=whole)
    first, last = ceil(low / step - ROUNDING), floor(high / step + ROUNDING)
    digits = max(0, -floor(log10(step) + ROUNDING))
    return [(place * step, f"{place * step:,.{digits}f}") for place in range(first, last + 1)]


def rounded(low: float, high: float) -> tuple[float, float]:
    """The round numbers just outside two others."""
    step = step_of(low, high)
    ends = floor(low / step + ROUNDING) * step, ceil(high / step - ROUNDING) * step
    return float(f"{ends[0]:.12g}"), float(f"{ends[1]:.12g}")


def dot_range(chart: Chart) -> tuple[float, float]:
    """From where to where dots are drawn: the chart's own scale, or the part of it that they take up."""
    known = [value for values in chart.series.values() for value in values if isfinite(value)]
    span = max(known) - min(known) if known else 0.0
    if not 0 < span <= NARROW * (chart.high - chart.low):
        return chart.low, chart.high
    low, high = rounded(min(known), max(known))
    return max(low, min(chart.low, min(known))), min(high, max(chart.high, max(known)))


def fitted(chart: Chart) -> str:
    """What has to be said beside an axis that is not the chart's own; nothing where it is."""
    low, high = dot_range(chart)
    if (low, high) == (chart.low, chart.high):
        return ""
    return f"axis from {low:g} to {high:g}, a part of {chart.low:g} to {chart.high:g}"


def written(value: float) -> str:
    """A number at the end of an axis: whole where it is whole, and not too long to be read."""
    return f"{value:,.0f}" if abs(value) < LONG and value == round(value) else f"{value:,.4g}"
