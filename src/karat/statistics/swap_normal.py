"""The swap method with infinitely many trials, from means and variances of differences alone.

Means of n units are close to normal, so a pair of runs is told by its mean difference and the variance of its
differences, which one product of the score matrix with itself gives for all pairs. Two versions:

fresh   both sets are new samples: variance s²/n, no correlation. Holds at any n, the whole N included.
finite  both sets are disjoint parts of the N units at hand, as in the procedure: variance s²(1/n − 1/N) and
        correlation −n/(N−n), which is −1 for halves. For comparison with the procedure only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.kernels.gram import squared_distances
from karat.kernels.random import generator
from karat.kernels.resampling import resampled_weights

Floats = NDArray[np.float64]
CHUNK = 2_000_000
"""Numbers held at a time."""
NODES = 6
"""Of Gauss and Legendre's rule in a bin."""
RARE = 1e-6
"""A bin that so few of a million comparisons fall into has no rate."""
SAME = 1e-300
CROWD = 20_000
"""Pairs from which on those that hardly differ are taken together."""


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Of each pair of runs: the mean difference, the variance of differences, and how much the pair counts."""

    mean: Floats
    variance: Floats
    weight: Floats

    @property
    def different(self) -> PairMoments:
        """Without pairs whose runs have the same scores on every unit: they tie always."""
        kept = (self.variance > 0) | (self.mean != 0)
        return PairMoments(self.mean[kept], self.variance[kept], self.weight[kept])


def pair_moments(scores: Floats, units: Floats | None = None, runs: Floats | None = None) -> PairMoments:
    """Moments of all pairs of runs (runs, units), under weights of units and of runs where they are given."""
    count = scores.shape[1]
    weights = np.ones(count) if units is None else units
    total = weights.sum()
    one, other = np.triu_indices(len(scores), 1)
    means = scores @ weights / total
    mean = means[one] - means[other]
    square = squared_distances(scores * np.sqrt(weights))[one, other] / total
    variance = np.maximum(square - mean**2, 0.0) * count / max(count - 1, 1)
    # Rounding alone must not make a difference that is the same on every unit vary.
    variance[variance <= 1e-12 * square] = 0.0
    return PairMoments(mean, variance, np.ones_like(mean) if runs is None else runs[one] * runs[other])


def fresh_rates(pairs: PairMoments, size: int, edges: Floats) -> Floats:
    """The error rate of each bin when both sets are new samples of `size` units."""
    from scipy.special import ndtr

    if len(edges) < 2:
        return np.empty(0)
    pairs = _gathered(pairs.different, edges)
    error, mass = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for part in _parts(len(pairs.mean), len(edges)):
        deviation = np.sqrt(pairs.variance[part] / size)[:, None] + SAME
        mean, weight = pairs.mean[part][:, None], pairs.weight[part]
        ahead = np.diff(ndtr((edges - mean) / deviation), axis=1)
        behind = np.diff(ndtr((edges + mean) / deviation), axis=1)
        loses = ndtr(-mean / deviation)
        error += weight @ (ahead * loses + behind * (1 - loses))
        mass += weight @ (ahead + behind)
    return _rates(error, mass, pairs.weight.sum())


def finite_rates(pairs: PairMoments, size: int, units: int, edges: Floats) -> Floats:
    """The error rate of each bin when both sets are disjoint parts of the units at hand."""
    from scipy.special import ndtr

    if len(edges) < 2:
        return np.empty(0)
    pairs = _gathered(pairs.different, edges)
    correlation = -size / (units - size)
    rest = np.sqrt(max(1 - correlation**2, 0.0))
    nodes, shares = np.polynomial.legendre.leggauss(NODES)
    centres, half = (edges[1:] + edges[:-1]) / 2, (edges[1] - edges[0]) / 2
    at = (centres[:, None] + half * nodes).ravel()
    error, mass = np.zeros(len(centres)), np.zeros(len(centres))
    for part in _parts(len(pairs.mean), len(at)):
        deviation = np.sqrt(pairs.variance[part] * (1 / size - 1 / units))[:, None] + SAME
        for sign in (1.0, -1.0):
            # Behind by x is ahead by x with the two runs' names exchanged.
            mean = sign * pairs.mean[part][:, None]
            away = (at - mean) / deviation
            density = np.exp(-(away**2) / 2) / deviation * pairs.weight[part][:, None]
            opposite = ndtr(-(mean / deviation + correlation * away) / (rest + 1e-9))
            mass += (density.sum(axis=0).reshape(-1, NODES) * shares).sum(axis=1)
            error += ((density * opposite).sum(axis=0).reshape(-1, NODES) * shares).sum(axis=1)
    return _rates(error, mass, pairs.weight.sum() * np.sqrt(2 * np.pi) / half)


def resampled_fresh_rates(scores: Floats, size: int, edges: Floats, replicates: int, seed: int) -> Floats:
    """`fresh_rates` (replicates, bins) of resampled runs and resampled units: pairs of runs are not independent."""
    random = generator(seed, "swap", "runs and units")
    runs, units = scores.shape
    drawn = zip(resampled_weights(units, replicates, random), resampled_weights(runs, replicates, random), strict=True)
    return np.stack([fresh_rates(pair_moments(scores, by_unit, by_run), size, edges) for by_unit, by_run in drawn])


def _rates(error: Floats, mass: Floats, total: float) -> Floats:
    return divide(np.where(mass > RARE * total, error, np.nan), mass)


def _parts(pairs: int, wide: int) -> list[slice]:
    rows = max(1, CHUNK // wide)
    return [slice(begin, begin + rows) for begin in range(0, pairs, rows)]


def _gathered(pairs: PairMoments, edges: Floats) -> PairMoments:
    """Where pairs are very many, those within a fiftieth of a bin and a hundredth of a variance as one."""
    counted = pairs.weight > 0
    if counted.sum() < CROWD:
        return PairMoments(np.abs(pairs.mean[counted]), pairs.variance[counted], pairs.weight[counted])
    mean, variance, weight = np.abs(pairs.mean[counted]), pairs.variance[counted], pairs.weight[counted]
    step = (edges[1] - edges[0]) / 50
    level = np.round(np.log(np.maximum(variance, 1e-300)) * 100).astype(np.int64)
    # One number for both: a logarithm of a double times a hundred is far below a million.
    place = np.floor(mean / step).astype(np.int64) * 1_000_000 + level
    _, group = np.unique(place, return_inverse=True)
    total = np.bincount(group, weight).astype(np.float64)
    return PairMoments(np.bincount(group, weight * mean) / total, np.bincount(group, weight * variance) / total, total)
