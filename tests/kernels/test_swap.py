"""Counting swaps: the numpy path, the table algorithm, plain and compiled, and a naive twin agree on every cell."""

from __future__ import annotations

import importlib.util
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import Ints
from karat.data.parameters import generator
from karat.kernels.swap import (
    bin_starts,
    bins_needed,
    count_by_table,
    exact_columns,
    selections,
    sums,
    swap_cells,
    whole_scores,
)

HUNDREDTH = Fraction(1, 100)


def by_hand(first: Ints, second: Ints, size: int, scale: int, width: Fraction, cells: int) -> Ints:
    """Every trial and every pair of runs, in exact fractions."""
    counts = np.zeros((len(first), cells, 3), dtype=np.int64)
    for trial, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        for one in range(len(a)):
            for other in range(one + 1, len(a)):
                ahead, after = a[one] - a[other], b[one] - b[other]
                cell = 0 if ahead == 0 else 1 + (Fraction(abs(ahead), size * scale) // width)
                counts[trial, cell, 0] += 1
                counts[trial, cell, 1] += ahead * after < 0
                counts[trial, cell, 2] += after == 0
    return counts


@given(
    seed=st.integers(0, 10**6),
    runs=st.integers(2, 12),
    size=st.integers(1, 9),
    scale=st.sampled_from([1, 2, 4, 10, 64]),
    width=st.sampled_from([HUNDREDTH, Fraction(1, 20), Fraction(1, 3)]),
)
def test_all_paths_agree(seed: int, runs: int, size: int, scale: int, width: Fraction) -> None:
    """Pairs in numpy, the table, and fractions one by one give the same counts, ties included."""
    random = np.random.default_rng(seed)
    first, second = random.integers(0, size * scale + 1, size=(2, 3, runs))
    bins = bins_needed(scale, scale, width)
    starts = bin_starts(size, scale, width, bins)
    expected = by_hand(first, second, size, scale, width, bins + 1)
    assert (swap_cells(first, second, starts) == expected).all()
    order = np.argsort(first, axis=1, kind="stable")
    table = np.zeros_like(expected)
    count_by_table(np.take_along_axis(first, order, 1), np.take_along_axis(second, order, 1), starts, table)
    assert (table == expected).all()


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is an extra")
@pytest.mark.parametrize("scale", [1, 4, 10**9])
def test_compiled_is_equal(scale: int) -> None:
    """The compiled table counts as numpy does, on small lattices and on real numbers."""
    random = np.random.default_rng(0)
    first, second = random.integers(0, 30 * scale + 1, size=(2, 7, 40))
    starts = bin_starts(30, scale, HUNDREDTH, 101)
    assert (swap_cells(first, second, starts, compiled=True) == swap_cells(first, second, starts)).all()


def test_bins_are_of_whole_numbers() -> None:
    """.29 is in bin 29, though .29 / .01 is 28.999999999999996 in doubles; every hundredth is in its own bin."""
    assert 0.29 / 0.01 < 29
    starts = bin_starts(100, 1, HUNDREDTH, 101)
    assert starts.tolist() == list(range(102))
    for hundredths in range(1, 101):
        counts = swap_cells(np.array([[hundredths, 0]]), np.array([[1, 0]]), starts)
        assert counts[0, hundredths + 1].tolist() == [1, 0, 0]


def test_every_pair_is_counted_once() -> None:
    """28 sizes × 50 trials × 1,953 pairs of runs are 2,734,200 comparisons."""
    scores = (np.random.default_rng(0).random((63, 64)) < 0.5).astype(np.int64)
    columns = exact_columns(scores)
    total = 0
    for size in range(5, 33):
        draws = [generator(0, "test", size, trial) for trial in range(50)]
        first, second = (sums(selected, columns) for selected in selections(size, 64, draws))
        total += int(swap_cells(first, second, bin_starts(size, 1, HUNDREDTH, 101))[..., 0].sum())
    assert total == 2_734_200


def test_sets_are_disjoint() -> None:
    """Two sets of a trial share no unit and have the size asked for; another trial has other sets."""
    first, second = selections(5, 12, [generator(0, "test", trial) for trial in range(20)])
    assert (first.sum(axis=1) == 5).all()
    assert (second.sum(axis=1) == 5).all()
    assert not (first * second).any()
    assert len({tuple(row) for row in first.tolist()}) > 10


@pytest.mark.parametrize("largest", [1, 10**6, 10**9, 10**15])
def test_sums_are_exact(largest: int) -> None:
    """Sums are those of integers, whatever kind of number multiplies them."""
    scores = np.random.default_rng(1).integers(-largest, largest + 1, size=(3, 40))
    selected, _ = selections(20, 40, [generator(0, "test")])
    assert (sums(selected, exact_columns(scores)) == selected.astype(np.int64) @ scores.T).all()


@pytest.mark.parametrize(
    ("values", "whole", "scale"),
    [
        ([0.0, 1.0, 1.0], [0, 1, 1], 1),
        ([0.25, 0.5, 1.0], [1, 2, 4], 4),
        ([0.1, 0.3, 0.7], [1, 3, 7], 10),
        ([0.0, 3.0, 6.0], [0, 3, 6], 1),
        ([1 / 3, 2 / 3, 1.5], [2, 4, 9], 6),
        ([0.123456789, 0.2, 0.3], [123456789, 200000000, 300000000], 10**9),
    ],
)
def test_whole_scores(values: list[float], whole: list[int], scale: int) -> None:
    """Scores on a lattice are whole numbers of it; others are kept to nine digits."""
    found, by = whole_scores(np.array([values]))
    assert (found[0].tolist(), by) == (whole, scale)
