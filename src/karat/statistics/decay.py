"""An exponential a·e^(−b·n) fitted to error rates at several sizes, including rates of zero.

Maximum likelihood for a binomial with a logarithmic link, by Newton's method: the likelihood is concave, sizes are
weighted by their comparisons, and a size without errors counts like any other (a line through logarithms must drop
it). More units never make more errors, so b is not negative: if rates seem to rise, they are taken as constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.statistics.intervals import quantile

NEWTON_STEPS, CONVERGED_STEP = 60, 1e-6
FEWEST_SIZES = 3
"""The fewest sizes for a curve with two parameters."""
TIMES_MORE = 10
"""Large sizes must have this many times the fewest comparisons of a point, or there is no extrapolation."""


@dataclass(frozen=True, eq=False)
class Decay:
    """Fitted curves along the leading axes; NaN if there is no fit."""

    log_a: Floats
    """Minus infinity if no error was observed at any size; then a is 0 and b is undefined."""
    b: Floats
    covariance: Floats
    """(…, 2, 2) of log a and b, from the variance over trials."""
    dispersion: Floats
    """Squared residuals over their variance between trials, per degree of freedom; well above 1 means a poor fit."""
    points: Ints
    """How many sizes entered the fit."""

    def at(self, size: float) -> Floats:
        """The fitted rate at a size."""
        return np.where(np.isneginf(self.log_a), 0.0, np.exp(self.log_a - np.nan_to_num(self.b) * size))

    def interval(self, size: float, level: float = 0.95) -> tuple[Floats, Floats]:
        """The interval of the fitted rate at a size, over trials."""
        toward = np.array([1.0, -size])
        spread = quantile(level) * np.sqrt(np.einsum("i,...ij,j->...", toward, self.covariance, toward))
        value = self.at(size)
        with np.errstate(invalid="ignore", over="ignore"):
            return value * np.exp(-spread), np.minimum(value * np.exp(spread), 1.0)

    def reaches(self, rate: float) -> Floats:
        """The size from which the rate is at most this; infinite if the curve does not fall."""
        with np.errstate(divide="ignore", invalid="ignore"):
            size = (self.log_a - np.log(rate)) / self.b
        size = np.where(self.log_a <= np.log(rate), 0.0, np.where(self.b > 0, size, np.inf))
        return np.where(np.isnan(self.log_a), np.nan, size)[()]


def fit_decay(
    sizes: Floats, errors: Floats, comparisons: Floats, variance: Floats, least: int = 1, reach: float = 0.0
) -> Decay:
    """Fit errors (…, sizes) out of comparisons, using sizes with at least `least` comparisons.

    `variance` is that of the errors over trials, since the binomial variance would treat pairs of runs as independent.
    There is no fit without ten times as many comparisons at sizes of `reach` or more: small sizes alone do not allow
    extrapolation.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    used, hits, counts, fitted, none = _prepared(sizes, errors, comparisons, least, reach)
    points = used.sum(axis=-1)
    design = np.stack([np.ones_like(sizes), -sizes])
    beta, rising = _maximum(design, hits, counts, fitted)
    rate, _, hessian = _slopes(beta, design, hits, counts)
    bread = np.linalg.inv(hessian)
    level = np.zeros_like(bread)
    level[..., 0, 0] = 1 / hessian[..., 0, 0]
    bread = np.where(rising[..., None, None], level, bread)
    noise = np.where(used, np.nan_to_num(variance), 0.0) / (1 - rate) ** 2
    meat = np.einsum("in,...n,jn->...ij", design, noise, design)
    covariance = bread @ meat @ bread
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.where(used & (variance > 0), (hits - counts * rate) ** 2 / variance, 0.0).sum(axis=-1)
        dispersion = np.where(points > 2, squares / (points - 2), np.nan)
    unknown = ~fitted | np.isnan(np.where(used, variance, 0.0)).any(axis=-1)
    return Decay(
        np.where(fitted, beta[..., 0], np.where(none, -np.inf, np.nan)),
        np.where(fitted, beta[..., 1], np.nan),
        np.where(unknown[..., None, None], np.nan, covariance),
        np.where(unknown, np.nan, dispersion),
        points,
    )


def refit_rates(
    sizes: Floats, errors: Floats, comparisons: Floats, at: float, least: int = 1, reach: float = 0.0
) -> Floats:
    """Only the fitted rates at one size, from errors (…, sizes), for many resamples."""
    sizes = np.asarray(sizes, dtype=np.float64)
    _, hits, counts, fitted, none = _prepared(sizes, errors, comparisons, least, reach)
    beta, _ = _maximum(np.stack([np.ones_like(sizes), -sizes]), hits, counts, fitted)
    return np.where(fitted, np.exp(beta[..., 0] - beta[..., 1] * at), np.where(none, 0.0, np.nan))


def _prepared(
    sizes: Floats, errors: Floats, comparisons: Floats, least: int, reach: float
) -> tuple[Bools, Floats, Floats, Bools, Bools]:
    """Which sizes are used, their errors and comparisons, which curves can be fitted, and which have no errors."""
    used = comparisons >= max(least, 1e-9)
    counts, hits = np.where(used, comparisons, 0.0), np.where(used, errors, 0.0)
    enough = (used.sum(axis=-1) >= FEWEST_SIZES) & ((counts * (sizes >= reach)).sum(axis=-1) >= TIMES_MORE * least)
    none = enough & (hits.sum(axis=-1) == 0)
    return used, hits, counts, enough & ~none, none


def _maximum(design: Floats, hits: Floats, counts: Floats, fitted: Bools) -> tuple[Floats, Bools]:
    """Maximum-likelihood log a and b (…, 2), and where a constant is fitted instead because rates seem to rise.

    Newton's method, continued on the curves that have not converged.
    """
    flat_hits, flat_counts = (part.reshape(-1, part.shape[-1]) for part in (hits, counts))
    total = flat_counts.sum(axis=-1)
    start = np.log(np.clip(flat_hits.sum(axis=-1) / np.where(total > 0, total, 1.0), 1e-12, 1 - 1e-9))
    beta = np.stack([start, np.zeros_like(start)], axis=-1)
    moving = np.flatnonzero(fitted)
    reach = np.array([1.0, -design[1].min(initial=-1.0)])
    for _ in range(NEWTON_STEPS):
        here, these, out_of = beta[moving], flat_hits[moving], flat_counts[moving]
        rate, gradient, hessian = _slopes(here, design, these, out_of)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        length = np.abs(step * reach).max(axis=-1)
        # Halve the step until the rate stays below 1 and the likelihood rises. For a tiny step, only rounding error
        # would decide whether it does.
        before, scale = _likelihood(rate, these, out_of), np.ones(len(moving))
        trying = np.flatnonzero(length > CONVERGED_STEP)
        for _ in range(40 if len(trying) else 0):
            tried = here[trying] + scale[trying, None] * step[trying]
            after = _likelihood(_rate(tried, design), these[trying], out_of[trying])
            trying = trying[~(after >= before[trying] - 1e-12 * np.abs(before[trying]))]
            if not len(trying):
                break
            scale[trying] /= 2
        beta[moving] = here + scale[:, None] * step
        # A Newton step leaves an error of about its square.
        moving = moving[length > CONVERGED_STEP]
        if not len(moving):
            break
    rising = fitted.ravel() & (beta[:, 1] <= 0)
    beta[rising] = np.stack([start, np.zeros_like(start)], axis=-1)[rising]
    return beta.reshape(*fitted.shape, 2), rising.reshape(fitted.shape)


def _rate(beta: Floats, design: Floats) -> Floats:
    return np.exp(np.minimum(beta @ design, 1.0))


def _likelihood(rate: Floats, hits: Floats, counts: Floats) -> Floats:
    """The binomial log-likelihood, minus infinity if a rate is not below 1."""
    inside = (rate < 1) | (counts == 0)
    held = np.clip(rate, 1e-300, 1 - 1e-12)
    value = (hits * np.log(held) + (counts - hits) * np.log1p(-held)).sum(axis=-1)
    return np.where(inside.all(axis=-1), value, -np.inf)


def _slopes(beta: Floats, design: Floats, hits: Floats, counts: Floats) -> tuple[Floats, Floats, Floats]:
    """The rates, and the gradient and Fisher information of the log-likelihood."""
    rate = np.clip(_rate(beta, design), 1e-300, 1 - 1e-9)
    gradient = ((hits - counts * rate) / (1 - rate)) @ design.T
    weight = counts * rate / (1 - rate)
    hessian = np.einsum("in,...n,jn->...ij", design, weight, design)
    # If there is nothing to fit, the matrix must still be invertible; the result is not used.
    hollow = ~(np.linalg.det(hessian) > 1e-12 * np.prod(np.diagonal(hessian, axis1=-2, axis2=-1), axis=-1))
    return rate, gradient, np.where(hollow[..., None, None], np.eye(2), hessian)
