"""Groups of judges against scipy's permutation test, against plain loops over all assignments, and against drawing."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from karat.data.parameters import generator
from karat.statistics import group_difference as module
from karat.statistics.group_difference import group_differences

VALUES = np.random.default_rng(3).normal(size=(8, 3))
GROUP = np.array([0, 1, 1, 0, 0, 1, 1, 1])


def by_hand(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """The corrected p-values (groups, columns) from every assignment of judges, one by one."""
    numbers = sorted(set(group.tolist()))[: 1 if len(set(group.tolist())) == 2 else None]
    every = sorted(set(permutations(group.tolist())))

    def apart(assigned: tuple[int, ...]) -> list[float]:
        made = []
        for number in numbers:
            inside = np.array([one == number for one in assigned])
            made += (values[inside].mean(axis=0) - values[~inside].mean(axis=0)).tolist()
        return made

    table = np.array([apart(assigned) for assigned in every])
    table = np.abs(table) / np.sqrt((table**2).mean(axis=0))
    here = table[every.index(tuple(group.tolist()))]
    result, left, largest = np.empty(len(here)), list(np.argsort(-here)), 0.0
    while left:
        largest = max(largest, np.mean(table[:, left].max(axis=1) >= here[left[0]] - 1e-9))
        result[left.pop(0)] = largest
    return result.reshape(len(numbers), -1)


def test_scipy() -> None:
    """The exact p, two-sided by size of the difference."""
    found = group_differences(VALUES, GROUP, generator(0))
    for column in range(3):
        inside, outside = VALUES[GROUP == 0, column], VALUES[GROUP == 1, column]
        assert found.difference[0, column] == pytest.approx(inside.mean() - outside.mean())
        # scipy doubles the smaller tail; the size of the difference is asked for here.
        expected = stats.permutation_test(
            (inside, outside), lambda a, b: abs(a.mean() - b.mean()), n_resamples=np.inf, alternative="greater"
        ).pvalue
        assert found.p[0, column] == pytest.approx(expected)
    assert (found.error == 0).all()


@pytest.mark.parametrize("group", [GROUP[:6], np.array([0, 1, 2, 1, 2, 2]), np.array([2, 0, 1, 3, 0, 1])])
def test_corrected_by_hand(group: np.ndarray) -> None:
    """Two groups or more: each statistic against the largest of those not larger than itself."""
    values = VALUES[:6] + np.arange(6)[:, None] * (group == 0)[:, None]
    found = group_differences(values, group, generator(0))
    np.testing.assert_allclose(found.p_corrected, by_hand(values, group))
    assert (found.p_corrected >= found.p).all()


def test_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more assignments than can be gone through p is simulated, near the exact one."""
    exact = group_differences(VALUES, GROUP, generator(0))
    found = group_differences(np.repeat(VALUES, 4, axis=0), np.repeat(GROUP, 4), generator(0))
    assert (found.error > 0).all()
    assert (found.p > 0).all()
    monkeypatch.setattr(module, "MOST_ASSIGNMENTS", 50)
    few = group_differences(VALUES, GROUP, generator(0))
    np.testing.assert_allclose(few.p, exact.p, atol=0.25)
    np.testing.assert_allclose(few.p_corrected, exact.p_corrected, atol=0.25)


def test_undefined() -> None:
    """Where there is one group, and where a judge has no value; a column without differences says nothing."""
    assert np.isnan(group_differences(VALUES, np.zeros(8, dtype=np.int64), generator(0))).all()
    holes = VALUES.copy()
    holes[0, 1] = np.nan
    found = group_differences(holes, GROUP, generator(0))
    assert np.isnan([part[0, 1] for part in found]).all()
    assert not np.isnan([part[0, 0] for part in found]).any()
    same = np.column_stack([VALUES[:, 0], np.full(8, 3.3)])
    assert group_differences(same, GROUP, generator(0)).p_corrected[0, 1] == 1
