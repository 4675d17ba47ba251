"""Watching assessors at work: has agreement a trend over days, and how typical is somebody's typical time?"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats

DRAWS = 9999
"""The permutations of the test of a trend."""
MOST_DRAWN = 4_000_000
"""The random numbers that are drawn for it at most; with more judgments, there are fewer permutations."""
FEWEST_DRAWS = 999


def trend(values: Floats, days: NDArray[np.integer], random: np.random.Generator) -> tuple[float, float]:
    """The slope of values over days, and the p-value of a two-sided permutation test that there is none.

    The order of units is drawn at random, so that without a trend every order of the values is equally likely.
    """
    moved, level = days - days.mean(), values - values.mean()
    spread = float((moved * moved).sum())
    if not spread or not level.any():
        return 0.0, 1.0
    found = float((moved * level).sum())
    draws = max(FEWEST_DRAWS, min(DRAWS, MOST_DRAWN // len(values)))
    extreme, rows = 0, max(1, MOST_DRAWN // 8 // len(values))
    for done in range(0, draws, rows):
        drawn = random.permuted(np.tile(moved, (min(rows, draws - done), 1)), axis=1)
        extreme += int((np.abs(drawn @ level) >= abs(found) - 1e-9).sum())
    return found / spread, (1 + extreme) / (1 + draws)


def median_interval(values: Floats, level: float = 0.95) -> tuple[float, float]:
    """Order statistics between which the median lies with at least this probability, whatever the distribution.

    Infinite if there are too few values for that.
    """
    ordered, size = np.sort(values), len(values)
    tail, below = 0.0, 0
    while below < size // 2:
        tail += comb(size, below) * 0.5**size if size < 1000 else 0.0
        if tail > (1 - level) / 2:
            break
        below += 1
    if size >= 1000:  # where the powers above would vanish, the normal approximation is accurate
        from karat.statistics.intervals import quantile

        below = int(size / 2 - quantile(level) * size**0.5 / 2)
    if not below:
        return -np.inf, np.inf
    return float(ordered[below - 1]), float(ordered[size - below])
