"""Groups of judges against scipy's permutation test, and against drawing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.kernels.random import generator
from karat.statistics import group_difference as module
from karat.statistics.group_difference import group_difference

VALUES = np.random.default_rng(3).normal(size=(8, 3))
MEMBER = np.array([1, 0, 0, 1, 1, 0, 0, 0], dtype=bool)


def test_scipy() -> None:
    """The exact p, two-sided by size of the difference."""
    difference, p, error = group_difference(VALUES, MEMBER, generator(0))
    for column in range(3):
        inside, outside = VALUES[MEMBER, column], VALUES[~MEMBER, column]
        assert difference[column] == pytest.approx(inside.mean() - outside.mean())
        # scipy doubles the smaller tail; the size of the difference is asked for here.
        expected = stats.permutation_test(
            (inside, outside), lambda a, b: abs(a.mean() - b.mean()), n_resamples=np.inf, alternative="greater"
        ).pvalue
        assert p[column] == pytest.approx(expected)
    assert (error == 0).all()


def test_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more assignments than can be gone through p is simulated, near the exact one."""
    _, exact, _ = group_difference(VALUES, MEMBER, generator(0))
    values, member = np.repeat(VALUES, 4, axis=0), np.repeat(MEMBER, 4)
    _, p, error = group_difference(values, member, generator(0))
    assert (error > 0).all()
    assert (p > 0).all()
    monkeypatch.setattr(module, "ENUMERATED", 50)
    _, few, _ = group_difference(VALUES, MEMBER, generator(0))
    np.testing.assert_allclose(few, exact, atol=0.25)


def test_undefined() -> None:
    """Where a group is empty, and where a judge has no value."""
    assert np.isnan(group_difference(VALUES, np.zeros(8, dtype=bool), generator(0))).all()
    holes = VALUES.copy()
    holes[0, 1] = np.nan
    difference, p, _ = group_difference(holes, MEMBER, generator(0))
    assert np.isnan([difference[1], p[1]]).all()
    assert not np.isnan([difference[0], p[0]]).any()
