"""Tests of symmetry and of equal margins, against statsmodels and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from karat.statistics.marginal_homogeneity import bowker, stuart_maxwell

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
