"""The bootstrap, percentile and BCa. Resamples are an axis of weights, so one call evaluates many of them."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.kernels.counting import divide, resampled_weights
from karat.progress import track

Statistic = Callable[[Floats], Floats]
"""Weights (replicates, units) to values (replicates, …): one statistic, or one per run."""

MOST_BLOCKS = 1000
"""With more units than this, the jackknife leaves out blocks of units, which is enough to estimate skewness."""
WEIGHTS_AT_A_TIME = 4_000_000
"""Weights held in memory at a time."""


def replicate(statistic: Statistic, units: int, replicates: int, random: np.random.Generator) -> Floats:
    """The statistic on `replicates` resamples of the units, drawn in chunks that fit into memory."""
    rows = max(1, WEIGHTS_AT_A_TIME // max(units, 1))
    takes = [min(rows, replicates - done) for done in range(0, replicates, rows)]
    return np.concatenate([statistic(resampled_weights(units, take, random)) for take in track(takes, "resampling")])


def percentile_interval(values: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The central quantiles of the bootstrap distribution (replicates, …)."""
    low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def bca_interval(
    statistic: Statistic, units: int, random: np.random.Generator, replicates: int = 2000, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Efron's bias-corrected and accelerated interval; NaN if the statistic is undefined or does not vary."""
    values = replicate(statistic, units, replicates, random)
    estimate = statistic(np.ones((1, units)))[0]
    skewed = acceleration(jackknife(statistic, units, random))
    shape = np.shape(estimate)
    ends = [
        _bca(column, float(centre), float(skew), level)
        for column, centre, skew in zip(
            values.reshape(replicates, -1).T, np.ravel(estimate), np.ravel(skewed), strict=True
        )
    ]
    low, high = (np.array(side).reshape(shape)[()] for side in zip(*ends, strict=True))
    return low, high


def _bca(values: Floats, estimate: float, acceleration: float, level: float) -> tuple[float, float]:
    values = values[~np.isnan(values)]
    if np.isnan(estimate) or np.isnan(acceleration) or not len(values) or np.ptp(values) < EXACT_TOLERANCE:
        return float("nan"), float("nan")
    normal = NormalDist()
    # Half of the ties count as below, because discrete statistics often repeat the estimate.
    below = ((values < estimate).sum() + 0.5 * (values == estimate).sum()) / len(values)
    bias = normal.inv_cdf(min(max(below, 0.5 / len(values)), 1 - 0.5 / len(values)))
    shifted = [bias + normal.inv_cdf(tail) for tail in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.quantile(values, [normal.cdf(bias + z / (1 - acceleration * z)) for z in shifted])
    return float(low), float(high)


def jackknife(statistic: Statistic, units: int, random: np.random.Generator) -> Floats:
    """Values (left out, …) without each unit, or without each block of units if there are many."""
    blocks = min(units, MOST_BLOCKS)
    block_of = random.permutation(np.arange(units) % blocks)
    rows = max(1, WEIGHTS_AT_A_TIME // max(units, 1))
    left_out = [np.arange(start, min(start + rows, blocks))[:, None] for start in range(0, blocks, rows)]
    parts = track(left_out, "leaving out")
    return np.concatenate([statistic((block_of != block).astype(np.float64)) for block in parts])


def from_mean(values: Floats) -> Floats:
    """The distance of each value from its column's mean, ignoring NaN."""
    # Not nanmean, which warns where every value is undefined.
    known = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    return values - np.nansum(values, axis=0) / known


def acceleration(left_out: Floats) -> Floats:
    """One sixth of the skewness of the jackknife values; NaN where they do not vary."""
    apart = -from_mean(left_out)
    largest = np.fmax.reduce(np.abs(apart), axis=0)
    apart = apart / np.where(largest > 0, largest, 1.0)  # or the cube of a small number would underflow
    return np.asarray(divide(np.nansum(apart**3, axis=0), 6 * np.nansum(apart**2, axis=0) ** 1.5))
