"""Intervals of many estimates at once: by hand, their coverage, and what is undefined."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.statistics.simultaneous import simultaneous_interval


def naive(values: list[float], moved: list[list[float]], telling: list[bool], family: int) -> list[tuple[float, float]]:
    """One estimate at a time, from sums: two units more, as influential as those are that move an estimate."""
    units = len(moved)
    columns = [[row[at] - sum(other[at] for other in moved) / units for row in moved] for at in range(len(values))]
    told = [
        column[row] for at, column in enumerate(columns) for row in range(units) if telling[row] and moved[row][at] != 0
    ]
    more = sum(one**2 for one in told) / len(told)
    made = []
    for value, column in zip(values, columns, strict=True):
        second, fourth = sum(x**2 for x in column) + 2 * more, sum(x**4 for x in column) + 2 * more**2
        freedom = 2 * units / (units * fourth / second**2 - 1)
        half = stats.t.ppf(1 - 0.05 / family / 2, freedom) * (second / units / (units - 1)) ** 0.5
        made.append((value - half, value + half))
    return made


def test_against_loops() -> None:
    """The bounds are those of the formula, written out."""
    random = np.random.default_rng(0)
    moved = random.choice([-1.0, 0.0, 0.0, 0.0, 1.0], size=(30, 4))
    telling = (moved != 0).any(axis=1)
    values = moved.mean(axis=0)
    low, high = simultaneous_interval(values, moved, telling, 8)
    expected = naive(values.tolist(), moved.tolist(), telling.tolist(), 8)
    np.testing.assert_allclose(np.stack([low, high], axis=1), expected)


def test_normal_data_have_students_interval() -> None:
    """Of many normal values that all tell, two units more and the kurtosis make no difference."""
    moved = np.random.default_rng(1).normal(size=(4000, 1))
    low, high = simultaneous_interval(moved.mean(axis=0), moved, np.ones(4000, dtype=bool), 1)
    expected = stats.t.interval(0.95, 3999, moved.mean(), stats.sem(moved[:, 0]))
    assert (low[0], high[0]) == pytest.approx(expected, rel=1e-3)


def test_relative_to_the_mean() -> None:
    """Two relative estimates are one with either sign; one alone has none."""
    moved = np.random.default_rng(2).choice([-1.0, 0.0, 1.0], size=(50, 2))
    telling = (moved != 0).any(axis=1)
    low, high = simultaneous_interval(moved.mean(axis=0), moved, telling, 1, relative=True)
    assert (low[0], high[0]) == pytest.approx((-high[1], -low[1]))
    alone = simultaneous_interval(moved.mean(axis=0)[:1], moved[:, :1], telling, 1, relative=True)
    assert np.isnan(alone).all()


def test_nothing_tells() -> None:
    """Where no unit moves anything, or there is one unit only, there is no interval."""
    nothing = np.zeros((20, 3))
    assert np.isnan(simultaneous_interval(nothing.mean(axis=0), nothing, np.zeros(20, dtype=bool), 3)).all()
    assert np.isnan(simultaneous_interval(nothing[0], np.ones((1, 3)), np.ones(1, dtype=bool), 3)).all()


@pytest.mark.parametrize("units", [50, 100, 500])
def test_all_hold_at_once(units: int) -> None:
    """Ten sparse means: their intervals all hold the truth in about nineteen of twenty data sets, or more."""
    random = np.random.default_rng(units)
    lean = np.linspace(0.2, 0.6, 10)
    truth, held, relative, sets = 0.15 * (2 * lean - 1), 0, 0, 400
    for _ in range(sets):
        telling = random.random(units) < 0.15
        moved = telling[:, None].astype(np.float64) * np.where(random.random((units, 10)) < lean, 1.0, -1.0)
        values = moved.mean(axis=0)
        low, high = simultaneous_interval(values, moved, telling, 10)
        held += bool(((low <= truth) & (truth <= high)).all())
        low, high = simultaneous_interval(values, moved, telling, 10, relative=True)
        apart = truth - truth.mean()
        relative += bool(((low <= apart) & (apart <= high)).all())
    assert held >= 0.93 * sets
    assert relative >= 0.93 * sets


@pytest.mark.parametrize(("units", "share"), [(50, 0.06), (100, 0.02), (300, 0.04)])
def test_rare_errors_of_each_by_itself(units: int, share: float) -> None:
    """Where a judge seldom errs, and not on the same units for all, an estimate without an error keeps its interval."""
    random = np.random.default_rng(units)
    held, relative, sets = 0, 0, 300
    for _ in range(sets):
        moved = (random.random((units, 20)) < share).astype(np.float64)
        telling = np.asarray(moved.any(axis=1))
        low, high = simultaneous_interval(moved.mean(axis=0), moved, telling, 20)
        held += bool(((low <= share) & (share <= high)).all())
        low, high = simultaneous_interval(moved.mean(axis=0), moved, telling, 20, relative=True)
        relative += bool(((low <= 0) & (high >= 0)).all())
    assert held >= 0.93 * sets
    assert relative >= 0.93 * sets
