"""Paired means: t against scipy, ratios against plain formulas, intervals against the literature."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from karat.arrays import Floats
from karat.statistics.paired import Paired, adjusted_interval, mean_interval, paired_t, t_interval


def paired_of(values: Floats, cluster: NDArray[np.int64] | None = None) -> Paired:
    """All pairs of the rows."""
    return Paired.of(values, *np.triu_indices(len(values), 1), cluster)


def test_t_is_scipys() -> None:
    """p and bounds of all pairs, from one product, are those of scipy's paired test."""
    values = np.random.default_rng(0).normal(size=(5, 43)) + 1e3
    paired = paired_of(values)
    low, high = t_interval(paired)
    for place, (a, b) in enumerate(zip(paired.first, paired.second, strict=True)):
        theirs = stats.ttest_rel(values[a], values[b])
        ends = theirs.confidence_interval()
        assert paired_t(paired)[place] == pytest.approx(theirs.pvalue, rel=1e-7)
        assert (low[place], high[place]) == (pytest.approx(ends.low, rel=1e-6), pytest.approx(ends.high, rel=1e-6))


def test_ratio_of_clusters() -> None:
    """The difference is that of the means over units; its error that of a ratio, C/(C−1)·Σ(D − r·n)²/N²."""
    random = np.random.default_rng(1)
    cluster = random.integers(0, 9, size=80)
    values = random.normal(size=(3, 80))
    paired = paired_of(values, cluster)
    for place, (a, b) in enumerate(zip(paired.first, paired.second, strict=True)):
        apart = values[a] - values[b]
        ratio = apart.mean()
        residuals = [(apart[cluster == c] - ratio).sum() for c in range(9)]
        error = (9 / 8 * sum(one**2 for one in residuals)) ** 0.5 / 80
        assert paired.differences[place] == pytest.approx(ratio)
        assert paired.errors[place] == pytest.approx(error)
        assert paired_t(paired)[place] == pytest.approx(2 * stats.t.sf(abs(ratio / error), 8))


def test_equal_clusters_are_units() -> None:
    """Clusters of one size give the t-test of the clusters' means."""
    values = np.random.default_rng(2).normal(size=(2, 60))
    theirs = stats.ttest_rel(*values.reshape(2, 20, 3).mean(axis=2))
    assert paired_t(paired_of(values, np.repeat(np.arange(20), 3)))[0] == pytest.approx(theirs.pvalue)


def test_adjusted_interval_by_hand() -> None:
    """30 against 10 of 100: (31 − 11)/102 ± 1.959964·√((42/102 − (20/102)²)/102), as Bonett and Price have it."""
    first = np.array([1.0] * 30 + [0.0] * 10 + [1.0] * 60)
    second = np.array([0.0] * 30 + [1.0] * 10 + [1.0] * 60)
    low, high = adjusted_interval(paired_of(np.stack([first, second])))
    half = 1.959963985 * ((42 / 102 - (20 / 102) ** 2) / 102) ** 0.5
    assert (low[0], high[0]) == (pytest.approx(20 / 102 - half), pytest.approx(20 / 102 + half))


def test_wins_count_clusters() -> None:
    """On how many clusters each does better; a tie is neither's."""
    values = np.array([[1.0, 0, 1, 0, 1, 1], [0.0, 0, 1, 1, 1, 0]])
    assert [int(side[0]) for side in paired_of(values).wins] == [2, 1]
    assert [int(side[0]) for side in paired_of(values, np.array([0, 0, 1, 1, 2, 2])).wins] == [2, 1]
    assert [int(side[0]) for side in paired_of(values + 0.1).wins] == [2, 1]


def test_wins_are_not_of_rounding() -> None:
    """A cluster on which both runs have the same scores in another order is a tie."""
    scores = np.random.default_rng(4).random((40, 9))
    values = np.stack([scores.ravel(), scores[:, ::-1].ravel()])
    cluster = np.repeat(np.arange(40), 9)
    sums = [np.bincount(cluster, row) for row in values]
    assert (sums[0] != sums[1]).any()
    assert [int(side[0]) for side in paired_of(values, cluster).wins] == [0, 0]


def test_units_that_do_not_count() -> None:
    """Leaving units out is the same as never having had them."""
    random = np.random.default_rng(3)
    values, cluster = random.normal(size=(3, 50)), random.integers(0, 12, size=50)
    within = random.random(50) < 0.7
    first, second = np.triu_indices(3, 1)
    for numbers in (None, cluster):
        part = Paired.of(values, first, second, numbers, within)
        again = None if numbers is None else np.unique(cluster[within], return_inverse=True)[1]
        alone = Paired.of(values[:, within], first, second, again)
        np.testing.assert_allclose(part.differences, alone.differences)
        np.testing.assert_allclose(part.errors, alone.errors)
        np.testing.assert_allclose(paired_t(part), paired_t(alone))
        np.testing.assert_allclose(mean_interval(part), mean_interval(alone))


def test_degenerate() -> None:
    """Alike: p 1, no interval. The same difference on every unit: p by flips. One unit: none. Right/wrong: bounds."""
    alike = paired_of(np.array([[0.3, 0.7, 0.1]] * 2))
    assert paired_t(alike).tolist() == [1.0]
    assert np.isnan(t_interval(alike)).all()
    shifted = paired_of(np.array([[0.3, 0.7, 0.1], [0.4, 0.8, 0.2]]))
    assert paired_t(shifted).tolist() == [0.25]  # 2 of the 8 flips of three equal differences
    single = paired_of(np.array([[0.3], [0.4]]))
    assert np.isnan(paired_t(single)).all()
    assert np.isnan(t_interval(single)).all()
    assert np.isnan(mean_interval(single)).all()
    low, high = adjusted_interval(paired_of(np.ones((2, 20))))
    assert low[0] < 0 < high[0]
