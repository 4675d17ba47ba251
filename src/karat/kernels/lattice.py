"""Scores that are multiples of one step (0/1, quarters, tenths), as integers, whose sums tie exactly."""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats, Ints

FINEST_PARTS = 1000
"""The smallest step tried is 1 / FINEST_PARTS."""
MOST_DISTINCT = 4000
"""Scores with more distinct values than this are treated as real numbers."""
LARGEST_EXACT = float(1 << 30)


def as_lattice(values: Floats) -> tuple[Ints, float] | None:
    """The values as integer multiples of the largest common step, and that step; None if there is no such step.

    Values may differ from the multiple by the rounding error of a decimal fraction. NaN becomes 0.
    """
    different = np.unique(values[~np.isnan(values)])
    if len(different) > MOST_DISTINCT or (len(different) and np.abs(different).max() * FINEST_PARTS > LARGEST_EXACT):
        return None
    for parts in range(1, FINEST_PARTS + 1):
        scaled = different * parts
        whole = np.rint(scaled)
        if (np.abs(scaled - whole) <= EXACT_TOLERANCE * np.abs(scaled)).all():
            largest = max(int(np.gcd.reduce(whole.astype(np.int64))) if len(whole) else 1, 1)
            return np.rint(np.nan_to_num(values) * parts).astype(np.int64) // largest, largest / parts
    return None
