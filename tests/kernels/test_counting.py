"""Counting kernels against loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from karat.kernels.counting import contingency, resampled_contingency, weighted_contingency

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
