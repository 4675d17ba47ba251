"""Intervals of bounded quantities: Wilson's of a proportion, Wald's where units abound, coverage, what has none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.statistics.bounded import bounded, plenty, wald


@pytest.mark.parametrize(("hits", "trials"), [(3, 10), (1, 40), (49, 50), (20, 60)])
@pytest.mark.parametrize(("bottom", "top"), [(0.0, 1.0), (-1.0, 1.0), (-0.5, 1.0)])
def test_a_proportion_on_another_scale(hits: int, trials: int, bottom: float, top: float) -> None:
    """A proportion that is stretched has scipy's Wilson interval, stretched."""
    share, width = hits / trials, top - bottom
    error = width * (share * (1 - share) / trials) ** 0.5
    theirs = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    low, high = bounded(np.array(bottom + width * share), np.array(error), (bottom, top))
    assert (float(low), float(high)) == pytest.approx((bottom + width * theirs.low, bottom + width * theirs.high))


def test_plenty_is_published() -> None:
    """Kappa .706526 with an error of .022489 (two judges, 800 pairs) has the interval that is printed everywhere."""
    value, error = np.array(0.706526), np.array(0.022489)
    assert plenty(value, error, (-1, 1))
    low, high = bounded(value, error, (-1, 1))
    assert (float(low), float(high)) == pytest.approx((0.662448, 0.750604), abs=2e-6)
    assert not plenty(value, 3 * error, (-1, 1))


@given(st.floats(0.001, 0.999), st.floats(1e-4, 0.5))
def test_holds_the_value_inside_the_range(share: float, error: float) -> None:
    """Ends are in the range, and the value between them."""
    low, high = bounded(np.array(share), np.array(error), (0, 1))
    assert 0 <= low <= share <= high <= 1


@pytest.mark.parametrize("ends", [bounded, wald])
def test_no_error_no_interval(ends: object) -> None:
    """Nothing is claimed where the error vanishes or the value is undefined."""
    for value, error in ((1.0, 0.0), (np.nan, 0.1), (0.5, np.nan)):
        assert np.isnan(ends(np.array(value), np.array(error), (-1, 1))).all()  # type: ignore[operator]


def test_outside_the_range() -> None:
    """A value that left its range, as Fleiss' kappa can, has Wald's interval, which holds it."""
    low, high = bounded(np.array(-1.1), np.array(0.2), (-1, 1))
    assert (float(low), float(high)) == (pytest.approx(-1.1 - 1.959964 * 0.2), pytest.approx(-1.1 + 1.959964 * 0.2))


def test_coverage_of_a_mean_of_shares() -> None:
    """The mean of 40 units' agreement, mostly 1: Wald's interval holds the truth in 90 %, this one in 94 % or more."""
    random = np.random.default_rng(0)
    values = random.choice([1.0, 0.6, 0.2], p=[0.85, 0.1, 0.05], size=(20_000, 40))
    truth, mean, error = 0.85 + 0.06 + 0.01, values.mean(axis=1), values.std(axis=1, ddof=1) / 40**0.5
    covered = {}
    for ends in (wald, bounded):
        low, high = ends(mean, error, (0, 1))
        covered[ends.__name__] = ((low <= truth) & (truth <= high))[~np.isnan(low)].mean()
    assert covered["wald"] < 0.92
    assert covered["bounded"] > 0.94
