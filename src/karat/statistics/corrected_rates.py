"""The share of a label, from a few units that people judged and many that only an automatic judge did.

All of it is a function of counts. `both` (…, 2, 2) counts units that people and the judge judged: people's verdict ×
the judge's, 0 "another label", 1 "this label". `alone` (…, 2) counts the units that the judge alone judged. The units
people judged must be a random part of all, or no correction is one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from karat.arrays import Floats
from karat.kernels.arithmetic import divide
from karat.statistics.wilson import quantile, wilson


class Rate(NamedTuple):
    """A share with its bounds."""

    value: Floats
    low: Floats
    high: Floats


def naive(both: Floats, alone: Floats, level: float = 0.95) -> Rate:
    """The judge's own share over all units: what is read off where nobody checks. Its interval knows no bias."""
    counts = both.sum(axis=-2) + alone
    share = divide(counts[..., 1], counts.sum(axis=-1))
    return Rate(share, *wilson(share, counts.sum(axis=-1), level))


def human(both: Floats, level: float = 0.95) -> Rate:
    """People's share over the units they judged: unbiased, and wide where those are few."""
    counts = both.sum(axis=-1)
    share = divide(counts[..., 1], counts.sum(axis=-1))
    return Rate(share, *wilson(share, counts.sum(axis=-1), level))


def rogan_gladen(both: Floats, alone: Floats, level: float = 0.95) -> Rate:
    """The judge's share on its own units, corrected by its sensitivity and specificity (Rogan and Gladen 1978).

    The interval is that of Lang and Reiczigel (2014), which stays honest where few units have the label. Undefined
    where people gave no example of the label or of the others, or where the judge is no better than a coin.
    """
    z = quantile(level)
    people, total = both.sum(axis=-1), alone.sum(axis=-1)
    right = np.diagonal(both, axis1=-2, axis2=-1)
    seen = divide(alone[..., 1], total)
    value = _corrected(seen, divide(right, people))
    # Pseudo-counts: z²/2 seen with and without the label, one right and one wrong among the units people judged.
    enlarged, of = total + z * z, people + 2
    seen = divide(alone[..., 1] + z * z / 2, enlarged)
    rates = (right + 1) / of
    centre = _corrected(seen, rates)
    weights = np.stack([1 - centre, centre], axis=-1)
    spread = rates * (1 - rates) / of
    shift = 2 * z * z * (weights * spread * np.array([-1.0, 1.0])).sum(axis=-1)
    variance = seen * (1 - seen) / enlarged + (weights**2 * spread).sum(axis=-1)
    half = z * np.sqrt(variance) / (rates.sum(axis=-1) - 1)
    undefined = np.isnan(value) | ~(rates.sum(axis=-1) > 1)
    return Rate(
        np.where(undefined, np.nan, np.clip(value, 0, 1))[()],
        np.where(undefined, np.nan, np.clip(centre + shift - half, 0, 1))[()],
        np.where(undefined, np.nan, np.clip(centre + shift + half, 0, 1))[()],
    )


def _corrected(seen: Floats, rates: Floats) -> Floats:
    """(seen + specificity − 1)/(sensitivity + specificity − 1)."""
    power = rates.sum(axis=-1) - 1
    return np.where(power > 0, divide(seen + rates[..., 0] - 1, np.where(power > 0, power, np.nan)), np.nan)


def prediction_powered(both: Floats, alone: Floats, level: float = 0.95, tuned: bool = True) -> Rate:
    """The judge's share on its own units, less its bias on those people judged (Angelopoulos et al. 2023).

    `tuned` (PPI++) weighs the judge by how much it helps: useless, it leaves people's share; perfect, it counts as a
    person. Untuned the weight is 1. Undefined where there are fewer than two units of either kind, or people say the
    same of all theirs. The interval is that of two units more, half a unit in each cell, as Agresti and Caffo (2000)
    have it for two proportions: without them it is too narrow where few units have the label or the judge seldom errs.
    """
    n, size, said = both.sum(axis=(-2, -1)), alone.sum(axis=-1), both[..., 1, :].sum(axis=-1)
    value, _ = _powered(both, alone, tuned)
    centre, variance = _powered(both + 0.5, alone, tuned)
    half = quantile(level) * np.sqrt(variance)
    # With a label that people gave to none or to all of their units little is known of the error, and of the judge's
    # worth nothing.
    undefined = (n < 2) | (size < 2) | (said == 0) | (said == n)
    ends = (value, np.minimum(centre - half, value), np.maximum(centre + half, value))
    return Rate(*(np.where(undefined, np.nan, np.clip(one, 0, 1))[()] for one in ends))


def _powered(both: Floats, alone: Floats, tuned: bool) -> tuple[Floats, Floats]:
    """The prediction-powered share and its variance."""
    n, size = both.sum(axis=(-2, -1)), alone.sum(axis=-1)
    weight = power(both, alone) if tuned else np.ones(n.shape)
    said, judged = both[..., 1, :].sum(axis=-1), both[..., :, 1].sum(axis=-1)
    value = weight * divide(alone[..., 1], size) + divide(said - weight * judged, n)
    variance = divide(weight**2 * _variance(alone[..., 1], size), size) + divide(_residual(both, weight), n)
    return value, variance


def power(both: Floats, alone: Floats) -> Floats:
    """PPI++'s weight of the judge: cov(people, judge) / (1 + n/N) var(judge), kept between 0 and 1."""
    n, size = both.sum(axis=(-2, -1)), alone.sum(axis=-1)
    all_units = both.sum(axis=-2) + alone
    spread = _variance(all_units[..., 1], n + size) * (1 + divide(n, size))
    return np.clip(np.nan_to_num(divide(_covariance(both), spread)), 0, 1)


def budget(both: Floats, half_width: float, judged: Floats | float, level: float = 0.95) -> tuple[Floats, Floats]:
    """How many units people must judge for an interval of this half-width: alone, and with the judge on `judged`.

    With the judge's weight tuned, the variance is σ²(1 − ρ²)/n + σ²ρ²/N, which solves for n; NaN where even every unit
    judged by people leaves it wider, so that the judge must judge more.
    """
    n = both.sum(axis=(-2, -1))
    said, seen = both[..., 1, :].sum(axis=-1), both[..., :, 1].sum(axis=-1)
    spread, judges = _variance(said, n), _variance(seen, n)
    shared = np.nan_to_num(divide(_covariance(both) ** 2, spread * judges)) * spread
    wanted = (half_width / quantile(level)) ** 2
    alone = spread / wanted
    room = wanted - divide(shared, np.asarray(judged, dtype=np.float64))
    with_judge = np.where(room > 0, (spread - shared) / np.where(room > 0, room, 1), np.inf)
    with_judge = np.where(with_judge <= judged, with_judge, np.nan)
    # Where people say the same of every unit there is no spread to budget for.
    known = spread > 0
    ends = (np.where(known, np.ceil(one - 1e-9), np.nan)[()] for one in (alone, with_judge))
    return next(ends), next(ends)


def _variance(hits: Floats, size: Floats) -> Floats:
    """Of 0/1 values, as a sample's."""
    return divide(hits * (size - hits), size * np.maximum(size - 1, 1))


def _covariance(both: Floats) -> Floats:
    n = both.sum(axis=(-2, -1))
    said, seen = both[..., 1, :].sum(axis=-1), both[..., :, 1].sum(axis=-1)
    return divide(n * both[..., 1, 1] - said * seen, n * np.maximum(n - 1, 1))


def _residual(both: Floats, weight: Floats) -> Floats:
    """The variance of people's verdict less the weighted judge's."""
    n = both.sum(axis=(-2, -1))
    said, seen = both[..., 1, :].sum(axis=-1), both[..., :, 1].sum(axis=-1)
    return np.maximum(_variance(said, n) - 2 * weight * _covariance(both) + weight**2 * _variance(seen, n), 0)
