"""Mean ranks against loops over judges, pairs and runs."""

from __future__ import annotations

import numpy as np
from scipy import stats

from karat.statistics.mean_ranks import mean_ranks, unit_ranks


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
