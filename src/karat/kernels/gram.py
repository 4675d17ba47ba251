"""Gram matrices: what one matrix product tells of every pair of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats

EXACT_SINGLE = 1 << 24
"""Whole numbers below this are exact in single precision, which multiplies twice as fast."""


def gram(values: NDArray[Any]) -> NDArray[Any]:
    """X·Xᵀ of the rows; whole numbers in single precision where every sum is exact in it."""
    whole = values.dtype == bool or np.issubdtype(values.dtype, np.integer)
    if whole and float(np.abs(values).max(initial=0)) ** 2 * values.shape[-1] < EXACT_SINGLE:
        single = values.astype(np.float32)
        return single @ single.T
    double = values.astype(np.float64, copy=False)
    return double @ double.T


def wins(right: NDArray[np.bool_]) -> NDArray[np.int32]:
    """On how many units run a is right and run b is not (runs, runs), from one product."""
    both = gram(right).astype(np.int32)
    return np.diagonal(both)[:, None] - both


def squared_distances(values: Floats) -> Floats:
    """Σ(x_a − x_b)² for every two rows; exactly 0 for rows that are alike.

    Columns are centred first, since the difference of large squares would cancel. Where it cancels all the same, so
    that nothing but rounding could be left, the rows are held against each other.
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
