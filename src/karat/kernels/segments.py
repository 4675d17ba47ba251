"""Sums over neighbours: a row of cells is cut into segments, and what is in each segment is counted at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints

BLOCK = 1 << 18
"""Cells unfolded at a time: what is unfolded is eight times as large, and stays in a cache."""
BITS = 63


def segment_counts(codes: NDArray[np.uint8], table: NDArray[np.bool_], ends: Ints) -> Floats:
    """How often codes with some traits stand in each segment: (traits, rows, segments).

    `codes` is (rows, cells); `table` (codes, traits) says which traits a code has; a segment goes from the end of
    the one before it to its own, and may be empty.
    """
    starts, filled, at = _segments(ends)
    counts = np.zeros((table.shape[1], len(codes), len(ends)))
    if not filled.any():
        return counts
    # Counters of several traits share one integer, as many as fit: the cells are walked once for all of them.
    width = int((ends - starts).max()).bit_length()
    together = max(1, BITS // width)
    had = np.flatnonzero(table.any(axis=0)).tolist()
    step = max(1, BLOCK // codes.shape[1])
    for first in range(0, len(had), together):
        traits = had[first : first + together]
        counter = np.int32 if width * len(traits) < 32 else np.int64
        packed = table[:, traits].astype(counter) @ (2 ** (width * np.arange(len(traits)))).astype(counter)
        for row in range(0, len(codes), step):
            cells = np.take(packed, codes[row : row + step])
            sums = np.add.reduceat(cells, starts[filled], axis=-1, dtype=counter)
            for place, trait in enumerate(traits):
                counts[trait][row : row + step, at] = (sums >> (width * place)) & ((1 << width) - 1)
    return counts


def segment_sums(codes: NDArray[np.uint8], table: NDArray[np.bool_], weights: Floats, ends: Ints) -> Floats:
    """The weights of cells (cells,) whose codes have some traits, summed in each segment: (traits, rows, segments)."""
    starts, filled, at = _segments(ends)
    sums = np.zeros((table.shape[1], len(codes), len(ends)))
    if not filled.any():
        return sums
    step = max(1, BLOCK // codes.shape[1])
    for trait in range(table.shape[1]):
        has = table[:, trait].astype(np.float64)
        for row in range(0, len(codes), step):
            weighed = has.take(codes[row : row + step]) * weights
            sums[trait][row : row + step, at] = np.add.reduceat(weighed, starts[filled], axis=-1)
    return sums


def _segments(ends: Ints) -> tuple[Ints, NDArray[np.bool_], slice | Ints]:
    """Where segments start, which have anything in them, and the places of these."""
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    filled = ends > starts
    return starts, filled, slice(None) if filled.all() else np.flatnonzero(filled)
