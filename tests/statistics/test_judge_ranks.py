"""Kendall's W against scipy and its definition, its test against all permutations; mean ranks against naive ones."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from karat.data.parameters import generator
from karat.statistics.judge_ranks import kendall_w, mean_ranks, unit_ranks, w_test


@pytest.mark.parametrize("seed", range(20))
def test_friedman(seed: int) -> None:
    """W is Friedman's chi-square over m(n−1), ties corrected in both."""
    random = np.random.default_rng(seed)
    scores = random.integers(1, 6, size=(random.integers(3, 8), random.integers(3, 7))).astype(float)
    judges, runs = scores.shape
    expected = stats.friedmanchisquare(*scores.T).statistic / (judges * (runs - 1))
    assert kendall_w(scores) == pytest.approx(expected, abs=1e-12)


def test_many_at_once() -> None:
    """Leading axes are rankings of their own."""
    scores = np.random.default_rng(1).integers(1, 4, size=(5, 4, 6)).astype(float)
    np.testing.assert_allclose(kendall_w(scores), [kendall_w(one) for one in scores])


def test_ends() -> None:
    """1 where all agree, 0 where rank sums are level."""
    assert kendall_w(np.array([[3.0, 2, 1], [30, 20, 10]])) == 1
    assert kendall_w(np.array([[3.0, 2, 1], [1, 2, 3]])) == 0


@pytest.mark.parametrize(
    "scores",
    [[[1.0, 2]], [[1.0], [2]], [[1.0, 1], [2, 2]], [[1.0, 2], [1, np.nan]]],
    ids=["judge", "run", "tie", "hole"],
)
def test_undefined(scores: list[list[float]]) -> None:
    """One judge, one run, nothing but ties, a missing score."""
    assert np.isnan(kendall_w(np.array(scores)))


def test_all_permutations() -> None:
    """The simulated p is near the share of all permutations within judges with a W at least as large."""
    scores = np.array([[5.0, 4, 3, 1], [4, 4, 2, 1], [5, 3, 3, 2]])
    observed = kendall_w(scores)
    drawn = [kendall_w(np.array(rows)) for rows in product(*(list(permutations(row)) for row in scores))]
    exact = np.mean(np.array(drawn) >= observed - 1e-9)
    p, error = w_test(scores, 20_000, generator(0, "test"))
    assert p == pytest.approx(exact, abs=4 * error)
    assert 0 < error < 0.001
    assert p > 1 / 20_001


def test_p_undefined() -> None:
    """Where W is."""
    assert np.isnan(w_test(np.array([[1.0, 2]]), 10, generator(0))).all()


def test_against_loops() -> None:
    """One ranking a judge and unit by scipy, averaged; a unit on which a run is missing is left out."""
    random = np.random.default_rng(0)
    scores = random.integers(0, 6, size=(4, 9, 5)).astype(float)
    scores[random.random(scores.shape) < 0.05] = np.nan
    expected = np.empty((4, 5))
    for judge in range(4):
        rows = [stats.rankdata(-row) for row in scores[judge] if not np.isnan(row).any()]
        expected[judge] = np.mean(rows, axis=0)
    np.testing.assert_allclose(mean_ranks(scores), expected)


def test_ties_share_and_holes_are_left_out() -> None:
    """Second and third with the same score are both 2.5."""
    scores = np.array([[5.0, 3, 3, 1], [1, 2, np.nan, 4]])
    np.testing.assert_array_equal(unit_ranks(scores), [[1, 2.5, 2.5, 4], [np.nan] * 4])
    np.testing.assert_array_equal(mean_ranks(scores), [1, 2.5, 2.5, 4])
    assert np.isnan(mean_ranks(scores[1:])).all()


def test_runs_that_are_not_entered() -> None:
    """Take no ranks from the others; the only run of a unit has none, and one that is entered and not scored does."""
    nan = np.nan
    scores = np.array([[5.0, 3, nan], [nan, 2, nan], [1, 2, nan]])
    entered = np.array([[True, True, False], [False, True, False], [True, True, True]])
    np.testing.assert_array_equal(unit_ranks(scores, entered), [[1, 2, nan], [nan] * 3, [nan] * 3])
    np.testing.assert_array_equal(mean_ranks(scores, entered), [1, 2, nan])
    np.testing.assert_array_equal(mean_ranks(np.array([[4.0]])), [1])
