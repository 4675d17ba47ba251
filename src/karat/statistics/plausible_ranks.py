"""Where the true scores of runs may lie under two judgments of the same units, for intervals of rank correlations.

A rank correlation of two noisy rankings is lower than that of the true ones, and a resample is noisier still: the
bootstrap percentile interval of tau for 30 runs, with a true tau of 1, never contains it (docs/decisions/0041). So the
means are shrunk first. The true means of a run under both judgments are taken as a draw from a normal distribution,
whose covariance is what the observed means have beyond their sampling error; given the observed means, the true ones
are normal too. Any function of rankings, applied to draws from that distribution, has its interval in the quantiles.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import resampled_weights
from karat.statistics.bootstrap import WEIGHTS_AT_A_TIME

FEWEST_RUNS = 4
"""With three, 84% to 91% of the intervals of tau hold it, and one in six has no width."""
JITTER = 1e-9
"""Added to covariances, relative to their size, because two judgments may hardly differ."""


def plausible_means(values: Floats, resampled: Floats, random: np.random.Generator) -> Floats:
    """Draws (draws, 2, runs) of the true values of runs under two judgments, relative to the mean of all runs.

    `values` (2, runs) are the observed ones, and `resampled` (draws, 2, runs) those on resampled units, for their
    errors: runs which err alike keep doing so. The covariance between runs is drawn too (an inverse Wishart
    distribution), because with few runs it is uncertain whether the judgments differ at all. NaN with fewer than four
    runs, if a value is undefined, or if nothing varies.
    """
    draws, _, runs = resampled.shape
    if runs < FEWEST_RUNS or not (np.isfinite(values).all() and np.isfinite(resampled).all()):
        return np.full(resampled.shape, np.nan)
    observed = values - values.mean(axis=1, keepdims=True)
    errors = resampled - resampled.mean(axis=0)
    errors -= errors.mean(axis=2, keepdims=True)
    within = np.einsum("dar,dbr->ab", errors, errors) / (draws * (runs - 1))
    between = observed @ observed.T / (runs - 1)
    if np.array_equal(resampled[:, 0], resampled[:, 1]):  # one judgment twice: whatever is true of one is of the other
        return np.broadcast_to(np.arange(float(runs)), resampled.shape)
    size = JITTER * (np.trace(within) + np.trace(between))
    if not size > 0:
        return np.full(resampled.shape, np.nan)
    within, between = within + size * np.eye(2), between + size * np.eye(2)
    side = np.linalg.cholesky(between)
    chosen = side @ _inverse_wishart(runs - 1, draws, random) @ side.T
    # In units of the sampling error, what the runs truly vary by is what is beyond 1.
    root = _power(within, 0.5)
    inverse = _power(within, -0.5)
    beyond, axes = np.linalg.eigh(inverse @ chosen @ inverse - np.eye(2))
    share = np.maximum(beyond, 0) / (1 + np.maximum(beyond, 0))
    kept, spread = ((axes * one[:, None, :]) @ axes.swapaxes(-1, -2) for one in (share, np.sqrt(share)))
    return np.asarray(root @ (kept @ (inverse @ observed) + spread @ (inverse @ errors)))


def resampled_means(scores: Floats, draws: int, random: np.random.Generator) -> Floats:
    """The means (draws, 2, runs) of scores (2, runs, units) on resampled units, as variable as the means are."""
    _, runs, units = scores.shape
    flat = scores.reshape(2 * runs, units).T
    centre = flat.mean(axis=0)
    apart = (flat - centre) / np.sqrt(units * max(units - 1, 1))  # a resample varies less, by (units − 1)/units
    step = max(1, WEIGHTS_AT_A_TIME // units)
    steps = [min(step, draws - at) for at in range(0, draws, step)]
    drawn = np.concatenate([resampled_weights(units, some, random) @ apart for some in steps])
    return np.asarray(centre + drawn).reshape(draws, 2, runs)


def _inverse_wishart(freedom: int, draws: int, random: np.random.Generator) -> Floats:
    """Draws (draws, 2, 2) of a covariance matrix of which the estimate, with so many degrees of freedom, is I."""
    normal = random.standard_normal((draws, 2, freedom))
    return np.asarray(np.linalg.inv(normal @ normal.swapaxes(-1, -2) / freedom))


def _power(covariance: Floats, exponent: float) -> Floats:
    values, axes = np.linalg.eigh(covariance)
    return np.asarray((axes * values**exponent) @ axes.T)
