"""Scores that are multiples of one step (0/1, quarters, tenths), as whole numbers: sums of them tie exactly."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints

FINEST = 1000
"""The smallest step that is looked for is one part in so many."""
DISTINCT = 4000
"""Scores of more different values than this are taken as real numbers."""
LARGEST_EXACT = float(1 << 30)


def as_lattice(values: Floats) -> tuple[Ints, float] | None:
    """The values as whole multiples of a step, as large a step as there is; None where there is none.

    Values may differ from the multiple by the rounding of a decimal fraction; NaN becomes 0.
    """
    different = np.unique(values[~np.isnan(values)])
    if len(different) > DISTINCT or (len(different) and np.abs(different).max() * FINEST > LARGEST_EXACT):
        return None
    for parts in range(1, FINEST + 1):
        scaled = different * parts
        whole = np.rint(scaled)
        if (np.abs(scaled - whole) <= 1e-12 * np.abs(scaled)).all():
            largest = max(int(np.gcd.reduce(whole.astype(np.int64))) if len(whole) else 1, 1)
            return np.rint(np.nan_to_num(values) * parts).astype(np.int64) // largest, largest / parts
    return None
