"""Counting swaps: how often two sets of units order two runs differently, by the difference on the first set.

Cell 0 holds the pairs of runs that tie on the first set, and cell 1 + b those whose difference falls into bin b. All
numbers are integers: each bin starts at the smallest lattice difference in it, so no quotient is ever rounded.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints, Singles
from karat.kernels.counting import as_lattice

NINE_DIGITS = 10**9
"""Scores that are not multiples of one step are rounded to nine digits, which makes them so."""

PAIRS_AT_A_TIME = 130_000
"""Pairs of runs compared at a time, as many as fit into the processor's cache."""
LOOKED_UP_DIFFERENCES = 2_000_000
"""Up to this many possible differences, the cell of each is computed once and looked up."""
COMPARISONS_WORTH_COMPILING = 100_000_000
"""Number of comparisons from which compiled code is worth its loading time."""
MOST_SMALL_RUNS = 2**15
"""From this many runs on, the counts do not fit into the table's 16-bit integers."""
COMPARISONS, OPPOSITE, TIED = range(3)
"""The three counts in a cell: pairs, pairs that the second set orders the other way, pairs that it ties."""


def whole_scores(scores: Floats) -> tuple[Ints, int]:
    """Integers and a scale such that scores = integers / scale."""
    found = as_lattice(scores)
    if found is None:
        return np.rint(scores * NINE_DIGITS).astype(np.int64), NINE_DIGITS
    multiples, step = found
    exact = Fraction(step).limit_denominator(10**6)
    return multiples * exact.numerator, exact.denominator


def bin_starts(size: int, scale: int, width: Fraction, bins: int) -> Ints:
    """The smallest |difference of sums| over `size` units in each bin, and in the one after the last."""
    unit = size * scale * width.numerator
    return np.array([-(-place * unit // width.denominator) for place in range(bins + 1)], dtype=np.int64)


def bins_needed(reach: int, scale: int, width: Fraction) -> int:
    """How many bins are needed for all mean differences, the largest being reach / scale."""
    return reach * width.denominator // (scale * width.numerator) + 1


def selections(size: int, units: int, draws: list[np.random.Generator]) -> tuple[Singles, ...]:
    """Two disjoint sets of `size` units for each generator, as rows (trials, units) of zeros and ones."""
    both = np.zeros((2, len(draws), units), dtype=np.float32)
    for trial, random in enumerate(draws):
        drawn = random.permutation(units)[: 2 * size]
        both[0, trial, drawn[:size]] = 1
        both[1, trial, drawn[size:]] = 1
    return both[0], both[1]


def exact_columns(scores: Ints) -> NDArray[Any]:
    """Integer scores (runs, units) as (units, runs), in the fastest numeric type that adds them exactly."""
    largest = int(np.abs(scores).max(initial=0)) * scores.shape[1]
    # A product of floats is exact as long as every sum is an integer that fits into the mantissa.
    kind: Any = np.float32 if largest < 2**24 else np.float64 if largest < 2**53 else np.int64
    return np.ascontiguousarray(scores.T, dtype=kind)


def sums(selected: Singles, columns: NDArray[Any]) -> Ints:
    """Sums (trials, runs) over the selected units."""
    return np.rint(selected.astype(columns.dtype, copy=False) @ columns).astype(np.int64)


def swap_cells(first: Ints, second: Ints, starts: Ints, compiled: bool = False) -> Ints:
    """Counts (trials, cells, 3) over all pairs of runs from the runs' sums (trials, runs) on the two sets."""
    if compiled and first.shape[1] < MOST_SMALL_RUNS and (table := _compiled()) is not None:
        # numpy sorts 16-bit integers by radix.
        small = np.abs(first).max(initial=0) < 2**15
        order = np.argsort(first.astype(np.int16) if small else first, axis=1, kind="stable")
        ahead, after = np.take_along_axis(first, order, 1), np.take_along_axis(second, order, 1)
        counts = np.zeros((len(first), len(starts), 3), dtype=np.int64)
        threads = os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as pool:
            # Trials are counted separately, so the result does not depend on the threads.
            parts = [slice(place, None, threads) for place in range(threads)]
            list(pool.map(lambda part: table(ahead[part], after[part], starts, counts[part]), parts))
        return counts
    return _by_pairs(first, second, starts)


def worth_compiling(comparisons: int) -> bool:
    """Whether there are enough comparisons, and numba is installed."""
    return comparisons >= COMPARISONS_WORTH_COMPILING and importlib.util.find_spec("numba") is not None


def _by_pairs(first: Ints, second: Ints, starts: Ints) -> Ints:
    """Count in numpy, comparing every pair of runs."""
    runs = first.shape[1]
    one, other = np.triu_indices(runs, 1)
    cells = len(starts)
    reach = int(np.ptp(first, axis=1).max(initial=0)) + 1
    # A look-up is faster than a search as long as the lattice is smaller than the data.
    known = _cell_of(np.arange(reach), starts) * 3 if reach < LOOKED_UP_DIFFERENCES else None
    small = max(int(np.abs(first).max(initial=0)), int(np.abs(second).max(initial=0))) < 2**30
    kind: Any = np.int32 if small else np.int64
    made = []
    rows = max(1, PAIRS_AT_A_TIME // max(len(one), 1))
    for begin in range(0, len(first), rows):
        # One row per run, so that indexing takes whole rows; 32-bit integers if they suffice.
        sets = [np.ascontiguousarray(part[begin : begin + rows].T, kind) for part in (first, second)]
        ahead, after = (whole[one] - whole[other] for whole in sets)
        apart = np.abs(ahead)
        place = _cell_of(apart, starts) * 3 if known is None else known[apart]
        place += np.arange(ahead.shape[1]) * (cells * 3)
        # 0: the same order; 1: the opposite order (the signs differ); 2: tied on the second set.
        place += (ahead ^ after) < 0
        tied = after == 0
        place[tied] += 2 - (ahead[tied] < 0)
        counts = np.bincount(place.ravel(), minlength=ahead.shape[1] * cells * 3).reshape(-1, cells, 3)
        counts[:, 0, 0] += counts[:, 0, 1]  # no order is opposite to a tie on the first set
        counts[:, 0, 1] = 0
        made.append(np.stack([counts.sum(axis=2), counts[..., 1], counts[..., 2]], axis=-1))
    return np.concatenate(made)


def _cell_of(apart: Ints, starts: Ints) -> Ints:
    return np.where(apart == 0, 0, np.searchsorted(starts[1:], apart, side="right") + 1)


@cache
def _compiled() -> Callable[..., None] | None:
    """`count_by_table`, compiled; None if numba is not installed."""
    from karat.kernels.compiled import COMPILES, compiled  # here: numba is slow to load

    return compiled(count_by_table) if COMPILES else None


def count_by_table(first: Ints, second: Ints, starts: Ints, counts: Ints) -> None:
    """Counts per run and bin as differences of two look-ups in a table of how many runs rank below.

    `first` is sorted within each trial, and `second` follows its order. Row j, column r of the table counts those of
    the first j runs whose rank on the second set is below r; runs whose difference falls into one bin are neighbours.
    """
    trials, runs = first.shape
    bins = len(starts) - 1
    for trial in range(trials):
        ahead, after = first[trial], second[trial]
        rank = np.searchsorted(np.unique(after), after)
        ranks = rank.max() + 1
        below = np.zeros((runs + 1, ranks + 1), dtype=np.int16)
        for run in range(runs):
            for place in range(rank[run] + 1):
                below[run + 1, place] = below[run, place]
            for place in range(rank[run] + 1, ranks + 1):
                below[run + 1, place] = below[run, place] + 1
        ends = np.zeros(bins + 1, dtype=np.int64)
        for run in range(runs):
            mine = rank[run]
            # The bounds increase with the run, so each continues from where it was.
            low = run + 1
            for edge in range(bins + 1):
                wanted = ahead[run] + max(starts[edge], 1)
                end = max(ends[edge], low)
                while end < runs and ahead[end] < wanted:
                    end += 1
                ends[edge] = end
                if end > low:
                    lower = below[end, mine] - below[low, mine]
                    counts[trial, edge, 0] += end - low
                    # No order is opposite to a tie on the first set.
                    counts[trial, edge, 1] += lower if edge else 0
                    counts[trial, edge, 2] += below[end, mine + 1] - below[low, mine + 1] - lower
                low = end
                if low >= runs:
                    break
