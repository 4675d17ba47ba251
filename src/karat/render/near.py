"""Which rows decide on the scale of a picture: all but a few far below, which would squeeze all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite

from karat.arrays import NAN
from karat.data.charts import Dots, Interval, Series

ONE_IN, FAR = 4, 2
"""Up to one in so many rows is out of sight if it would make the scale more than so many times as wide."""


def near(rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The lowest and the highest of the values in some rows, without a few rows that are far below."""
    known = [one for row in rows if (one := [value for value in row if isfinite(value)])] or [[0.0, 1.0]]
    high, lows = max(map(max, known)), sorted(map(min, known))
    # Those that are left out are further from the others than all of these from each other.
    gaps = list(pairwise(lows))[: len(lows) // ONE_IN]
    return next((low for far, low in gaps if high - far > FAR * (high - low) > 0), lows[0]), high


def in_sight(chart: Dots) -> Dots:
    """The chart without the values in rows that are far below all others on its scale."""
    if chart.low is None or (chart.high is not None and chart.high < chart.low):
        return chart  # differences, which may be far on either side, and ranks
    ends: Sequence[Sequence[float]] = chart.intervals or [()] * len(chart.labels)
    rows = [[*(one.values[row] for one in chart.series), *ends[row]] for row in range(len(chart.labels))]
    low, _ = near(rows)
    seen = [any(value >= low for value in row) for row in rows]

    def kept(one: Series) -> Series:
        return Series(one.name, [value if sees else NAN for value, sees in zip(one.values, seen, strict=True)])

    intervals = (one if sees else Interval(NAN, NAN) for one, sees in zip(chart.intervals, seen, strict=False))
    return replace(chart, series=tuple(map(kept, chart.series)), intervals=tuple(intervals))
