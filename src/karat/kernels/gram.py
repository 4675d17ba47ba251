"""Gram matrices: one matrix product gives sums over units for every pair of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Int32s

EXACT_SINGLE = 1 << 24
"""Integers below this are exact in single precision, which multiplies twice as fast."""


def gram(values: NDArray[Any]) -> NDArray[Any]:
    """X·Xᵀ of the rows, in single precision if the values are integers and every sum is exact in it."""
    whole = values.dtype == bool or np.issubdtype(values.dtype, np.integer)
    if whole and float(np.abs(values).max(initial=0)) ** 2 * values.shape[-1] < EXACT_SINGLE:
        single = values.astype(np.float32)
        return single @ single.T
    double = values.astype(np.float64, copy=False)
    return double @ double.T


def wins(right: Bools) -> Int32s:
    """The number of units on which run a is right and run b is wrong (runs, runs), from one product."""
    both = gram(right).astype(np.int32)
    return np.diagonal(both)[:, None] - both


def squared_distances(values: Floats) -> Floats:
    """Σ(x_a − x_b)² for every two rows; exactly 0 for identical rows.

    Columns are centred first, because the difference of large squares would cancel. Where it still cancels down to
    rounding error, the two rows are subtracted directly.
    """
    centred = values - values.mean(axis=0)
    product = gram(centred)
    squares = np.diagonal(product)
    sums = squares[:, None] + squares
    distances = np.maximum(sums - 2 * product, 0.0)
    for a, b in np.argwhere(np.triu(distances <= 1e-9 * sums, 1)):
        distances[a, b] = distances[b, a] = ((values[a] - values[b]) ** 2).sum()
    np.fill_diagonal(distances, 0.0)
    return distances
