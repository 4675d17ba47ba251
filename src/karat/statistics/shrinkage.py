"""Shares in small slices, shrunk towards the common mean: empirical Bayes with a beta prior.

Right answers in a slice are binomial, and the true shares of the slices come from one beta distribution, fitted to
all of them by maximum likelihood. A slice of three pairs then moves far towards the mean, and one of three hundred
hardly at all. Slices that differ by no more than chance are shrunk completely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats

STRENGTHS = (0.5, 1e5)
"""The range of the prior's weight in pairs; at the upper end all slices are pooled."""
LARGEST_LOGIT = 9.0
"""Logits of the mean beyond this (.9999) are not searched."""
GRID, ROUNDS = 49, 3
"""The number of strengths tried, and how often the grid is refined around the best, by a factor of 24 each time."""
GOLDEN, SECTIONS = 0.6180339887498949, 60
"""Golden-section steps for the mean, enough for full precision."""


@dataclass(frozen=True)
class Shrunken:
    """The prior's mean and its weight in pairs, and the posterior mean and interval of each slice."""

    mean: float
    strength: float
    values: Floats
    low: Floats
    high: Floats


def shrink(right: Floats, trials: Floats, level: float = 0.95) -> Shrunken | None:
    """Shrunken shares of slices (slices,); None if fewer than two slices have units. Empty slices are NaN."""
    from scipy.special import betaincinv  # here: scipy takes long to load

    filled = trials > 0
    if filled.sum() < 2:
        return None
    mean, strength = fit(right[filled], trials[filled])
    a, b = right + mean * strength, trials - right + (1 - mean) * strength
    empty = np.where(filled, 1.0, np.nan)
    low, high = (empty * betaincinv(a, b, tail) for tail in ((1 - level) / 2, (1 + level) / 2))
    return Shrunken(mean, strength, empty * a / (a + b), low, high)


def fit(right: Floats, trials: Floats) -> tuple[float, float]:
    """The mean and strength of the beta distribution with the highest likelihood.

    If slices are alike, the likelihood is a ridge, narrower the stronger the prior. So the best mean is found for each
    strength, where the likelihood is unimodal, and then the best strength among them, on two finer grids.
    """
    low, high = np.log(STRENGTHS)
    best, mean = 0.0, 0.0
    for _ in range(ROUNDS):
        strengths = np.linspace(low, high, GRID)
        means = _best_means(strengths, right, trials)
        top = int(np.argmax(_likelihood(np.stack([means, strengths], axis=1), right, trials)))
        best, mean = strengths[top], means[top]
        step = strengths[1] - strengths[0]
        low, high = max(best - step, np.log(STRENGTHS[0])), min(best + step, np.log(STRENGTHS[1]))
    return float(1 / (1 + np.exp(-mean))), float(np.exp(best))


def _best_means(strengths: Floats, right: Floats, trials: Floats) -> Floats:
    """The logit of the most likely mean at each log strength, by golden-section search of all of them at once."""
    left, far = np.full(len(strengths), -LARGEST_LOGIT), np.full(len(strengths), LARGEST_LOGIT)
    for _ in range(SECTIONS):
        reach = GOLDEN * (far - left)
        inner, outer = far - reach, left + reach
        higher = _likelihood(np.stack([inner, strengths], axis=1), right, trials) > _likelihood(
            np.stack([outer, strengths], axis=1), right, trials
        )
        far, left = np.where(higher, outer, far), np.where(higher, left, inner)
    return (left + far) / 2


def _likelihood(points: Floats, right: Floats, trials: Floats) -> Floats:
    """The log likelihood at (logit of the mean, log of the strength), up to a constant."""
    from scipy.special import betaln

    mean, strength = 1 / (1 + np.exp(-points[:, :1])), np.exp(points[:, 1:])
    a, b = mean * strength, (1 - mean) * strength
    return np.asarray((betaln(right + a, trials - right + b) - betaln(a, b)).sum(axis=1))
