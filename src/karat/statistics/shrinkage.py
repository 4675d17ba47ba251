"""Shares of small slices drawn towards what all slices have in common: empirical Bayes with a beta prior.

Right answers in a slice are binomial, and the shares of the slices come from one beta distribution, fitted to all of
them by maximum likelihood. A slice of three pairs then says little against the rest, one of three hundred says nearly
all. Slices that differ by no more than chance are drawn together wholly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STRENGTHS = (0.5, 1e5)
"""How many pairs the prior may be worth; at the upper end all slices are one."""
EDGE = 9.0
"""Logits of the mean beyond this (.9999) are not searched."""
GRID, ROUNDS = 25, 8
"""Points a side of the grid, and how often it closes in, to a sixth each time."""


@dataclass(frozen=True)
class Shrunken:
    """The prior, its mean and how many pairs it is worth; and for each slice the posterior mean and its interval."""

    mean: float
    strength: float
    values: Floats
    low: Floats
    high: Floats


def shrink(right: Floats, trials: Floats, level: float = 0.95) -> Shrunken | None:
    """Shares of slices (slices,), shrunken; None where fewer than two slices have units. Empty slices are NaN."""
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
    """Mean and strength of the beta distribution under which the counts are most likely.

    The likelihood is flat, or a ridge, where slices are alike or few: a grid that closes in finds its top all the same.
    """
    ends = np.array([[-EDGE, EDGE], np.log(STRENGTHS)])
    window, best = ends, ends.mean(axis=1)
    for _ in range(ROUNDS):
        axes = [np.linspace(low, high, GRID) for low, high in window.tolist()]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        best = points[np.argmax(_likelihood(points, right, trials))]
        reach = 2 * (window[:, 1] - window[:, 0]) / (GRID - 1)
        window = np.stack([np.maximum(best - reach, ends[:, 0]), np.minimum(best + reach, ends[:, 1])], axis=1)
    return float(1 / (1 + np.exp(-best[0]))), float(np.exp(best[1]))


def _likelihood(points: Floats, right: Floats, trials: Floats) -> Floats:
    """Log likelihood at (logit of the mean, log of the strength), without what does not depend on the prior."""
    from scipy.special import betaln

    mean, strength = 1 / (1 + np.exp(-points[:, :1])), np.exp(points[:, 1:])
    a, b = mean * strength, (1 - mean) * strength
    return np.asarray((betaln(right + a, trials - right + b) - betaln(a, b)).sum(axis=1))
