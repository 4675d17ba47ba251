"""Concordance and ranks against loops and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.kernels import concordance as kernel
from karat.kernels.concordance import concordance, middle_places, tie_codes

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
    monkeypatch.setattr(kernel, "VALUES_AT_A_TIME", 30)
    assert np.array_equal(concordance(scores[0], scores), whole)


def test_one_run() -> None:
    """There is no pair in it."""
    assert concordance(np.ones((3, 1)), np.ones((3, 1)))[0].tolist() == [0, 0, 0]
    assert middle_places(np.ones((3, 1))).tolist() == [[1.0], [1.0], [1.0]]


def test_undefined_scores_have_no_rank() -> None:
    """NaN has none, and the others are ranked as without it."""
    np.testing.assert_array_equal(middle_places(np.array([0.2, np.nan, 0.7])), [2.0, np.nan, 1.0])
