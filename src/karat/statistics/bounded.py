"""Intervals from a standard error, for quantities that have a lowest and a highest value.

Near an end of its range an estimate is skewed, and its standard error is smallest where the estimate is most extreme:
the symmetric interval (Wald's) lies too close to the end and is too short. Wilson's does not, and it asks only for a
proportion and its number of trials. Any bounded quantity, scaled to 0…1, is as precise as the proportion p of some
number of trials: p(1 − p)/error². Of a plain proportion that is the number of units, and the interval Wilson's own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.statistics.wilson import quantile, student, wilson

FLAT = 1e-7
"""A half-width below this is rounding, not uncertainty."""
WALD_FROM = 50.0
"""With so many effective hits and as many misses all intervals cover alike, and Wald's is the one that is published:
kappa ± 1.96 standard errors of Fleiss, Cohen and Everitt."""
EXPECTED = 5.0
"""How many units of every pair of labels chance alone must give for a standard error to be trusted (Cochran 1954)."""


def wald(
    value: Floats,
    error: Floats,
    bounds: tuple[float, float],
    level: float = 0.95,
    freedom: Floats | None = None,
) -> tuple[Floats, Floats]:
    """So many errors below and above, kept inside the range; a value beyond an end of it is not held to that end.

    The quantile is normal, or Student's with `freedom`. NaN where the error vanishes: a statistic that is flat to first
    order would have an interval of no width, and claim certainty.
    """
    half = (quantile(level) if freedom is None else student(level, freedom)) * np.asarray(error)
    undefined = np.isnan(value) | ~(half > FLAT)
    lowest = np.where(np.asarray(value) < bounds[0], -np.inf, bounds[0])
    highest = np.where(np.asarray(value) > bounds[1], np.inf, bounds[1])
    ends = (np.clip(value - half, lowest, highest), np.clip(value + half, lowest, highest))
    low, high = (np.where(undefined, np.nan, end)[()] for end in ends)
    return low, high


def trials_worth(value: Floats, error: Floats, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """The quantity as a share of its range, and the trials that make a proportion as precise; 0 where none do."""
    width = bounds[1] - bounds[0]
    if not np.isfinite(width):
        return np.full(np.shape(value), np.nan), np.zeros(np.shape(value))
    share = (np.asarray(value) - bounds[0]) / width
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = share * (1 - share) * (width / np.asarray(error)) ** 2
    return share, np.where(trials > 0, trials, 0.0)


def plenty(
    value: Floats, error: Floats, bounds: tuple[float, float], units: Floats | float = np.inf
) -> NDArray[np.bool_]:
    """Where the quantity is so far from both ends of its range, in errors, that Wald's interval will do.

    Trials are no more than units: however many ballots each unit has, few units know little of their own spread.
    """
    share, trials = trials_worth(value, error, bounds)
    return np.asarray(np.minimum(trials, units) * np.minimum(share, 1 - share) >= WALD_FROM)


def expected(shares: Floats, others: Floats, units: Floats) -> NDArray[np.bool_]:
    """Where chance alone gives every pair of labels, from shares (…, labels) of each side, units enough (Cochran).

    An error that is small because a rare pair of labels happens not to occur does not show in the error itself.
    """
    rarest = shares.min(axis=-1) * others.min(axis=-1)
    return np.asarray((rarest > 0) & (units * np.where(rarest > 0, rarest, 1.0) >= EXPECTED))


def holding(value: Floats, ends: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Ends stretched to hold the value; NaN where there is none."""
    low, high = np.minimum(ends[0], value), np.maximum(ends[1], value)
    return low, high


def bounded(value: Floats, error: Floats, bounds: tuple[float, float], level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval with the trials that the error is worth, Wald's where they are plenty; NaN as Wald's."""
    ends = wald(value, error, bounds, level)
    share, trials = trials_worth(value, error, bounds)
    few = (trials > 0) & ~plenty(value, error, bounds) & ~np.isnan(ends[0])
    scaled = (bounds[0] + (bounds[1] - bounds[0]) * end for end in wilson(share, trials, level))
    low, high = (np.where(few, one, other)[()] for one, other in zip(scaled, ends, strict=True))
    return low, high
