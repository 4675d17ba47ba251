"""Power: the reference values to the unit, exact tests by enumeration, t against statsmodels."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.power import TTestPower

from karat.statistics.power import (
    connor_detectable,
    connor_power,
    connor_units,
    mcnemar_power,
    rejection_bounds,
    t_detectable,
    t_power,
    t_units,
)


@pytest.mark.parametrize(
    ("discordance", "units"),
    [(0.1, [7847, 1960, 870, 312]), (0.2, [15696, 3923, 1742, 626]), (0.3, [23545, 5885, 2614, 940])],
)
def test_connor(discordance: float, units: list[int]) -> None:
    """Units for .01, .02, .03 and .05 at power .8, two-sided .05."""
    assert connor_units(discordance, [0.01, 0.02, 0.03, 0.05]).tolist() == units


@pytest.mark.parametrize(("pairs", "expected"), [(1, [0.0313, 0.0442, 0.0542]), (66, [0.0470, 0.0664, 0.0813])])
def test_detectable(pairs: int, expected: list[float]) -> None:
    """What 800 units detect at discordance .1, .2, .3, alone and with Bonferroni over 66 pairs."""
    found = connor_detectable([0.1, 0.2, 0.3], 800, level=0.05 / pairs)
    assert np.round(found, 4).tolist() == expected


@pytest.mark.parametrize(
    ("difference", "mid", "expected", "digits"),
    [(0.0443, False, 0.782, 3), (0, False, 0.0415, 4), (0.0443, True, 0.803, 3), (0, True, 0.0494, 4)],
)
def test_exact_power(difference: float, mid: bool, expected: float, digits: int) -> None:
    """Power and size of McNemar's exact test and its mid-p version at 800 units, discordance .2."""
    assert round(mcnemar_power(800, 0.2, difference, mid=mid), digits) == expected


@given(
    discordance=st.floats(0.02, 1),
    share=st.floats(0.05, 0.95),
    power=st.floats(0.55, 0.98),
    level=st.sampled_from([0.1, 0.05, 0.001]),
)
def test_connor_is_consistent(discordance: float, share: float, power: float, level: float) -> None:
    """Units, power and detectable difference are one formula, solved three ways."""
    difference = discordance * share
    units = float(connor_units(discordance, difference, power, level))
    assert connor_power(units, discordance, difference, level) >= power - 1e-9
    if units > 1:
        assert connor_power(units - 1, discordance, difference, level) < power
    found = float(connor_detectable(discordance, units, power, level))
    assert found <= difference + 1e-9
    assert connor_power(units, discordance, found, level) == pytest.approx(power)


def test_discordance_is_at_least_the_difference() -> None:
    """Runs that differ by .1 disagree on a tenth of the units: less is taken as that."""
    assert connor_units(0.01, 0.1) == connor_units(0.1, 0.1)
    assert mcnemar_power(200, 0.01, 0.1) == mcnemar_power(200, 0.1, 0.1)


def test_undefined() -> None:
    """No difference takes infinitely many units; too few units detect nothing; no discordance, no power."""
    assert connor_units(0.2, 0.0) == math.inf
    assert math.isnan(float(connor_detectable(0.1, 10)))
    assert mcnemar_power(100, 0.0, 0.0) == 0
    assert t_units(0.3, 0) == math.inf
    assert math.isnan(t_detectable(0.0, 100))
    assert math.isnan(t_detectable(0.3, 1))


@pytest.mark.parametrize("mid", [False, True])
def test_exact_power_by_enumeration(mid: bool) -> None:
    """The sum over discordant units is the sum over every outcome of twelve units."""
    units, psi, difference = 12, 0.6, 0.4
    won, lost = (psi + difference) / 2, (psi - difference) / 2
    power = 0.0
    for b, c in itertools.product(range(units + 1), repeat=2):
        if b + c <= units:
            p = binomtest(b, b + c).pvalue if b + c else 1.0
            if mid:
                here = math.comb(b + c, b) / 2 ** (b + c)
                p -= here if b != c else 1 - (1 - here / 2)
            chance = math.comb(units, b) * math.comb(units - b, c) * won**b * lost**c * (1 - psi) ** (units - b - c)
            power += chance * (p <= 0.05)
    assert mcnemar_power(units, psi, difference, mid=mid) == pytest.approx(power)


def test_rejection_bounds() -> None:
    """The largest minority that is still significant, for every number of discordant units up to 300."""
    for discordant, bound in enumerate(rejection_bounds(np.arange(300)).tolist()):
        if bound >= 0:
            assert binomtest(bound, discordant).pvalue <= 0.05
        if 2 * (bound + 1) < discordant:
            assert binomtest(bound + 1, discordant).pvalue > 0.05


@pytest.mark.parametrize("units", [2, 3, 5, 20, 100, 1000])
@pytest.mark.parametrize("effect", [0.0, 0.05, 0.2, 0.5, 1.0])
def test_t_power(units: int, effect: float) -> None:
    """The power of a paired t test is that of statsmodels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = TTestPower().power(effect, units, 0.05)
    assert t_power(units, 0.4, 0.4 * effect) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("effect", [0.02, 0.1, 0.5, 2.0])
def test_t_units(effect: float) -> None:
    """The fewest units are those of statsmodels, rounded up, and detect what they were asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = TTestPower().solve_power(effect, power=0.8, alpha=0.05)
    units = t_units(0.25, 0.25 * effect)
    assert units == math.ceil(expected - 1e-6)
    assert t_power(units, 0.25, t_detectable(0.25, int(units))) == pytest.approx(0.8, abs=1e-9)
    assert t_power(30, 1.0, 50.0) == 1
