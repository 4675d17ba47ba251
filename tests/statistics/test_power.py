"""Power: reference values to the unit, exact tests by enumeration and simulation, t against statsmodels."""

from __future__ import annotations

import itertools
import math
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.power import TTestPower

from karat.statistics.paired import mcnemar
from karat.statistics.power import (
    FORMULA_FROM,
    connor_units,
    mcnemar_detectable,
    mcnemar_power,
    mcnemar_units,
    paired_units,
    rejection_bounds,
    smallest_found,
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


def connor_finds(discordance: float, units: float, power: float, level: float, difference: float) -> bool:
    """Whether so many units are enough by Connor's formula."""
    return bool(connor_units(discordance, difference, power, level) <= units)


@pytest.mark.parametrize(("pairs", "expected"), [(1, [0.0313, 0.0442, 0.0542]), (66, [0.0470, 0.0664, 0.0813])])
def test_detectable(pairs: int, expected: list[float]) -> None:
    """What 800 units detect at discordance .1, .2, .3, alone and with Bonferroni over 66 pairs: Connor's, and more."""
    level = 0.05 / pairs
    for psi, reference in zip((0.1, 0.2, 0.3), expected, strict=True):
        found = smallest_found(partial(connor_finds, psi, 800, 0.8, level), psi)
        assert round(found, 4) == reference
        exact = mcnemar_detectable(psi, 800, level=level)
        assert found < exact < 1.05 * found
        powers = [mcnemar_power(800, psi, one, level) for one in (exact * 0.999, exact)]
        assert powers[0] < 0.8 <= powers[1]


@pytest.mark.parametrize(
    ("difference", "mid", "expected", "digits"),
    [(0.0443, False, 0.782, 3), (0, False, 0.0415, 4), (0.0443, True, 0.803, 3), (0, True, 0.0494, 4)],
)
def test_exact_power(difference: float, mid: bool, expected: float, digits: int) -> None:
    """Power and size of McNemar's exact test and its mid-p version at 800 units, discordance .2."""
    assert round(mcnemar_power(800, 0.2, difference, mid=mid), digits) == expected


def fewest_by_search(psi: float, difference: float, power: float, level: float, most: int) -> int:
    """The first number of units after the last that is too few, every one of them tried."""
    return 1 + max(n for n in range(most) if mcnemar_power(n, psi, difference, level) < power)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("level", [0.05, 0.001])
@pytest.mark.parametrize("discordance", [0.3, 0.9, 0.99, 1.0])
def test_units_are_the_fewest(discordance: float, level: float, power: float) -> None:
    """No later number of units is too few, and one fewer is: also where power is a saw."""
    for share in (0.4, 0.7, 1.0):
        difference = discordance * share
        found = int(mcnemar_units(discordance, difference, power, level))
        assert found == fewest_by_search(discordance, difference, power, level, 2 * found + 30)


@pytest.mark.parametrize(
    ("discordance", "difference"), [(0.1, 0.03), (0.2, 0.05), (0.3, 0.1), (0.2, 0.01), (0.6, 0.1), (1.0, 0.2)]
)
def test_units_have_the_power(discordance: float, difference: float) -> None:
    """In 20,000 simulated test sets of that size McNemar's exact test finds the difference in 80 %; not in Connor's."""
    units, connor = int(mcnemar_units(discordance, difference)), int(connor_units(discordance, difference))
    assert units > connor
    random = np.random.default_rng(int(1000 * discordance))
    shares = [(discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance]
    for number, enough in ((units, True), (connor, False)):
        won, lost, _ = random.multinomial(number, shares, 20_000).T
        found = float((mcnemar(won, lost) <= 0.05).mean())
        assert found == pytest.approx(mcnemar_power(number, discordance, difference), abs=4 * math.sqrt(0.16 / 20_000))
        assert (mcnemar_power(number, discordance, difference) >= 0.8) == enough


@settings(deadline=None)  # bounds are worked out once, and that takes a while
@given(
    discordance=st.floats(0.05, 0.95),
    power=st.sampled_from([0.5, 0.8, 0.9]),
    level=st.sampled_from([0.1, 0.05, 0.05 / 4005]),
)
def test_many_units_are_near_the_exact_ones(discordance: float, power: float, level: float) -> None:
    """Where Connor's formula and 2/difference stand for the search, the power is what was wanted, to .003."""
    units = 1.1 * FORMULA_FROM / (discordance * (1 - discordance))
    difference = smallest_found(partial(connor_finds, discordance, units, power, level), discordance)
    found = int(mcnemar_units(discordance, difference, power, level))
    assert mcnemar_power(found, discordance, difference, level) == pytest.approx(power, abs=0.003)


def test_discordance_is_at_least_the_difference() -> None:
    """Runs that differ by .1 disagree on a tenth of the units: less is taken as that."""
    assert connor_units(0.01, 0.1) == connor_units(0.1, 0.1)
    assert mcnemar_power(200, 0.01, 0.1) == mcnemar_power(200, 0.1, 0.1)
    assert mcnemar_units(0.01, 0.1) == mcnemar_units(0.1, 0.1)


def test_undefined() -> None:
    """No difference takes infinitely many units; too few units detect nothing; no discordance, no power."""
    assert connor_units(0.2, 0.0) == mcnemar_units(0.2, 0.0) == math.inf
    assert paired_units(0.2, 0.0) is None
    assert math.isnan(mcnemar_detectable(0.1, 10))
    assert math.isnan(mcnemar_detectable(0.0, 100))
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


@pytest.mark.parametrize("level", [0.2, 0.05, 0.05 / 66, 1e-9])
def test_rejection_bounds(level: float) -> None:
    """The largest minority that is still significant, for every number of discordant units up to 300, and some more."""
    discordant = np.append(np.arange(300), [1000, 20_011])
    for number, bound in zip(discordant.tolist(), rejection_bounds(discordant, level).tolist(), strict=True):
        if bound >= 0:
            assert binomtest(bound, number).pvalue <= level
        if 2 * (bound + 1) < number:
            assert binomtest(bound + 1, number).pvalue > level


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
