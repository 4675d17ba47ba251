"""How many units show a difference, and what difference a number of units shows: two-sided, paired.

Right/wrong scores: `discordance` is the share of units that exactly one of two runs gets right, and the difference
of their accuracies is `difference`. Connor's formula (1987) is the normal one; the exact test's own power is summed
over the number of discordant units. Graded scores: a paired t test, by the noncentral t distribution.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from karat.statistics.mcnemar import mcnemar

Floats = NDArray[np.float64]
MOST = 10**9
"""Units beyond which nobody goes on looking."""
NEAR = 10
"""How far the exact bound of a binomial is looked for around the normal one."""


def _quantiles(power: float, level: float) -> tuple[float, float]:
    return NormalDist().inv_cdf(1 - level / 2), NormalDist().inv_cdf(power)


def connor_units(discordance: ArrayLike, difference: ArrayLike, power: float = 0.8, level: float = 0.05) -> Floats:
    """Units for a difference of two accuracies to be found with this power (Connor 1987).

    Runs that differ by d disagree on d of the units at least: a smaller discordance is taken as d.
    """
    alpha, beta = _quantiles(power, level)
    difference = np.asarray(difference, dtype=np.float64)
    psi = np.maximum(discordance, np.abs(difference))
    with np.errstate(divide="ignore", invalid="ignore"):
        root = alpha * np.sqrt(psi) + beta * np.sqrt(np.maximum(psi - np.square(difference), 0.0))
        units = np.where(root > 0, np.ceil(np.square(root / difference) - 1e-9), 1.0)
    return np.where(difference == 0, np.inf, units)[()]


def connor_power(units: ArrayLike, discordance: ArrayLike, difference: ArrayLike, level: float = 0.05) -> Floats:
    """The power to find a difference with so many units."""
    from scipy.special import ndtr

    alpha, _ = _quantiles(0.5, level)
    difference = np.asarray(difference, dtype=np.float64)
    psi = np.maximum(discordance, np.abs(difference))
    spread = np.sqrt(np.maximum(psi - np.square(difference), 1e-300))
    return ndtr((np.abs(difference) * np.sqrt(units) - alpha * np.sqrt(psi)) / spread)[()]


def connor_detectable(discordance: ArrayLike, units: ArrayLike, power: float = 0.8, level: float = 0.05) -> Floats:
    """The smallest difference that so many units find with this power; NaN where none up to the discordance is.

    Connor's formula solved for the difference: a quadratic in √units · difference.
    """
    alpha, beta = _quantiles(power, level)
    units, psi = np.asarray(units, dtype=np.float64), np.asarray(discordance, dtype=np.float64)
    first, bend = alpha * np.sqrt(psi), 1 + beta**2 / units
    inside = first**2 - bend * (first**2 - beta**2 * psi)
    with np.errstate(invalid="ignore"):
        root = (first + np.sign(beta) * np.sqrt(inside)) / bend / np.sqrt(units)
        return np.where((root > 0) & (root <= psi), root, np.nan)[()]


def mcnemar_power(units: int, discordance: float, difference: float, level: float = 0.05, mid: bool = False) -> float:
    """The exact power of McNemar's exact test (or of its mid-p version); its size, where the difference is 0."""
    from scipy.special import bdtr, bdtrc, gammaln, xlog1py, xlogy

    psi = max(discordance, abs(difference))
    if psi <= 0:
        return 0.0
    # Twelve standard deviations around the mean are all that a double can tell from nothing.
    around = 12 * np.sqrt(units * psi * (1 - psi)) + 12
    discordant = np.arange(max(0, int(units * psi - around)), min(units, int(units * psi + around)) + 1)
    log = gammaln(units + 1) - gammaln(discordant + 1) - gammaln(units - discordant + 1)
    chance = np.exp(log + xlogy(discordant, psi) + xlog1py(units - discordant, -psi))
    kept = chance > 1e-16 * chance.max()
    discordant, chance = discordant[kept], chance[kept]
    bound = rejection_bounds(discordant, level, mid).astype(np.float64)
    better = (psi + abs(difference)) / (2 * psi)
    rejects = bound >= 0
    low = np.where(rejects, bdtr(np.maximum(bound, 0), discordant, better), 0.0)
    high = np.where(rejects, bdtrc(np.maximum(discordant - bound - 1, 0), discordant, better), 0.0)
    return float(chance @ (low + high))


def rejection_bounds(discordant: NDArray[np.int64], level: float = 0.05, mid: bool = False) -> NDArray[np.int64]:
    """The most wins of the loser with which McNemar's test still rejects, by number of discordant units; or −1."""
    alpha, _ = _quantiles(0.5, level)
    near = np.floor(discordant / 2 - alpha * np.sqrt(discordant) / 2).astype(np.int64)
    tried = near[:, None] + np.arange(-NEAR, NEAR + 1)
    sensible = (tried >= 0) & (2 * tried < discordant[:, None])
    fewer = np.where(sensible, tried, 0)
    p = mcnemar(fewer, np.maximum(discordant[:, None] - fewer, 0), mid)
    return np.where(sensible & (p <= level), tried, -1).max(axis=1)


def t_power(units: ArrayLike, deviation: ArrayLike, difference: ArrayLike, level: float = 0.05) -> Floats:
    """The power of a paired t test where differences have this standard deviation."""
    from scipy.special import nctdtr, stdtrit

    units = np.asarray(units, dtype=np.float64)
    freedom = np.maximum(units - 1, 1e-9)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.abs(difference) * np.sqrt(units) / np.asarray(deviation)
    bound = stdtrit(freedom, 1 - level / 2)
    # The distribution's tails are lost far out (NaN), where the power is 1 to every digit anyway.
    sure = shift > 3 * bound + 8
    held = np.where(sure, 0.0, shift)
    power = 1 - nctdtr(freedom, held, bound) + np.nan_to_num(nctdtr(freedom, held, -bound))
    return np.where(units < 2, 0.0, np.where(sure, 1.0, power))[()]


def t_units(deviation: float, difference: float, power: float = 0.8, level: float = 0.05) -> float:
    """The fewest units with which a paired t test has this power; infinite where there are none."""
    if difference == 0:
        return float("inf")
    high = 2
    while t_power(high, deviation, difference, level) < power:
        high *= 2
        if high > MOST:
            return float("inf")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        enough = t_power(middle, deviation, difference, level) >= power
        low, high = (low, middle) if enough else (middle, high)
    return float(high)


def paired_units(
    spread: float, difference: float, power: float = 0.8, level: float = 0.05, *, graded: bool = False
) -> int | None:
    """Units for a difference of two runs to be found; None where no number of them suffices.

    `spread` is the discordance of right/wrong scores (Connor's formula), or the variance of graded ones' differences
    (a paired t test).
    """
    if graded:
        found = t_units(float(np.sqrt(spread)), difference, power, level) if spread > 0 else 2.0
    else:
        found = float(connor_units(spread, difference, power, level))
    return int(found) if np.isfinite(found) else None


def t_detectable(deviation: float, units: int, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest difference that a paired t test finds with so many units and this power."""
    if units < 2 or not deviation > 0:
        return float("nan")
    low, high = 0.0, deviation
    while t_power(units, deviation, high, level) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        enough = t_power(units, deviation, middle, level) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high
