"""The bootstrap, percentile and BCa. A resample is a weight axis: the statistic is called once for many."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from karat.kernels.resampling import resampled_weights

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""Weights (replicates, units) to values (replicates)."""

BLOCKS = 1000
"""The jackknife leaves out blocks once there are more units than this: skewness needs no more."""
CHUNK = 4_000_000
"""Weights held in memory at a time."""


def replicate(statistic: Statistic, units: int, replicates: int, random: np.random.Generator) -> Floats:
    """The statistic on so many resamples of the units, drawn in chunks that fit in memory."""
    rows = max(1, CHUNK // max(units, 1))
    done, values = 0, []
    while done < replicates:
        take = min(rows, replicates - done)
        values.append(statistic(resampled_weights(units, take, random)))
        done += take
    return np.concatenate(values)


def percentile_interval(values: Floats, level: float = 0.95) -> tuple[float, float]:
    """The middle of the bootstrap distribution."""
    return _quantiles(values, (1 - level) / 2, (1 + level) / 2)


def bca_interval(
    statistic: Statistic, units: int, random: np.random.Generator, replicates: int = 2000, level: float = 0.95
) -> tuple[float, float]:
    """Efron's bias-corrected and accelerated interval; NaN where the statistic does not vary."""
    values = replicate(statistic, units, replicates, random)
    estimate = float(statistic(np.ones((1, units)))[0])
    if np.isnan(estimate) or np.nanmin(values) == np.nanmax(values):
        return float("nan"), float("nan")
    normal = NormalDist()
    defined = values[~np.isnan(values)]
    # Half of the ties below: lattice statistics repeat their own value often.
    below = ((defined < estimate).sum() + 0.5 * (defined == estimate).sum()) / len(defined)
    bias = normal.inv_cdf(min(max(below, 0.5 / len(defined)), 1 - 0.5 / len(defined)))
    acceleration = _acceleration(statistic, units, random)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal.inv_cdf(tail)
        ends.append(normal.cdf(bias + z / (1 - acceleration * z)))
    return _quantiles(defined, *ends)


def _acceleration(statistic: Statistic, units: int, random: np.random.Generator) -> float:
    """Skewness of the jackknife values over six, from leaving out units, or blocks of them where they are many."""
    blocks = min(units, BLOCKS)
    block_of = random.permutation(np.arange(units) % blocks)
    rows = max(1, CHUNK // max(units, 1))
    values = np.concatenate(
        [
            statistic((block_of != np.arange(start, min(start + rows, blocks))[:, None]).astype(np.float64))
            for start in range(0, blocks, rows)
        ]
    )
    apart = np.nanmean(values) - values
    spread = np.nansum(apart**2)
    return float(np.nansum(apart**3) / (6 * spread**1.5)) if spread > 0 else 0.0


def _quantiles(values: Floats, low: float, high: float) -> tuple[float, float]:
    ends = np.nanquantile(values, [low, high])
    return float(ends[0]), float(ends[1])
