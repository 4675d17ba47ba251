"""Intervals of many estimates at once: the chance that any of them misses is what a single one is allowed.

Made for a judge's bias for each run, which is 0 on every unit where the judge and the key agree. Means of such values
are far from normal, and their standard errors are badly known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats

MORE = 2
"""Units added to the sum of squares, as to the tables of `delta`."""


def simultaneous_interval(
    values: Floats,
    influence: Floats,
    telling: NDArray[np.bool_],
    family: int,
    level: float = 0.95,
    *,
    relative: bool = False,
) -> tuple[Floats, Floats]:
    """Bounds of estimates (estimates,) from how each unit moves them (units, estimates), in a family of so many.

    Bonferroni, with Student's quantile. Two things keep it honest where few units tell anything (`telling`): two units
    more, as influential as these are on average, enter the sum of squares; and the degrees of freedom follow from the
    kurtosis, 2n/(kurtosis − 1), which is about n for normal data and twice the number of values other than 0 where
    most are 0. `relative` bounds are of each estimate less the mean of all. NaN where no unit tells anything.
    """
    from scipy.special import stdtrit  # here: scipy takes long to load

    units = len(influence)
    if units < 2 or not telling.any():
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    apart = influence - influence.mean(axis=0)
    more = np.nanmean(apart[telling] ** 2)
    if relative:
        values, apart = values - values.mean(), apart - apart.mean(axis=1, keepdims=True)
        more *= 1 - 1 / len(values)  # as of values that have nothing to do with each other
    squares, fourth = (apart**2).sum(axis=0) + MORE * more, (apart**4).sum(axis=0) + MORE * more**2
    known = squares > 1e-20 * units  # what is 0 on every unit leaves rounding
    freedom = 2 / np.maximum(fourth / np.where(known, squares, np.nan) ** 2 - 1 / units, 1e-12)
    half = stdtrit(freedom, 1 - (1 - level) / (2 * family)) * np.sqrt(squares / (units * (units - 1)))
    return values - half, values + half
