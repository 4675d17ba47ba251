"""Intervals from a standard error, for quantities with a lowest and a highest value.

Near an end of its range an estimate is skewed, and its standard error is smallest where the estimate is most extreme,
so the symmetric interval (Wald's) lies too close to the end and is too short. Wilson's interval does not have this
fault, and needs only a proportion and its number of trials. Any bounded quantity, scaled to 0…1, is as precise as a
proportion p from p(1 − p)/error² trials. For a plain proportion that is the number of units, and the interval is
Wilson's own.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats
from karat.statistics.wilson import quantile, student, wilson

NO_WIDTH = 1e-7
"""A half-width below this is rounding error, not uncertainty."""
WALD_FROM = 50.0
"""With this many effective hits and misses all intervals have the same coverage, and Wald's is the one that is
published: kappa ± 1.96 standard errors of Fleiss, Cohen and Everitt."""
FEWEST_EXPECTED = 5.0
"""The expected count in every cell from which a standard error can be trusted (Cochran 1954)."""


def wald(
    value: Floats,
    error: Floats,
    bounds: tuple[float, float],
    level: float = 0.95,
    freedom: Floats | None = None,
) -> tuple[Floats, Floats]:
    """The value ± a multiple of its error, truncated to the range, unless the value itself is outside of it.

    The quantile is normal, or Student's t with `freedom`. NaN if the error vanishes: a statistic that is flat to first
    order would get an interval of width 0, and appear certain.
    """
    half = (quantile(level) if freedom is None else student(level, freedom)) * np.asarray(error)
    undefined = np.isnan(value) | ~(half > NO_WIDTH)
    lowest = np.where(np.asarray(value) < bounds[0], -np.inf, bounds[0])
    highest = np.where(np.asarray(value) > bounds[1], np.inf, bounds[1])
    ends = (np.clip(value - half, lowest, highest), np.clip(value + half, lowest, highest))
    low, high = (np.where(undefined, np.nan, end)[()] for end in ends)
    return low, high


def trials_worth(value: Floats, error: Floats, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """The quantity as a share of its range, and the number of trials of an equally precise proportion; 0 if none."""
    width = bounds[1] - bounds[0]
    if not np.isfinite(width):
        return np.full(np.shape(value), np.nan), np.zeros(np.shape(value))
    share = (np.asarray(value) - bounds[0]) / width
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = share * (1 - share) * (width / np.asarray(error)) ** 2
    return share, np.where(trials > 0, trials, 0.0)


def plenty(value: Floats, error: Floats, bounds: tuple[float, float], units: Floats | float = np.inf) -> Bools:
    """Whether the quantity is so many errors away from both ends of its range that Wald's interval is accurate.

    Trials are limited to the number of units: however many ballots each has, few units say little about the spread.
    """
    share, trials = trials_worth(value, error, bounds)
    return np.asarray(np.minimum(trials, units) * np.minimum(share, 1 - share) >= WALD_FROM)


def expected(shares: Floats, others: Floats, units: Floats) -> Bools:
    """Whether every cell of two independent margins (…, labels) has a large enough expected count (Cochran).

    An error that is too small because a rare pair of labels happens not to occur cannot be recognised by itself.
    """
    rarest = shares.min(axis=-1) * others.min(axis=-1)
    return np.asarray((rarest > 0) & (units * np.where(rarest > 0, rarest, 1.0) >= FEWEST_EXPECTED))


def holding(value: Floats, ends: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """An interval extended to contain the value; NaN if either is."""
    low, high = np.minimum(ends[0], value), np.maximum(ends[1], value)
    return low, high


def bounded(value: Floats, error: Floats, bounds: tuple[float, float], level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval with the effective number of trials, Wald's if there are plenty; NaN where Wald's is."""
    ends = wald(value, error, bounds, level)
    share, trials = trials_worth(value, error, bounds)
    few = (trials > 0) & ~plenty(value, error, bounds) & ~np.isnan(ends[0])
    scaled = (bounds[0] + (bounds[1] - bounds[0]) * end for end in wilson(share, trials, level))
    low, high = (np.where(few, one, other)[()] for one, other in zip(scaled, ends, strict=True))
    return low, high
