"""The sample size for a difference, and the detectable difference for a sample size: two-sided, paired.

Right/wrong scores: `discordance` is the share of units that exactly one of two runs gets right, and `difference` the
difference of their accuracies. The test is McNemar's exact test, and its power is exact too, summed over the number
of discordant units. Connor's formula (1987) is for the normal test, which needs 1 to 8 % fewer units; here it is the
starting point of the search. Graded scores: a paired t test, with the noncentral t distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from karat.arrays import Floats, Ints
from karat.statistics.paired import mcnemar

MOST_UNITS = 10**9
"""The search stops at this many units."""
SEARCHED_AROUND = 2
"""How far from the normal approximation the exact bound of a binomial is looked for."""
CACHED_BOUNDS = 1 << 13
"""Rejection bounds for up to this many discordant units are cached."""
SMOOTH_FROM = 25.0
"""From this variance of the number of discordant units on, power rises with every unit; below, it is a sawtooth."""
FORMULA_FROM = 2500.0
"""From this variance on, Connor's formula plus 2/difference is exact, or at most .3 % too large."""


def _quantiles(power: float, level: float) -> tuple[float, float]:
    return NormalDist().inv_cdf(1 - level / 2), NormalDist().inv_cdf(power)


def connor_units(discordance: ArrayLike, difference: ArrayLike, power: float = 0.8, level: float = 0.05) -> Floats:
    """The units needed to find a difference of two accuracies with this power (Connor 1987).

    Runs that differ by d disagree on at least a share d of the units, so a smaller discordance is taken as d.
    """
    alpha, beta = _quantiles(power, level)
    difference = np.asarray(difference, dtype=np.float64)
    psi = np.maximum(discordance, np.abs(difference))
    with np.errstate(divide="ignore", invalid="ignore"):
        root = alpha * np.sqrt(psi) + beta * np.sqrt(np.maximum(psi - np.square(difference), 0.0))
        units = np.where(root > 0, np.ceil(np.square(root / difference) - 1e-9), 1.0)
    return np.where(difference == 0, np.inf, units)[()]


def mcnemar_power(units: int, discordance: float, difference: float, level: float = 0.05, mid: bool = False) -> float:
    """The exact power of McNemar's exact test (or of its mid-p version); its size if the difference is 0."""
    psi = max(discordance, abs(difference))
    return _power_by_difference(units, psi, level, mid)(difference)


def _power_by_difference(units: int, psi: float, level: float, mid: bool = False) -> Callable[[float], float]:
    """The exact power as a function of the difference; everything that depends on the discordance is computed once."""
    from scipy.special import bdtr, bdtrc, gammaln, xlog1py, xlogy

    if psi <= 0:
        return lambda _: 0.0
    # Beyond twelve standard deviations from the mean, probabilities vanish in double precision.
    around = 12 * np.sqrt(units * psi * (1 - psi)) + 12
    discordant = np.arange(max(0, int(units * psi - around)), min(units, int(units * psi + around)) + 1)
    log = gammaln(units + 1) - gammaln(discordant + 1) - gammaln(units - discordant + 1)
    chance = np.exp(log + xlogy(discordant, psi) + xlog1py(units - discordant, -psi))
    most = int(discordant[-1])
    bounds = _bounds(1 << most.bit_length(), level, mid)[discordant] if most < CACHED_BOUNDS else None
    bound = rejection_bounds(discordant, level, mid) if bounds is None else bounds
    bound = np.where(chance > 1e-16 * chance.max(), bound, -1)
    discordant, chance, bound = discordant[bound >= 0], chance[bound >= 0], bound[bound >= 0].astype(np.float64)

    def power(difference: float) -> float:
        better = (psi + abs(difference)) / (2 * psi)
        return float(chance @ (bdtr(bound, discordant, better) + bdtrc(discordant - bound - 1, discordant, better)))

    return power


@lru_cache(maxsize=32)
def _bounds(number: int, level: float, mid: bool) -> Ints:
    """The bounds for 0 to `number` − 1 discordant units, cached because a search needs them again and again."""
    return rejection_bounds(np.arange(number), level, mid)


def rejection_bounds(discordant: Ints, level: float = 0.05, mid: bool = False) -> Ints:
    """The most wins of the worse run with which McNemar's test rejects, by number of discordant units; −1 if none."""
    z, _ = _quantiles(0.5, level)
    root = np.sqrt(np.maximum(discordant, 1))
    # The second term of the Cornish–Fisher expansion, since a binomial has lighter tails than a normal.
    near = np.floor(discordant / 2 - z * root / 2 - 0.5 + (z**3 - 3 * z) / (24 * root)).astype(np.int64)
    tried = near[:, None] + np.arange(-SEARCHED_AROUND, SEARCHED_AROUND + 1)
    sensible = (tried >= 0) & (2 * tried < discordant[:, None])
    fewer = np.where(sensible, tried, 0)
    p = mcnemar(fewer, np.maximum(discordant[:, None] - fewer, 0), mid)
    return np.where(sensible & (p <= level), tried, -1).max(axis=1)


def mcnemar_units(discordance: float, difference: float, power: float = 0.8, level: float = 0.05) -> float:
    """The fewest units from which McNemar's exact test has this power; infinite if there is no difference.

    If nearly all units are discordant, power rises as a sawtooth; the result is the size after which it no longer falls
    below the target.
    """
    psi, difference = max(discordance, abs(difference)), abs(difference)
    start = float(connor_units(psi, difference, power, level)) + (2 / difference if difference else 0.0)
    if not psi * (1 - psi) * start < FORMULA_FROM:
        return float(np.ceil(start))

    def enough(units: int) -> bool:
        return mcnemar_power(units, psi, difference, level) >= power

    found = _fewest(enough, int(start))
    if psi * (1 - psi) * found < SMOOTH_FROM:
        # One tooth is 2 discordant units, and power rises over about 2/difference units.
        later = [units for units in range(found, found + int(4 / difference) + 8) if not enough(units)]
        found = max([found, *(units + 1 for units in later)])
    return float(found)


def _fewest(enough: Callable[[int], bool], start: int) -> int:
    """The fewest units that are enough, searched from a guess; more than `MOST_UNITS` if none are."""
    step, high = 1, max(start, 1)
    while not enough(high):
        high += step
        step *= 2
        if high > MOST_UNITS:
            return high
    step, low = 1, high - 1
    while low > 0 and enough(low):
        low, high, step = max(low - step, 0), low, step * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def mcnemar_detectable(discordance: float, units: int, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest difference detectable with this power; NaN if not even one as large as the discordance is."""
    found = _power_by_difference(units, discordance, level)
    return smallest_found(lambda difference: found(difference) >= power, discordance)


def smallest_found(found: Callable[[float], bool], most: float) -> float:
    """The smallest difference that is found; NaN if the largest is not."""
    if not most > 0 or not found(most):
        return float("nan")
    low, high = 0.0, most
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def t_power(units: ArrayLike, deviation: ArrayLike, difference: ArrayLike, level: float = 0.05) -> Floats:
    """The power of a paired t test if differences have this standard deviation."""
    from scipy.special import nctdtr, stdtrit

    units = np.asarray(units, dtype=np.float64)
    freedom = np.maximum(units - 1, 1e-9)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.abs(difference) * np.sqrt(units) / np.asarray(deviation)
    bound = stdtrit(freedom, 1 - level / 2)
    # Far out the noncentral distribution function returns NaN, but the power is 1 to all digits there.
    sure = shift > 3 * bound + 8
    held = np.where(sure, 0.0, shift)
    power = 1 - nctdtr(freedom, held, bound) + np.nan_to_num(nctdtr(freedom, held, -bound))
    return np.where(units < 2, 0.0, np.where(sure, 1.0, power))[()]


def t_units(deviation: float, difference: float, power: float = 0.8, level: float = 0.05) -> float:
    """The fewest units with which a paired t test has this power; infinite if there are none."""
    if difference == 0:
        return float("inf")
    found = _fewest(lambda units: bool(t_power(units, deviation, difference, level) >= power), 2)
    return float(found) if found <= MOST_UNITS else float("inf")


def paired_units(
    spread: float, difference: float, power: float = 0.8, level: float = 0.05, *, graded: bool = False
) -> int | None:
    """The units needed to find a difference between two runs; None if no number is enough.

    `spread` is the discordance of right/wrong scores (McNemar's exact test), or the variance of the differences of
    graded scores (a paired t test).
    """
    if graded:
        found = t_units(float(np.sqrt(spread)), difference, power, level) if spread > 0 else 2.0
    else:
        found = mcnemar_units(spread, difference, power, level)
    return int(found) if np.isfinite(found) else None


def t_detectable(deviation: float, units: int, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest difference that a paired t test detects with this many units and this power."""
    if units < 2 or not deviation > 0:
        return float("nan")

    def found(difference: float) -> bool:
        return bool(t_power(units, deviation, difference, level) >= power)

    high = deviation
    while not found(high):
        high *= 2
    return smallest_found(found, high)
