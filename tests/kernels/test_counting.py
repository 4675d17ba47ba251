"""Counts and sums over units against plain loops."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from hypothesis.extra import numpy as npst

from karat.data.parameters import generator
from karat.kernels import counting
from karat.kernels.counting import (
    EXACT_SINGLE,
    as_lattice,
    contingency,
    gram,
    resampled_contingency,
    resampled_weights,
    segment_counts,
    segment_sums,
    squared_distances,
    weighted_contingency,
    wins,
)

codes = st.integers(0, 150).flatmap(
    lambda n: st.tuples(
        npst.arrays(np.int8, n, elements=st.integers(-1, 2)),
        npst.arrays(np.int8, (3, n), elements=st.integers(-1, 2)),
    )
)


def naive(key: np.ndarray, responses: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """One by one."""
    counts = np.zeros((len(responses), 3, 3))
    for run, row in enumerate(responses):
        for unit, (g, answer) in enumerate(zip(key, row, strict=True)):
            if g >= 0 and answer >= 0:
                counts[run, g, answer] += weights[unit]
    return counts


@given(codes)
def test_counts(data: tuple[np.ndarray, np.ndarray]) -> None:
    """Bits counted are units counted; what has no code is not."""
    key, responses = data
    np.testing.assert_array_equal(contingency(key, responses, 3, 3), naive(key, responses, np.ones(len(key))))


@given(codes, st.integers(0, 2**32 - 1))
def test_weighted(data: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    """Weights are summed; whole weights are repeated units."""
    key, responses = data
    weights = np.random.default_rng(seed).random((2, len(key)))
    shared = resampled_contingency(key, responses, weights, 3, 3)
    np.testing.assert_allclose(shared[0], naive(key, responses, weights[0]), atol=1e-12)
    np.testing.assert_allclose(shared[1], naive(key, responses, weights[1]), atol=1e-12)
    own = weighted_contingency(key, responses, np.stack([weights[0], weights[1], weights[0]]), 3, 3)
    np.testing.assert_allclose(own, [shared[0, 0], shared[1, 1], shared[0, 2]], atol=1e-12)


@given(codes)
def test_slices_broadcast(data: tuple[np.ndarray, np.ndarray]) -> None:
    """Keys with a leading axis are counted each; disjoint slices add up to the whole."""
    key, responses = data
    even = np.arange(len(key)) % 2 == 0
    slices = np.stack([np.where(even, key, -1), np.where(even, -1, key)]).astype(np.int8)
    parts = contingency(slices[:, None], responses, 3, 3)
    assert parts.shape == (2, 3, 3, 3)
    np.testing.assert_array_equal(parts.sum(axis=0), contingency(key, responses, 3, 3))


def test_wins_are_counted() -> None:
    """The product counts what a loop counts, on both sides of the diagonal."""
    right = np.random.default_rng(0).random((7, 53)) < 0.6
    counted = [[sum(a and not b for a, b in zip(x, y, strict=True)) for y in right] for x in right]
    assert wins(right).tolist() == counted


@pytest.mark.parametrize("largest", [1, 3, 5000])
def test_whole_numbers_are_exact(largest: int) -> None:
    """In single precision while every sum is exact in it, in double beyond."""
    values = np.random.default_rng(1).integers(-largest, largest + 1, size=(4, 900))
    product = gram(values)
    assert product.dtype == (np.float32 if largest**2 * 900 < EXACT_SINGLE else np.float64)
    assert product.tolist() == (values @ values.T).tolist()


def test_distances_do_not_cancel() -> None:
    """A difference in one unit of ten thousand large scores is found, and rows that are alike are exactly 0 apart."""
    base = 1e6 + np.random.default_rng(2).random(10_000)
    near = base.copy()
    near[17] += 0.5
    distances = squared_distances(np.stack([base, near, base.copy()]))
    assert distances[0, 1] == pytest.approx(0.25, rel=1e-6)
    assert distances[0, 2] == 0.0
    values = np.random.default_rng(3).random((6, 40))
    naive = [[((a - b) ** 2).sum() for b in values] for a in values]
    np.testing.assert_allclose(squared_distances(values), naive, atol=1e-12)


@pytest.mark.parametrize(
    ("values", "whole", "step"),
    [
        ([0, 1, 1], [0, 1, 1], 1.0),
        ([0, 0.25, 0.75], [0, 1, 3], 0.25),
        ([0.1, 0.2, 0.3], [1, 2, 3], 0.1),
        ([2, 4, 10], [1, 2, 5], 2.0),
        ([0, 0, 0], [0, 0, 0], 1.0),
        ([1 / 3, 1 / 2], [2, 3], 1 / 6),
        ([-0.5, 0.5], [-1, 1], 0.5),
    ],
)
def test_the_largest_step(values: list[float], whole: list[int], step: float) -> None:
    """The step is the largest that all values are multiples of, decimal fractions included."""
    found = as_lattice(np.array([values]))
    assert found is not None
    assert found[0].tolist() == [whole]
    assert found[1] == pytest.approx(step)


def test_not_scored_is_nothing() -> None:
    """NaN does not spoil the lattice."""
    found = as_lattice(np.array([[0.5, np.nan]]))
    assert found is not None
    assert found[0].tolist() == [[1, 0]]


def test_real_numbers_are_none() -> None:
    """Scores of no common step, too fine a one or too large are real numbers."""
    assert as_lattice(np.random.default_rng(0).random((3, 50))) is None
    assert as_lattice(np.array([[1e-7, 1.0]])) is None
    assert as_lattice(np.array([[1e12, 1.0]])) is None
    assert as_lattice(np.arange(5000.0)[None]) is None


@given(st.lists(st.fractions(-5, 5, max_denominator=12), min_size=1, max_size=8))
def test_multiples_give_the_values_back(values: list[Fraction]) -> None:
    """Whole numbers times the step are the scores; their common denominator is found where it is small enough."""
    found = as_lattice(np.array([[float(value) for value in values]]))
    common = np.lcm.reduce([value.denominator for value in values])
    assert (found is not None) == (common <= 1000)
    if found:
        np.testing.assert_allclose(found[0] * found[1], [[float(value) for value in values]], atol=1e-12)


def test_tiny_scores_are_no_zeros() -> None:
    """Scores far below one keep their differences."""
    values = np.array([1e-10, 3e-10, 2.5e-10, 7e-11])
    found = as_lattice(values)
    if found is not None:
        multiples, step = found
        np.testing.assert_allclose(multiples * step, values, rtol=1e-9)


CASES = st.tuples(
    st.integers(0, 4),  # rows
    st.lists(st.integers(0, 5), min_size=1, max_size=6),  # cells of each segment
    st.integers(1, 20),  # traits
)


@given(CASES, st.data())
def test_counts_and_sums(case: tuple[int, list[int], int], data: st.DataObject) -> None:
    """Whatever is empty, and however many counters share an integer."""
    rows, sizes, traits = case
    codes = data.draw(arrays.arrays(np.uint8, (rows, sum(sizes)), elements=st.integers(0, 15)))
    table = data.draw(arrays.arrays(np.bool_, (16, traits)))
    weights = data.draw(arrays.arrays(np.float64, sum(sizes), elements=st.integers(0, 9).map(float)))
    ends = np.cumsum(sizes)
    counts, sums = np.zeros((traits, rows, len(sizes))), np.zeros((traits, rows, len(sizes)))
    for trait in range(traits):
        for row in range(rows):
            for segment, size in enumerate(sizes):
                for cell in range(ends[segment] - size, ends[segment]):
                    counts[trait, row, segment] += table[codes[row, cell], trait]
                    sums[trait, row, segment] += table[codes[row, cell], trait] * weights[cell]
    np.testing.assert_array_equal(segment_counts(codes, table, ends), counts)
    np.testing.assert_allclose(segment_sums(codes, table, weights, ends), sums)


@pytest.mark.parametrize("size", [1, 3, 127, 128, 5000])
def test_full_segments_and_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No counter runs over into the next, and blocks do not show."""
    monkeypatch.setattr(counting, "CELLS_AT_A_TIME", 2 * size)
    counts = segment_counts(
        np.full((7, 2 * size), 3, dtype=np.uint8), np.ones((4, 9), dtype=bool), np.array([size, 2 * size])
    )
    assert (counts == size).all()
    assert counts.shape == (9, 7, 2)


def test_weights_are_draws_with_replacement() -> None:
    """Weights are whole, sum to the units, and have the mean and variance of draws with replacement."""
    weights = resampled_weights(50, 3000, generator(0, "test"))
    assert (weights.sum(axis=1) == 50).all()
    assert abs(weights.var() - 49 / 50) < 0.03
