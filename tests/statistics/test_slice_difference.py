"""Two groups of units: Welch's test with two units more in each, against scipy's, and its level."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from karat.statistics.slice_difference import share_difference


@pytest.mark.parametrize("seed", range(5))
def test_is_welchs(seed: int) -> None:
    """It is scipy's, with a 1 and a 0 appended to each group."""
    random = np.random.default_rng(seed)
    shares = np.array([0.0, 1 / 3, 1.0, 1.0, 0.4])
    times = random.integers(1, 9, 5)
    member = np.array([True, True, False, True, False])
    groups = [np.append(np.repeat(shares[group], times[group]), [1.0, 0.0]) for group in (member, ~member)]
    expected = ttest_ind(*groups, equal_var=False).pvalue
    assert share_difference(shares, times.astype(float), member) == pytest.approx(expected)


def test_a_group_without_units() -> None:
    """Nothing to compare has no p."""
    assert np.isnan(share_difference(np.ones(2), np.ones(2), np.array([True, True])))


@pytest.mark.parametrize("few", [2, 5, 20])
@pytest.mark.parametrize("ballots", [(2, 10), (10, 2)])
def test_level(few: int, ballots: tuple[int, int]) -> None:
    """Units that all agree alike, some with many ballots: p is below .05 in at most a twentieth of data sets or so."""
    random, found = np.random.default_rng(few), []
    member = np.arange(60) < few
    size = np.where(member, ballots[0], ballots[1])
    for _ in range(600):
        said = random.binomial(size, 0.8)
        shares = (said * (said - 1) + (size - said) * (size - said - 1)) / (size * (size - 1))
        found.append(share_difference(shares, np.ones(60), member) < 0.05)
    assert np.mean(found) <= 0.07
