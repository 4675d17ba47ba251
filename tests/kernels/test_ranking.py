"""Ranking kernels: weights by rank with ties shared."""

from __future__ import annotations

import numpy as np
import pytest

from karat.kernels.ranking import group_sums, harmonic_differences, mean_rank_weights, tie_groups


def test_ties_share_the_mean_weight() -> None:
    """Linear weights 4:3:2:1; the two units tied in the middle share 2.5 each."""
    scores = np.array([1.0, 2, 2, 3])
    weights = mean_rank_weights(np.array([0.4, 0.3, 0.2, 0.1]), *tie_groups(scores))
    np.testing.assert_allclose(weights, [0.1, 0.25, 0.25, 0.4])


def test_tie_break() -> None:
    """With a tie break every group has one unit, and equal scores follow it."""
    order, group = tie_groups(np.array([1.0, 2, 2, 1]), np.array([0, 3, 1, -1]))
    assert order.tolist() == [2, 1, 3, 0]
    assert group.tolist() == [0, 1, 2, 3]


def test_group_sums_of_many_rows() -> None:
    """Rows with different numbers of groups are padded with empty ones."""
    scores = np.array([[1.0, 1, 0], [3, 2, 1]])
    sums = group_sums(np.array([1.0, 2, 4]), *tie_groups(scores))
    np.testing.assert_array_equal(sums, [[3, 4, 0], [1, 2, 4]])


@pytest.mark.parametrize("sizes", [[3, 1, 2], [6], [0, 6, 0]])
def test_harmonic(sizes: list[int]) -> None:
    """Each group has its part of the harmonic series."""
    ends = np.cumsum([0, *sizes])
    parts = [sum(1 / k for k in range(a + 1, b + 1)) for a, b in zip(ends, ends[1:], strict=False)]
    np.testing.assert_allclose(harmonic_differences(np.array(sizes, dtype=float)), parts)
