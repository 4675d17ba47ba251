"""Simultaneous intervals: the probability that any of them misses is that of a single interval.

Made for a judge's bias for each run, which is 0 on every unit where judge and key agree. Means of such values are far
from normal, and their standard errors are imprecise.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.statistics.bootstrap import replicate
from karat.statistics.clusters import cluster_sums

ADDED_UNITS = 2
"""Units added to the sum of squares, as to the tables of `delta`."""
DRAWS = 2000
"""Resamples of the units."""
MOST_RESAMPLED = 2000
"""With more units than this, the sums of so many blocks are resampled, whose mean is as skewed."""


def simultaneous_interval(
    values: Floats,
    influence: Floats,
    telling: Bools,
    random: np.random.Generator,
    level: float = 0.95,
    *,
    judges: int = 1,
    relative: bool = False,
    cluster: Ints | None = None,
) -> tuple[Floats, Floats]:
    """Limits of estimates (estimates,), as many for each of `judges`, from the influence of units (units, estimates).

    Each limit is the farther of two. One is Student's with Bonferroni's correction. The other, for skewed values, is
    the studentised bootstrap's for the largest and for the smallest of all estimates at once, with Bonferroni's
    correction for the judges. `relative` limits are for each estimate minus the mean of all. NaN if no unit is
    informative (`telling`). With `cluster`, the clusters of units take their place.

    Two corrections keep the coverage if few units are informative. Two units enter every sum of squares, with the
    average influence of those that move an estimate, so that one that no unit moves has an interval too; and Student's
    degrees of freedom are estimated from the kurtosis, 2n/(kurtosis − 1), which is about n for normal data and twice
    the number of nonzero values if most are 0.
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
    # The relative estimates of two differ only in sign: one test, whose two tails are one event.
    mirrored = relative and len(values) == 2
    tail = (1 - level) / judges / 2
    student = stdtrit(freedom, 1 - tail / (1 if mirrored else len(values)))
    least, most = _extremes(apart[:, known], more, tail * (2 if mirrored else 1), random)
    error = np.sqrt(squares / (units * (units - 1)))
    return values - np.maximum(student, most) * error, values + np.maximum(student, -least) * error


def _extremes(apart: Floats, more: float, tail: float, random: np.random.Generator) -> tuple[float, float]:
    """Below and above which the smallest and the largest of the resampled t statistics seldom are."""
    if not apart.shape[1]:
        return 0.0, 0.0
    if len(apart) > MOST_RESAMPLED:
        apart = cluster_sums(apart.T, np.arange(len(apart)) % MOST_RESAMPLED).T
    units = len(apart)

    def ends(weights: Floats) -> Floats:
        total = weights @ apart
        squares = weights @ apart**2 - total**2 / units + ADDED_UNITS * more
        t = total / np.sqrt(np.maximum(squares, np.finfo(float).tiny) * units / (units - 1))
        return np.stack([t.min(axis=1), t.max(axis=1)], axis=1)

    least, most = replicate(ends, units, DRAWS, random).T
    return float(np.quantile(least, tail)), float(np.quantile(most, 1 - tail))
