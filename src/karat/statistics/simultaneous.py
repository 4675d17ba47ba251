"""Simultaneous intervals: the probability that any of them misses is that of a single interval.

Made for a judge's bias for each run, which is 0 on every unit where judge and key agree. Means of such values are far
from normal, and their standard errors are imprecise.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.statistics.clusters import cluster_sums

ADDED_UNITS = 2
"""Units added to the sum of squares, as to the tables of `delta`."""


def simultaneous_interval(
    values: Floats,
    influence: Floats,
    telling: Bools,
    family: int,
    level: float = 0.95,
    *,
    relative: bool = False,
    cluster: Ints | None = None,
) -> tuple[Floats, Floats]:
    """Limits of estimates (estimates,) in a family of `family`, from the influence of each unit (units, estimates).

    Bonferroni, with Student's quantile. Two corrections keep the coverage if few units are informative (`telling`): two
    units enter the sum of squares, with the average influence of those that move an estimate, so that one that no unit
    moves has an interval too; and the degrees of freedom are estimated from the kurtosis, 2n/(kurtosis − 1), which is
    about n for normal data and twice the number of nonzero values if most are 0. `relative` limits are for each
    estimate minus the mean of all. NaN if no unit is informative. With `cluster`, the clusters of units take their
    place.
    """
    from scipy.special import stdtrit  # here: scipy takes long to load

    if cluster is not None:
        sums = cluster_sums((influence - influence.mean(axis=0)).T, cluster).T
        influence, telling = sums * len(sums) / len(influence), cluster_sums(telling.astype(float), cluster) > 0
    units = len(influence)
    if units < 2 or not telling.any():
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    apart = influence - influence.mean(axis=0)
    moving = telling[:, None] & (influence != 0)
    more = (apart[moving] ** 2).mean() if moving.any() else 0.0
    if relative:
        values, apart = values - values.mean(), apart - apart.mean(axis=1, keepdims=True)
        more *= 1 - 1 / len(values)  # as for uncorrelated values
    squares, fourth = (apart**2).sum(axis=0) + ADDED_UNITS * more, (apart**4).sum(axis=0) + ADDED_UNITS * more**2
    known = squares > 1e-20 * units  # a value that is 0 on every unit leaves only rounding error
    freedom = 2 / np.maximum(fourth / np.where(known, squares, np.nan) ** 2 - 1 / units, 1e-12)
    half = stdtrit(freedom, 1 - (1 - level) / (2 * family)) * np.sqrt(squares / (units * (units - 1)))
    return values - half, values + half
