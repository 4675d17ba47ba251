"""The prevalence of a label, from a few units that people judged and many that only an automatic judge judged.

Everything is a function of counts. `both` (…, 2, 2) counts the units judged by people and by the judge: people's
verdict × the judge's, 0 for "another label" and 1 for "this label". `alone` (…, 2) counts the units that only the
judge judged. The units people judged must be a random sample of all, or the correction is wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import divide
from karat.statistics.intervals import quantile, wilson
from karat.statistics.prediction_powered import JudgedMoments, powered, units_needed, weight


class RateInterval(NamedTuple):
    """A share with its confidence limits."""

    value: Floats
    low: Floats
    high: Floats


def naive(both: Floats, alone: Floats, level: float = 0.95) -> RateInterval:
    """The judge's share over all units, as read off without any check; its interval ignores the judge's bias."""
    counts = both.sum(axis=-2) + alone
    share = divide(counts[..., 1], counts.sum(axis=-1))
    return RateInterval(share, *wilson(share, counts.sum(axis=-1), level))


def human(both: Floats, level: float = 0.95) -> RateInterval:
    """People's share over the units they judged: unbiased, but with a wide interval if these are few."""
    counts = both.sum(axis=-1)
    share = divide(counts[..., 1], counts.sum(axis=-1))
    return RateInterval(share, *wilson(share, counts.sum(axis=-1), level))


def rogan_gladen(both: Floats, alone: Floats, level: float = 0.95) -> RateInterval:
    """The judge's share on its own units, corrected by its sensitivity and specificity (Rogan and Gladen 1978).

    The interval is that of Lang and Reiczigel (2014), which has correct coverage even for a rare label. Undefined if
    people gave no example of the label or of the others, or if the judge is no better than chance.
    """
    z = quantile(level)
    people, total = both.sum(axis=-1), alone.sum(axis=-1)
    right = np.diagonal(both, axis1=-2, axis2=-1)
    seen = divide(alone[..., 1], total)
    value = _corrected(seen, divide(right, people))
    # Pseudo-counts: z²/2 units with and without the label, and one right and one wrong among the units people judged.
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
    return RateInterval(
        np.where(undefined, np.nan, np.clip(value, 0, 1))[()],
        np.where(undefined, np.nan, np.clip(centre + shift - half, 0, 1))[()],
        np.where(undefined, np.nan, np.clip(centre + shift + half, 0, 1))[()],
    )


def _corrected(seen: Floats, rates: Floats) -> Floats:
    """(seen + specificity − 1)/(sensitivity + specificity − 1)."""
    power = rates.sum(axis=-1) - 1
    return np.where(power > 0, divide(seen + rates[..., 0] - 1, np.where(power > 0, power, np.nan)), np.nan)


def prediction_powered(both: Floats, alone: Floats, level: float = 0.95, tuned: bool = True) -> RateInterval:
    """The judge's share on its own units, less its bias on those that people judged (Angelopoulos et al. 2023).

    `tuned` (PPI++) weights the judge by how much it helps: a useless judge leaves people's share, and a perfect one
    counts as much as a person. Untuned, the weight is 1. Undefined if there are fewer than two units of either kind, or
    if people give all of theirs the same verdict. The interval adds two units, half a unit to each cell, as Agresti and
    Caffo (2000) do for two proportions; otherwise it is too narrow if the label is rare or the judge seldom errs.
    """
    n, size, said = both.sum(axis=(-2, -1)), alone.sum(axis=-1), both[..., 1, :].sum(axis=-1)
    value, _ = _powered(both, alone, tuned)
    centre, variance = _powered(both + 0.5, alone, tuned)
    half = quantile(level) * np.sqrt(variance)
    # If people gave the label to none or to all of their units, little is known of the error, and nothing of how much
    # the judge helps.
    undefined = (n < 2) | (size < 2) | (said == 0) | (said == n)
    ends = (value, np.minimum(centre - half, value), np.maximum(centre + half, value))
    return RateInterval(*(np.where(undefined, np.nan, np.clip(one, 0, 1))[()] for one in ends))


def _powered(both: Floats, alone: Floats, tuned: bool) -> tuple[Floats, Floats]:
    moments = _moments(both, alone)
    return powered(moments, weight(moments) if tuned else np.ones(both.shape[:-2]))


def power(both: Floats, alone: Floats) -> Floats:
    """The judge's weight in PPI++."""
    return weight(_moments(both, alone))


def budget(both: Floats, half_width: float, judged: Floats | float, level: float = 0.95) -> tuple[Floats, Floats]:
    """How many units people must judge for an interval of this half-width, without the judge and with it on `judged`.

    NaN if it would not do even with all units judged by people, or if people give every unit the same verdict.
    """
    nothing = np.zeros((*both.shape[:-2], 2))
    return units_needed(_moments(both, nothing), half_width / quantile(level), judged)


def _moments(both: Floats, alone: Floats) -> JudgedMoments:
    n, size = both.sum(axis=(-2, -1)), alone.sum(axis=-1)
    said, seen, hits = both[..., 1, :].sum(axis=-1), both[..., :, 1].sum(axis=-1), alone[..., 1]
    return JudgedMoments(
        labelled=n,
        alone=size,
        people=divide(said, n),
        judge=divide(seen, n),
        judge_alone=divide(hits, size),
        people_variance=_variance(said, n),
        judge_variance=_variance(seen, n),
        alone_variance=_variance(hits, size),
        covariance=divide(n * both[..., 1, 1] - said * seen, n * np.maximum(n - 1, 1)),
    )


def _variance(hits: Floats, size: Floats) -> Floats:
    """The sample variance of 0/1 values."""
    return divide(hits * (size - hits), size * np.maximum(size - 1, 1))
