"""Equivalence: two one-sided tests."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.statistics.equivalence import equivalence
from tests.statistics.test_paired import paired_of


def test_is_the_larger_of_two_one_sided_tests() -> None:
    """scipy's one-sided tests of the differences against either margin."""
    values = np.random.default_rng(0).normal(size=(3, 40)) * 0.1
    paired = paired_of(values)
    for p, a, b in zip(equivalence(paired, 0.05), paired.first, paired.second, strict=True):
        apart = values[a] - values[b]
        below = stats.ttest_1samp(apart, 0.05, alternative="less").pvalue
        above = stats.ttest_1samp(apart, -0.05, alternative="greater").pvalue
        assert p == pytest.approx(max(below, above))


def test_right_and_wrong_by_hand() -> None:
    """Five disagreements each way of 400: difference 0, error √(12/402/402), margin .05."""
    values = np.ones((2, 400))
    values[0, :5] = values[1, 5:10] = 0
    error = (12 / 402 / 402) ** 0.5
    assert equivalence(paired_of(values), 0.05)[0] == pytest.approx(stats.norm.cdf(-0.05 / error))


def test_degenerate() -> None:
    """Runs that never disagree are equivalent if there are units enough; graded ones without spread are unknown."""
    assert equivalence(paired_of(np.ones((2, 2000))), 0.05)[0] < 1e-6
    assert equivalence(paired_of(np.ones((2, 3))), 0.05)[0] > 0.4
    assert np.isnan(equivalence(paired_of(np.full((2, 9), 0.3)), 0.05)).all()
