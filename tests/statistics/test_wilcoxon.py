"""Wilcoxon's test: scipy, enumeration, and what becomes of it on right and wrong."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from karat.arrays import Floats
from karat.statistics.paired import Paired
from karat.statistics.wilcoxon import wilcoxon
from tests.statistics.test_paired import paired_of


def test_without_ties_it_is_scipys() -> None:
    """Exact for few differences, normal for many."""
    for size, method in ((12, "exact"), (50, "exact"), (120, "asymptotic")):
        values = np.random.default_rng(size).normal(size=(4, size))
        paired = paired_of(values)
        for p, a, b in zip(wilcoxon(paired), paired.first, paired.second, strict=True):
            theirs = stats.wilcoxon(values[a], values[b], method=method, correction=False)
            assert p == pytest.approx(theirs.pvalue, rel=1e-8)


def test_with_ties_it_is_the_enumeration() -> None:
    """Few differences with ties and zeros: all flips of the shared ranks."""
    apart = np.array([3.0, 3, -1, 2, 2, 0, -2, 5, 0, 1])
    (p,) = wilcoxon(paired_of(np.stack([apart, np.zeros(10)])))
    kept = apart[apart != 0]
    ranks = stats.rankdata(np.abs(kept))
    observed = abs((np.sign(kept) * ranks).sum())
    flips = np.array(list(itertools.product((1, -1), repeat=len(kept))))
    assert p == pytest.approx((np.abs(flips @ ranks) >= observed - 1e-9).mean())


def test_many_with_ties_are_scipys() -> None:
    """The normal form with the correction for ties, zeros left out."""
    random = np.random.default_rng(4)
    values = random.integers(0, 5, size=(2, 300)) / 4
    theirs = stats.wilcoxon(*values, method="asymptotic", correction=False, zero_method="wilcox")
    assert wilcoxon(paired_of(values))[0] == pytest.approx(theirs.pvalue, rel=1e-9)


def right_wrong(won: int, lost: int, both: int) -> Floats:
    """Two runs with so many wins and losses."""
    return np.array([[1.0] * won + [0.0] * lost + [1.0] * both, [0.0] * won + [1.0] * lost + [1.0] * both])


def test_on_right_and_wrong_it_is_mcnemars_chi_square() -> None:
    """Thirty against ten with many disagreements: the uncorrected chi-square, .00156540 for b = 30, c = 10."""
    many = wilcoxon(paired_of(right_wrong(300, 100, 50)))[0]
    assert many == pytest.approx(stats.chi2.sf(200**2 / 400, 1), rel=1e-9)
    assert stats.chi2.sf(20**2 / 40, 1) == pytest.approx(0.00156540, abs=5e-9)


def test_degenerate() -> None:
    """All differences 0, or a single one, say nothing."""
    assert wilcoxon(paired_of(np.ones((2, 5)))).tolist() == [1.0]
    assert wilcoxon(paired_of(np.array([[0.0, 1.0], [0.0, 0.5]]))).tolist() == [1.0]
    empty = Paired.of(np.ones((2, 5)), np.empty(0, int), np.empty(0, int))
    assert wilcoxon(empty).tolist() == []


def test_clusters_are_compared_by_their_means() -> None:
    """Clusters of unequal sizes count once each, by the mean of their differences."""
    cluster = np.array([0, 0, 0, 1, 2, 2, 3, 4, 4, 5])
    values = np.random.default_rng(6).normal(size=(2, 10))
    means = [[row[cluster == c].mean() for c in range(6)] for row in values]
    theirs = stats.wilcoxon(*np.array(means), method="exact")
    assert wilcoxon(paired_of(values, cluster))[0] == pytest.approx(theirs.pvalue)


THIRDS = np.array([[1, 2, 3, 0, 1, 0, 3, 0, 2, 1, 0, 2, 1], [0, 1, 1, 2, 0, 1, 0, 1, 0, 3, 1, 1, 0]]) / 3


def enumerated(apart: Floats) -> float:
    """p over all flips of the shared ranks; differences are told apart at nine digits."""
    kept = np.round(apart, 9)[np.round(apart, 9) != 0]
    ranks = stats.rankdata(np.abs(kept))
    flips = np.array(list(itertools.product((1, -1), repeat=len(kept)))) @ ranks
    return float((np.abs(flips) >= abs((np.sign(kept) * ranks).sum()) - 1e-9).mean())


@pytest.mark.parametrize("scale", [1.0, 1e-13, 1e13, np.pi])
def test_ties_of_thirds_survive_a_hole_and_any_scale(scale: float) -> None:
    """A unit that does not count leaves p as it was, and so does another unit of measurement."""
    with_hole = np.c_[THIRDS, [0.3, 0.7]] * scale
    within = np.arange(14) < 13
    (p,) = wilcoxon(Paired.of(with_hole, np.array([0]), np.array([1]), within=within))
    assert p == pytest.approx(enumerated(THIRDS[0] - THIRDS[1]))


@pytest.mark.parametrize("scale", [1.0, np.pi])
def test_ties_of_means_of_unequal_clusters(scale: float) -> None:
    """Means of clusters of one to four thirds tie where the fractions do, on a lattice or off it."""
    random = np.random.default_rng(2)
    cluster = np.repeat(np.arange(11), random.integers(1, 5, size=11))
    for _ in range(20):
        values = random.integers(0, 4, size=(2, len(cluster))) / 3
        sizes = np.bincount(cluster)
        means = np.bincount(cluster, values[0] - values[1]) / sizes
        (p,) = wilcoxon(Paired.of(values * scale, np.array([0]), np.array([1]), cluster))
        assert p == pytest.approx(enumerated(means))
