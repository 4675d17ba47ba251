"""Tests on the table of two assessors: symmetry and margins against statsmodels, chance against permutations."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import hypergeom, norm

from karat.kernels.counting import contingency
from karat.statistics.paired import mcnemar
from karat.statistics.two_assessors import below_chance, bowker, stuart_maxwell

JUDGES = np.array([[381.0, 43, 2], [39, 217, 13], [9, 30, 66]])


@pytest.mark.parametrize("seed", range(20))
def test_statsmodels(seed: int) -> None:
    """Where every pair of labels is confused both tests are those of statsmodels."""
    package = pytest.importorskip("statsmodels.stats.contingency_tables")
    counts = np.random.default_rng(seed).integers(1, 30, (4, 4)).astype(float)
    theirs = package.SquareTable(counts, shift_zeros=False)
    for ours, other in ((bowker, theirs.symmetry()), (stuart_maxwell, theirs.homogeneity())):
        assert tuple(map(float, ours(counts))) == pytest.approx((other.statistic, other.df, other.pvalue))


def test_two_labels_are_one_test() -> None:
    """With two labels both are McNemar's (b − c)²/(b + c)."""
    counts = np.array([[378.0, 32], [48, 342]])
    assert float(bowker(counts)[0]) == pytest.approx(16**2 / 80)
    assert float(stuart_maxwell(counts)[0]) == pytest.approx(16**2 / 80)
    assert float(bowker(counts)[1]) == float(stuart_maxwell(counts)[1]) == 1


def test_a_label_nobody_uses_changes_nothing() -> None:
    """An empty row and column take no degree of freedom."""
    wider = np.zeros((4, 4))
    wider[np.ix_([0, 1, 3], [0, 1, 3])] = JUDGES
    for test in (bowker, stuart_maxwell):
        assert tuple(map(float, test(wider))) == pytest.approx(tuple(map(float, test(JUDGES))))


def test_transposition() -> None:
    """Which assessor is first does not matter."""
    for test in (bowker, stuart_maxwell):
        assert tuple(map(float, test(JUDGES.T))) == pytest.approx(tuple(map(float, test(JUDGES))))


def test_no_disagreement() -> None:
    """Where nothing is confused there is no degree of freedom and no p."""
    for test in (bowker, stuart_maxwell):
        statistic, freedom, p = test(np.diag([5.0, 2, 1]))
        assert math.isnan(statistic)
        assert math.isnan(p)
        assert freedom == 0


def test_leading_axes() -> None:
    """Many tables at once give what each gives alone."""
    tables = np.stack([JUDGES, JUDGES[::-1, ::-1], np.diag([1.0, 2, 3])])
    for test in (bowker, stuart_maxwell):
        together = np.array(test(tables))
        np.testing.assert_allclose(together, np.array([test(table) for table in tables]).T, equal_nan=True)


@pytest.mark.parametrize(("one", "other"), [("aabbcc", "bbccaa"), ("aaabbc", "abcabc"), ("aabb", "bbab")])
def test_moments_of_all_deals(one: str, other: str) -> None:
    """Mean and variance are those of the agreements over every order of one assessor's labels."""
    labels = sorted(set(one))
    agreed = [sum(a == b for a, b in zip(one, dealt, strict=True)) for dealt in permutations(other)]
    found = sum(a == b for a, b in zip(one, other, strict=True))
    step = 1.0 if len(labels) == 2 else 0.5
    expected = norm.cdf((found + step - np.mean(agreed)) / np.std(agreed))
    first, second = (np.array([labels.index(letter) for letter in row], dtype=np.int8) for row in (one, other))
    counts = contingency(first, second, len(labels), len(labels)).astype(float)
    assert float(below_chance(counts)) == pytest.approx(expected)


def test_two_labels_are_nearly_fishers() -> None:
    """Of two labels the exact distribution is hypergeometric."""
    counts = np.array([[12.0, 30.0], [35.0, 23.0]])
    exact = hypergeom(100, 42, 47).cdf(12)
    assert float(below_chance(counts)) == pytest.approx(exact, rel=0.2)


def test_one_label_is_as_expected() -> None:
    """Where one of the two says the same of every unit all deals agree alike; no units, no p."""
    assert below_chance(np.array([[[7.0, 3.0], [0.0, 0.0]], [[9.0, 0.0], [0.0, 0.0]]])).tolist() == [1.0, 1.0]
    assert np.isnan(below_chance(np.zeros((2, 2))))


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.8, 0.2), (0.6, 0.3, 0.1), (0.2,) * 5])
@pytest.mark.parametrize("units", [20, 100])
def test_level(shares: tuple[float, ...], units: int) -> None:
    """Independent assessors are below .05 in at most a twentieth of data sets, and below .001 in a thousandth."""
    cells = np.outer(shares, shares).ravel()
    counts = np.random.default_rng(1).multinomial(units, cells, size=20_000).reshape(-1, len(shares), len(shares))
    p = below_chance(counts.astype(float))
    assert (p < 0.05).mean() <= 0.052
    assert (p < 0.001).mean() <= 0.0015


def test_no_p_is_zero() -> None:
    """However many disagreements, a p too small for a double is the smallest double there is."""
    table = np.array([[0.0, 30_000.0], [0.0, 0.0]])
    swapped = np.array([[0.0, 30_000.0], [30_000.0, 0.0]])
    least = np.finfo(np.float64).tiny
    assert below_chance(swapped) == least
    assert bowker(table)[2] == stuart_maxwell(table)[2] == least
    assert mcnemar(np.array([30_000]), np.array([0])) == least
