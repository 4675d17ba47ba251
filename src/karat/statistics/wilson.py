"""Wilson's interval for a proportion, and the quantiles of two-sided intervals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from karat.arrays import Floats


def quantile(level: float) -> float:
    """The normal quantile of a two-sided interval at this level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student(level: float, freedom: Floats | float) -> Floats:
    """Student's quantile of a two-sided interval at this level; NaN without degrees of freedom."""
    from scipy.special import stdtrit  # here: scipy takes long to load

    limited = np.where((freedom > 0) & (freedom < np.inf), freedom, 1.0)
    found = np.where(freedom < np.inf, stdtrit(limited, (1 + level) / 2), quantile(level))
    return np.where(freedom > 0, found, np.nan)[()]


def wilson(proportion: Floats, trials: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The limits of a proportion of `trials`; NaN if these are 0 or infinite (Wilson 1927)."""
    z = quantile(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        shrink = 1 + z * z / trials
        centre = (proportion + z * z / (2 * trials)) / shrink
        half = z / shrink * np.sqrt(proportion * (1 - proportion) / trials + (z / (2 * trials)) ** 2)
    # At 0 and 1 the limit is the proportion itself, which rounding must not exceed.
    low = np.where(proportion == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(proportion == 1, 1.0, np.minimum(centre + half, 1.0))
    undefined = np.isnan(proportion) | ~((trials > 0) & (trials < np.inf))
    return np.where(undefined, np.nan, low)[()], np.where(undefined, np.nan, high)[()]
