"""Counts and sums over segments, where a segment is a run of neighbouring cells in a row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Ints

CELLS_AT_A_TIME = 1 << 18
"""Cells expanded at a time: expanded they take eight times the memory, and should fit into the processor's cache."""
COUNTER_BITS = 63


def segment_counts(codes: NDArray[np.uint8], table: Bools, ends: Ints) -> Floats:
    """How often codes with each trait occur in each segment: (traits, rows, segments).

    `codes` is (rows, cells); `table` (codes, traits) says which traits a code has; a segment runs from the end of the
    previous one to its own end, and may be empty.
    """
    starts, filled, at = _segments(ends)
    counts = np.zeros((table.shape[1], len(codes), len(ends)))
    if not filled.any():
        return counts
    # Several traits share one integer, as many counters as fit, so that one pass over the cells counts all of them.
    width = int((ends - starts).max()).bit_length()
    together = max(1, COUNTER_BITS // width)
    had = np.flatnonzero(table.any(axis=0)).tolist()
    step = max(1, CELLS_AT_A_TIME // codes.shape[1])
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


def segment_sums(codes: NDArray[np.uint8], table: Bools, weights: Floats, ends: Ints) -> Floats:
    """The sum in each segment of the weights (cells,) of cells whose codes have a trait: (traits, rows, segments)."""
    starts, filled, at = _segments(ends)
    sums = np.zeros((table.shape[1], len(codes), len(ends)))
    if not filled.any():
        return sums
    step = max(1, CELLS_AT_A_TIME // codes.shape[1])
    for trait in range(table.shape[1]):
        has = table[:, trait].astype(np.float64)
        for row in range(0, len(codes), step):
            weighed = has.take(codes[row : row + step]) * weights
            sums[trait][row : row + step, at] = np.add.reduceat(weighed, starts[filled], axis=-1)
    return sums


def _segments(ends: Ints) -> tuple[Ints, Bools, slice | Ints]:
    """Where segments start, which are not empty, and the indices of those."""
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    filled = ends > starts
    return starts, filled, slice(None) if filled.all() else np.flatnonzero(filled)
