"""The bootstrap of differences between runs, percentile and BCa, for all pairs from shared resamples.

It works on values (replicates, runs) of any statistic; the difference of two runs is that of two columns. `scale` is
the typical size of each run's values, 1 by default: differences that are tiny relative to the larger one of a pair are
rounding error.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints
from karat.statistics.bootstrap import WEIGHTS_AT_A_TIME, Statistic, acceleration, from_mean
from karat.statistics.paired import Paired, simulated


def mean_statistic(paired: Paired) -> Statistic:
    """The runs' means as a function of cluster weights."""
    columns = _exact_in_sums(paired.sums).T

    def means(weights: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):  # a resample may contain no unit that both runs scored
            return (weights @ columns) / (weights @ paired.sizes)[:, None]

    return means


def _exact_in_sums(values: Floats) -> Floats:
    """Each row rounded to so few digits (thirteen for some hundred clusters) that sums of resampled values are exact.

    The result then does not depend on the order of addition, which varies with the number of threads and of runs.
    """
    largest = np.abs(values).max(axis=1, initial=0.0, keepdims=True) * max(values.shape[1], 1)
    step = np.ldexp(1.0, np.frexp(largest)[1] - 52)
    return np.rint(values / step) * step


def percentile_test(
    values: Floats, estimate: Floats, first: Ints, second: Ints, level: float, scale: Floats | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """p, its Monte-Carlo error, and the confidence limits of every difference.

    The distribution is shifted to the null hypothesis: p is the share of resamples at least as far from the estimate as
    the estimate is from 0.
    """
    parts = []
    for here, apart in _differences(values, first, second):
        observed = estimate[first[here]] - estimate[second[here]]
        near = _rounding(scale, first[here], second[here])
        # A resample with an undefined value counts as extreme.
        extreme = ~(np.abs(apart - observed) < np.abs(observed) - near)
        p, error = simulated(extreme.sum(axis=0), len(values))
        low, high = _ends(apart, level)
        # A difference that is the same in all resamples has no distribution to shift.
        varies = _varies(apart, near)
        parts.append(_bounded(np.where(varies, p, np.nan), error, low, high, observed, varies, near))
    return _joined(parts)


def bca_test(
    values: Floats,
    left_out: Floats,
    estimate: Floats,
    first: Ints,
    second: Ints,
    level: float,
    scale: Floats | None = None,
) -> tuple[Floats, Floats, Floats, Floats]:
    """p, its Monte-Carlo error, and Efron's bias-corrected and accelerated limits of every difference.

    p is the level at which the interval just touches 0. The limits are NaN if the difference does not vary.
    """
    from scipy.special import ndtr, ndtri  # here: scipy takes long to load

    parts = []
    for here, apart in _differences(values, first, second):
        observed = estimate[first[here]] - estimate[second[here]]
        near = _rounding(scale, first[here], second[here])
        skew = np.nan_to_num(acceleration(left_out[:, first[here]] - left_out[:, second[here]]))
        defined = np.maximum((~np.isnan(apart)).sum(axis=0), 1)
        smallest = 1 / (defined + 1)
        # Half of the ties count as below, because discrete statistics often repeat the estimate.
        bias, null = (
            ndtri(np.clip(_share_below(apart, centre, near) / defined, smallest, 1 - smallest))
            for centre in (observed, np.zeros_like(observed))
        )
        ends, ranked = [], np.sort(apart, axis=0)
        for tail in ((1 - level) / 2, (1 + level) / 2):
            shifted = bias + ndtri(tail)
            ends.append(_column_quantile(ranked, ndtr(bias + shifted / (1 - skew * shifted))))
        beyond = null - bias
        one_sided = ndtr(beyond / (1 + skew * beyond) - bias)
        tail = np.minimum(one_sided, 1 - one_sided)
        p = np.minimum(2 * tail, 1.0)
        error = 2 * np.sqrt(np.maximum(tail * (1 - tail), 0) / defined)
        varies = ranked[np.maximum(defined - 1, 0), np.arange(len(here))] - ranked[0] > near
        parts.append(_bounded(np.where(varies, p, np.nan), error, ends[0], ends[1], observed, varies, near))
    return _joined(parts)


def equivalence_shares(values: Floats, first: Ints, second: Ints, margin: float, scale: Floats | None = None) -> Floats:
    """The larger share of resamples with a difference beyond one of the margins: the p of both one-sided tests."""
    parts = []
    for here, apart in _differences(values, first, second):
        above, below = (~(apart < margin)).sum(axis=0), (~(apart > -margin)).sum(axis=0)
        varies = _varies(apart, _rounding(scale, first[here], second[here]))
        parts.append(np.where(varies, (1 + np.maximum(above, below)) / (1 + len(values)), np.nan))
    return np.concatenate(parts) if parts else np.empty(0)


def margin_shares(
    values: Floats, first: Ints, second: Ints, margin: float, scale: Floats | None = None
) -> tuple[Floats, Floats]:
    """The shares of resamples in which the first is at most a margin below the second, and in which it is further."""
    parts = []
    for here, apart in _differences(values, first, second):
        varies = _varies(apart, _rounding(scale, first[here], second[here]))
        shares = [(1 + count.sum(axis=0)) / (1 + len(values)) for count in (~(apart < -margin), ~(apart > -margin))]
        parts.append(np.where(varies, shares, np.nan))
    worse, within = np.concatenate(parts, axis=1) if parts else np.empty((2, 0))
    return worse, within


def difference_errors(values: Floats, first: Ints, second: Ints, scale: Floats | None = None) -> Floats:
    """The bootstrap standard error of every difference; infinite if it does not vary, so that nothing is extreme."""
    parts = [np.sqrt(np.nansum(from_mean(apart) ** 2, axis=0) / len(apart)) for _, apart in
             _differences(values, first, second)]  # fmt: skip
    errors = np.concatenate(parts) if parts else np.empty(0)
    return np.where(errors > _rounding(scale, first, second), errors, np.inf)


def run_intervals(values: Floats, level: float) -> tuple[Floats, Floats]:
    """The percentile interval of each run's value, on a scale of about 1; NaN if undefined or without variation."""
    low, high = _ends(values, level)
    varies = high - low > EXACT_TOLERANCE
    return np.where(varies, low, np.nan), np.where(varies, high, np.nan)


def _rounding(scale: Floats | None, first: Ints, second: Ints) -> Floats:
    """The possible rounding error of each pair's difference."""
    if scale is None:
        return np.full(len(first), EXACT_TOLERANCE)
    return EXACT_TOLERANCE * np.maximum(scale[first], scale[second])


def _varies(apart: Floats, near: Floats) -> Bools:
    """Which columns vary; those without any value do not."""
    return np.fmax.reduce(apart, axis=0) - np.fmin.reduce(apart, axis=0) > near


def _differences(values: Floats, first: Ints, second: Ints) -> Iterator[tuple[Ints, Floats]]:
    """The differences in every replicate, for some pairs at a time."""
    step = max(1, WEIGHTS_AT_A_TIME // max(len(values), 1))
    for start in range(0, len(first), step):
        here = np.arange(start, min(start + step, len(first)))
        yield here, values[:, first[here]] - values[:, second[here]]


def _ends(values: Floats, level: float) -> tuple[Floats, Floats]:
    ranked = np.sort(values, axis=0)
    low, high = (_column_quantile(ranked, np.full(values.shape[1], (1 + sign * level) / 2)) for sign in (-1, 1))
    return low, high


def _column_quantile(ranked: Floats, shares: Floats) -> Floats:
    """One quantile per sorted column, interpolated between the two nearest values; NaN comes last."""
    last = np.maximum((~np.isnan(ranked)).sum(axis=0) - 1, 0)
    place = np.clip(np.nan_to_num(shares, nan=0.0), 0, 1) * last
    below = np.floor(place).astype(np.int64)
    columns = np.arange(ranked.shape[1])
    low, high = ranked[below, columns], ranked[np.minimum(below + 1, last), columns]
    return low + (high - low) * (place - below)


def _share_below(apart: Floats, centre: Floats, near: Floats) -> Floats:
    tied = np.abs(apart - centre) <= near
    return ((apart < centre) & ~tied).sum(axis=0) + 0.5 * tied.sum(axis=0)


def _bounded(
    p: Floats, error: Floats, low: Floats, high: Floats, observed: Floats, varies: Bools, near: Floats
) -> tuple[Floats, ...]:
    """NaN if the difference is undefined, p = 1 if it is always 0, and no limits if it does not vary."""
    p = np.where(~varies & (np.abs(observed) <= near), 1.0, p)
    unknown = np.isnan(observed)
    bounded = varies & ~unknown
    return (
        np.where(unknown, np.nan, p),
        np.where(unknown, np.nan, error),
        np.where(bounded, low, np.nan),
        np.where(bounded, high, np.nan),
    )


def _joined(parts: list[tuple[Floats, ...]]) -> tuple[Floats, Floats, Floats, Floats]:
    if not parts:
        return (np.empty(0),) * 4
    p, error, low, high = (np.concatenate(column) for column in zip(*parts, strict=True))
    return p, error, low, high
