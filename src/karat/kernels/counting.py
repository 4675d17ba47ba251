"""Contingency tables from codes.

The number of units where the key is g and the response is l is a population count: one bit per unit for "key is g",
one for "response is l", and the set bits of their conjunction, sixty-four units at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bytes, Floats, Ints


def _bits(codes: Bytes, code: int) -> NDArray[np.uint64]:
    """One bit per unit along the last axis, set if the unit has this code; padded with zeros."""
    packed = np.packbits(codes == code, axis=-1)
    padding = -packed.shape[-1] % 8
    if padding:
        packed = np.concatenate([packed, np.zeros((*packed.shape[:-1], padding), np.uint8)], axis=-1)
    return packed.view(np.uint64)


def contingency(key: Bytes, responses: Bytes, rows: int, columns: int) -> Ints:
    """Counts (…, rows, columns) of key × response; leading axes broadcast, and negative codes are not counted."""
    given = [_bits(responses, code) for code in range(columns)]
    shape = np.broadcast_shapes(key.shape[:-1], responses.shape[:-1])
    counts = np.empty((*shape, rows, columns), dtype=np.int64)
    for row in range(rows):
        wanted = _bits(key, row)
        for column in range(columns):
            counts[..., row, column] = np.bitwise_count(wanted & given[column]).sum(axis=-1, dtype=np.int64)
    return counts


def resampled_contingency(
    key: Bytes, responses: Bytes, weights: Floats, rows: int, columns: int, own: Floats | float = 1.0
) -> Floats:
    """Sums (…, runs, rows, columns) under weights (…, units) shared by all runs, as one matrix product.

    `responses` is (runs, units), and so are `own`, the weights of each run. For a bootstrap, the replicates are a
    leading axis of the weights.
    """
    runs, units = responses.shape
    cells = np.zeros((runs * rows * columns, units))
    cell = (np.arange(runs)[:, None] * rows + key) * columns + responses
    run, unit = np.nonzero((key >= 0) & (responses >= 0))
    cells[cell[run, unit], unit] = np.broadcast_to(own, responses.shape)[run, unit]
    return (weights @ cells.T).reshape(*weights.shape[:-1], runs, rows, columns)


def weighted_contingency(key: Bytes, responses: Bytes, weights: Floats, rows: int, columns: int) -> Floats:
    """Sums (runs, rows, columns) under weights (runs, units) that differ between runs."""
    runs, _ = responses.shape
    cell = (np.arange(runs)[:, None] * rows + key) * columns + responses
    counted = (key >= 0) & (responses >= 0)
    sums = np.bincount(cell[counted], weights[counted], minlength=runs * rows * columns).astype(np.float64)
    return sums.reshape(runs, rows, columns)
