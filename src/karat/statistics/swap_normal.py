"""The swap method with infinitely many trials, from means and variances of differences alone.

Means of n units are close to normal, so a pair of runs is told by its mean difference and the variance of its
differences, which one product of the score matrix with itself gives for all pairs. Two versions:

fresh   both sets are new samples: variance s²/n, no correlation. Holds at any n, the whole N included.
finite  both sets are disjoint parts of the N units at hand, as in the procedure: variance s²(1/n − 1/N) and
        correlation −n/(N−n), which is −1 for halves. For comparison with the procedure only.

A pair whose difference is the same on every unit has no spread: it is in one bin, at every size, and never an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.kernels.gram import squared_distances
from karat.kernels.random import generator
from karat.kernels.resampling import resampled_weights
from karat.progress import track

Floats = NDArray[np.float64]
CHUNK = 2_000_000
"""Numbers held at a time."""
ROWS = 256
"""Pairs that are looked at together, since their means are near each other."""
FAR = 8.5
"""Standard deviations beyond which nothing of a normal distribution is left in a double."""
NODES = 6
"""Of Gauss and Legendre's rule in a bin."""
RARE = 1e-6
"""A bin that so few of a million comparisons fall into has no rate."""
ROUNDING = 1e-12
"""A mean of scores carries rounding of its own: so little below a bin's bound is in the bin."""
CROWD = 1000
"""Pairs from which on those that hardly differ are taken together."""
FINE, LEVEL = 1 / 16, 0.03
"""Together are pairs whose means are this share of a standard error apart, and whose variances this share of one."""


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Of each pair of runs: the mean difference, the variance of differences, and how much the pair counts."""

    mean: Floats
    variance: Floats
    weight: Floats

    def __getitem__(self, kept: NDArray[Any] | slice) -> PairMoments:
        """Some of the pairs."""
        return PairMoments(self.mean[kept], self.variance[kept], self.weight[kept])


def pair_moments(scores: Floats, units: Floats | None = None, runs: Floats | None = None) -> PairMoments:
    """Moments of all pairs of runs (runs, units), under weights of units and of runs where they are given."""
    weights = np.ones(scores.shape[1]) if units is None else units
    total = weights.sum()
    one, other = np.triu_indices(len(scores), 1)
    means = scores @ weights / total
    mean = means[one] - means[other]
    # Without the means: Σd²/n less the square of the mean would cancel where runs are far apart.
    residuals = scores - means[:, None]
    residuals = residuals if units is None else residuals * np.sqrt(weights)
    variance = squared_distances(residuals)[one, other] / max(total - 1, 1)
    # Rounding alone must not make a difference that is the same on every unit vary.
    size = scores**2 @ weights / total
    variance[variance <= ROUNDING**2 * (size[one] + size[other])] = 0.0
    return PairMoments(mean, variance, np.ones_like(mean) if runs is None else runs[one] * runs[other])


def fresh_rates(pairs: PairMoments, size: int, edges: Floats) -> Floats:
    """The error rate of each bin when both sets are new samples of `size` units."""
    from scipy.special import ndtr

    if len(edges) < 2:
        return np.empty(0)
    pairs, mass = _apart(pairs, edges)
    total, error = mass.sum() + pairs.weight.sum(), np.zeros_like(mass)
    pairs = _gathered(pairs, 1 / size)
    order = np.argsort(pairs.mean)
    for part in (order[begin : begin + ROWS] for begin in range(0, len(order), ROWS)):
        deviation = np.sqrt(pairs.variance[part] / size)[:, None]
        mean, weight = pairs.mean[part][:, None], pairs.weight[part]
        loses = ndtr(-mean / deviation)[:, 0]
        far = FAR * float(deviation.max())
        # Ahead on the first set, and behind on it by as much: the same with the two runs' names exchanged.
        for sign, wrong in ((1.0, loses), (-1.0, 1 - loses)):
            near = _near(edges, sign * mean, far)
            inside = np.diff(ndtr((edges[near.start : near.stop + 1] - sign * mean) / deviation), axis=1)
            mass[near] += weight @ inside
            error[near] += (weight * wrong) @ inside
    return _rates(error, mass, total)


def finite_rates(pairs: PairMoments, size: int, units: int, edges: Floats) -> Floats:
    """The error rate of each bin when both sets are disjoint parts of the units at hand."""
    from scipy.special import ndtr

    if len(edges) < 2:
        return np.empty(0)
    pairs, mass = _apart(pairs, edges)
    total, error = mass.sum() + pairs.weight.sum(), np.zeros_like(mass)
    shrunk = 1 / size - 1 / units
    pairs = _gathered(pairs, shrunk)
    correlation = -size / (units - size)
    rest = np.sqrt(max(1 - correlation**2, 0.0))
    nodes, shares = np.polynomial.legendre.leggauss(NODES)
    centres, half = (edges[1:] + edges[:-1]) / 2, (edges[1] - edges[0]) / 2
    at = (centres[:, None] + half * nodes).ravel()
    inside = np.repeat(np.eye(len(centres)), NODES, axis=0) * np.tile(shares, len(centres))[:, None]
    inside *= half / np.sqrt(2 * np.pi)
    for part in _parts(len(pairs.mean), len(at)):
        deviation = np.sqrt(pairs.variance[part] * shrunk)[:, None]
        weight = pairs.weight[part] / deviation[:, 0]
        for sign in (1.0, -1.0):
            # Behind by x is ahead by x with the two runs' names exchanged.
            mean = sign * pairs.mean[part][:, None]
            away = (at - mean) / deviation
            density = np.exp(-(away**2) / 2)
            opposite = ndtr(-(mean / deviation + correlation * away) / (rest + 1e-9))
            mass += weight @ density @ inside
            error += weight @ (density * opposite) @ inside
    return _rates(error, mass, total)


def resampled_fresh_rates(scores: Floats, size: int, edges: Floats, replicates: int, seed: int) -> Floats:
    """`fresh_rates` (replicates, bins) of resampled runs and resampled units: pairs of runs are not independent.

    What a resample left out costs nothing: a third of the runs and a third of the units.
    """
    random = generator(seed, "swap", "runs and units")
    runs, units = scores.shape
    made = np.empty((replicates, max(len(edges) - 1, 0)))
    drawn = zip(resampled_weights(units, replicates, random), resampled_weights(runs, replicates, random), strict=True)
    for place, (by_unit, by_run) in enumerate(track(drawn, "resampling runs and units", replicates)):
        here, there = by_run > 0, by_unit > 0
        moments = pair_moments(scores[np.ix_(here, there)], by_unit[there], by_run[here])
        made[place] = fresh_rates(moments, size, edges)
    return made


def _rates(error: Floats, mass: Floats, total: float) -> Floats:
    return divide(np.where(mass > RARE * total, error, np.nan), mass)


def _near(edges: Floats, means: Floats, far: float) -> slice:
    """The bins that hold anything of normal distributions with these means."""
    first, last = np.searchsorted(edges, (means.min() - far, means.max() + far))
    return slice(max(int(first) - 1, 0), min(int(last), len(edges) - 1))


def _parts(pairs: int, wide: int) -> list[slice]:
    rows = max(1, CHUNK // wide)
    return [slice(begin, begin + rows) for begin in range(0, pairs, rows)]


def _apart(pairs: PairMoments, edges: Floats) -> tuple[PairMoments, Floats]:
    """The pairs whose difference varies; and of those that always differ by the same, how many are in each bin.

    Runs that have the same score on every unit are neither: they tie always.
    """
    varies = pairs.variance > 0
    constant = np.abs(pairs.mean[~varies])
    differ = constant > ROUNDING
    place = np.searchsorted(edges, constant[differ] + ROUNDING, side="right") - 1
    known = (place >= 0) & (place < len(edges) - 1)
    mass = np.bincount(place[known], pairs.weight[~varies][differ][known], minlength=len(edges) - 1)
    return pairs[varies], mass.astype(np.float64)


def _gathered(pairs: PairMoments, shrunk: float) -> PairMoments:
    """Pairs ahead or level; where they are many, those that hardly differ as one, at the middle of them.

    `shrunk` times the variance of differences is that of their mean, and so the scale on which pairs are alike.
    """
    counted = pairs.weight > 0
    mean, variance, weight = np.abs(pairs.mean[counted]), pairs.variance[counted], pairs.weight[counted]
    if len(mean) < CROWD:
        return PairMoments(mean, variance, weight)
    level = np.floor(np.log(variance) / LEVEL)
    level = (level - level.min()).astype(np.int64)
    lowest = variance.min()
    step = FINE * np.sqrt(lowest * shrunk) * np.exp(LEVEL / 2 * level)
    column = np.floor(mean / step).astype(np.int64)
    wide = int(column.max()) + 1
    place = level * wide + column
    if wide * (int(level.max()) + 1) > 50 * len(mean):
        place = np.unique(place, return_inverse=True)[1]
    total = np.bincount(place, weight)
    kept = total > 0
    middle, spread = (np.bincount(place, weight * part)[kept] / total[kept] for part in (mean, variance))
    return PairMoments(middle, spread, total[kept].astype(np.float64))
