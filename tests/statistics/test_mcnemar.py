"""McNemar's test: scipy, fractions. Published values are in tests/papers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.statistics.mcnemar import mcnemar


@given(st.integers(0, 60), st.integers(0, 60))
def test_is_the_binomial_test(won: int, lost: int) -> None:
    """Exactly the two-sided binomial, by fractions; mid-p is less by half of what was observed on either side."""
    n, k = won + lost, min(won, lost)
    half = Fraction(sum(math.comb(n, j) for j in range(k + 1)), 2**n)
    here = Fraction(math.comb(n, k), 2**n)
    p = min(2 * half, Fraction(1))
    assert float(mcnemar(np.array(won), np.array(lost))) == pytest.approx(float(p), rel=1e-9)
    mid = 1 - here / 2 if 2 * k == n else p - here
    assert float(mcnemar(np.array(won), np.array(lost), mid=True)) == pytest.approx(float(mid), rel=1e-9)


def test_many_pairs_at_once() -> None:
    """Any shape; equal counts are worked out once and are equal; scipy agrees."""
    random = np.random.default_rng(0)
    won, lost = random.integers(0, 900, size=(2, 30, 30))
    p = mcnemar(won, lost)
    assert p.shape == (30, 30)
    expected = [stats.binomtest(int(a), int(a + b)).pvalue for a, b in zip(won.ravel(), lost.ravel(), strict=True)]
    np.testing.assert_allclose(p.ravel(), expected, rtol=1e-9)


def test_no_disagreement() -> None:
    """Runs that never disagree cannot be told apart."""
    assert mcnemar(np.array([0]), np.array([0])).tolist() == [1.0]
    assert mcnemar(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []
