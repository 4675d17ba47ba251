"""Worse by more than a margin, or within it: how often either is said at the margin itself, where both are false."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, multinomial, norm, ttest_1samp

from karat.arrays import Floats
from karat.statistics.noninferiority import within_p, worse_p
from karat.statistics.paired import Paired

LEVEL = 0.025
FIRST, SECOND = np.array([0]), np.array([1])


def outcomes(units: int) -> tuple[Paired, Floats, Floats]:
    """Every possible number of losses and wins, as pairs of runs with these counts."""
    every, other = (axis.ravel() for axis in np.indices((units + 1, units + 1)))
    possible = every + other <= units
    lost, won = every[possible].astype(np.float64), other[possible].astype(np.float64)
    return Counts(lost, won, units), lost, won  # type: ignore[return-value]


class Counts:
    """What the tests look at of right/wrong scores, from counts alone."""

    right = True

    def __init__(self, lost: Floats, won: Floats, units: int) -> None:
        self.wins = won, lost
        self.units = self.clusters = units
        self.first = np.zeros(len(lost))
        self.differences = (won - lost) / units


@pytest.mark.parametrize("units", [10, 30, 60, 100, 200, 400])
def test_size_at_the_margin(units: int) -> None:
    """All outcomes, enumerated, for four margins and ten discordances: never above 2.8%, where 2.5% is nominal."""
    paired, lost, won = outcomes(units)
    for margin in (0.01, 0.02, 0.05, 0.1):
        said = [worse_p(paired, margin) <= LEVEL, within_p(paired, margin) <= LEVEL]
        for psi in {margin, 1.2 * margin, 1.5 * margin, 2 * margin, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0}:
            shares = [(psi + margin) / 2, (psi - margin) / 2, 1 - psi]
            chance = multinomial.pmf(np.stack([lost, won, units - lost - won], axis=-1), units, shares)
            for claim in said:
                assert chance[claim].sum() <= 0.028, (units, margin, psi)
            assert not (said[0] & said[1]).any()


def test_size_without_the_exact_bounds_is_too_large() -> None:
    """The score alone says "worse" nearly twice as often as it should where losses are rare: the bounds are needed."""
    from karat.statistics.paired import score_p

    _, lost, won = outcomes(200)
    chance = multinomial.pmf(np.stack([lost, won, 200 - lost - won], axis=-1), 200, [0.02, 0, 0.98])
    alone = 1 - score_p(lost, won, np.full(len(lost), 200.0), 0.02)
    assert chance[alone <= LEVEL].sum() > 0.045


def test_score_by_likelihood() -> None:
    """30 losses and 12 wins of 300, margin .02: the score at the most likely shares, found here by search."""
    units, margin, lost, won = 300, 0.02, 30, 12

    def surprise(wins: float) -> float:
        shares = np.array([wins + margin, wins, 1 - 2 * wins - margin])
        return -float(np.array([lost - 0.5, won, units - lost - won + 0.5]) @ np.log(shares))

    wins = minimize_scalar(surprise, bounds=(1e-9, 0.48), method="bounded", options={"xatol": 1e-12}).x
    error = np.sqrt(units * (2 * wins + margin - margin**2))
    by_hand = norm.sf((lost - 0.5 - won - units * margin) / error)
    found = worse_p(Counts(np.array([30.0]), np.array([12.0]), units), margin)  # type: ignore[arg-type]
    assert found == pytest.approx(by_hand, rel=1e-3)


def test_never_below_the_exact_tests() -> None:
    """Three losses of three are no proof of anything; without wins, losses are binomial."""
    three = Counts(np.array([3.0]), np.array([0.0]), 3)
    assert worse_p(three, 0.01) >= 1 / 8  # type: ignore[arg-type]
    five = Counts(np.array([5.0]), np.array([0.0]), 100)
    assert worse_p(five, 0.02) >= binom.sf(4, 100, 0.02)  # type: ignore[arg-type]


def test_graded_is_students_t() -> None:
    """Graded scores: scipy's t test of the differences against the margin; a constant difference by sign flips."""
    random = np.random.default_rng(4)
    values = random.random((2, 40))
    paired, apart = Paired.of(values, FIRST, SECOND), values[0] - values[1]
    assert worse_p(paired, 0.1) == pytest.approx(ttest_1samp(apart, -0.1, alternative="less").pvalue)
    assert within_p(paired, 0.1) == pytest.approx(
        max(ttest_1samp(apart, -0.1, alternative="greater").pvalue, binom.cdf(np.floor(max(-apart.sum(), 0)), 40, 0.1))
    )
    constant = Paired.of(np.array([[0.25] * 10, [0.5] * 10]), FIRST, SECOND)
    assert worse_p(constant, 0.1) == pytest.approx(2.0**-10)
    assert worse_p(constant, 0.3) == pytest.approx(1.0)
