"""Ranking kernels against loops and scipy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import stats

from karat.kernels import ranking
from karat.kernels.ranking import (
    concordance,
    decreasing,
    group_sums,
    harmonic_differences,
    mean_rank_weights,
    middle_places,
    near_groups,
    tie_codes,
    tie_groups,
)


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
    parts = [sum(1 / k for k in range(a + 1, b + 1)) for a, b in itertools.pairwise(ends)]
    np.testing.assert_allclose(harmonic_differences(np.array(sizes, dtype=float)), parts)


SCORES = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.0, 1e-300])


@given(npst.arrays(np.float64, (2, 40), elements=SCORES))
def test_decreasing_is_a_stable_sort(scores: np.ndarray) -> None:
    """The fast sort is numpy's stable one, zeros of both signs, infinities and denormals included."""
    order, ranked = decreasing(scores)
    np.testing.assert_array_equal(order, np.argsort(-scores, axis=-1, kind="stable"))
    np.testing.assert_array_equal(ranked, np.take_along_axis(scores, order, axis=-1))


def test_decreasing_of_neighbours() -> None:
    """Scores that differ in their last bit only are told apart."""
    scores = np.array([1.0, np.nextafter(1.0, 2), np.nextafter(1.0, 0), 1.0])
    assert decreasing(scores)[0].tolist() == [1, 0, 3, 2]


def test_near_groups() -> None:
    """By increasing score; what is apart by no more than either's rounding is one group."""
    scores, rounding = np.array([3.0, 1.0, 1.1, 2.0, 3.05]), np.array([0.01, 0.2, 0.01, 0.01, 0.01])
    order, group = near_groups(scores, rounding)
    assert (order.tolist(), group.tolist()) == ([1, 2, 3, 0, 4], [0, 0, 1, 2, 3])


rows = st.integers(2, 7).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, 3), min_size=size, max_size=size), min_size=2, max_size=4)
)


@given(rows)
def test_pair_by_pair(values: list[list[int]]) -> None:
    """Every pair of runs, one at a time."""
    scores = np.array(values) / 3
    alike, opposite = concordance(scores[0], scores[1:])
    for place, row in enumerate(scores[1:]):
        signs = [
            np.sign(scores[0][a] - scores[0][b]) * np.sign(row[a] - row[b])
            for a in range(len(row))
            for b in range(a + 1, len(row))
        ]
        assert (alike[place], opposite[place]) == (signs.count(1), signs.count(-1))


@given(rows)
def test_ranks_are_scipys(values: list[list[int]]) -> None:
    """Tied runs share the mean of their ranks, the largest first."""
    scores = np.array(values, dtype=float)
    np.testing.assert_allclose(middle_places(scores), stats.rankdata(-scores, axis=-1))


def test_codes() -> None:
    """Equal where scores differ by rounding alone, and in order."""
    assert tie_codes(np.array([0.5, 0.1 + 0.2, 0.3, -1.0])).tolist() == [2, 1, 1, 0]


def test_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rankings in small blocks count as in one."""
    scores = np.random.default_rng(0).integers(0, 9, (50, 6)).astype(float)
    whole = concordance(scores[0], scores)
    monkeypatch.setattr(ranking, "VALUES_AT_A_TIME", 30)
    assert np.array_equal(concordance(scores[0], scores), whole)


def test_one_run() -> None:
    """There is no pair in it."""
    assert concordance(np.ones((3, 1)), np.ones((3, 1)))[0].tolist() == [0, 0, 0]
    assert middle_places(np.ones((3, 1))).tolist() == [[1.0], [1.0], [1.0]]


def test_undefined_scores_have_no_rank() -> None:
    """NaN has none, and the others are ranked as without it."""
    np.testing.assert_array_equal(middle_places(np.array([0.2, np.nan, 0.7])), [2.0, np.nan, 1.0])
