"""Means from a few units that people judged and many that only an automatic judge judged (Angelopoulos et al. 2023).

The judge's mean on its own units, minus its bias on those that people judged too; PPI++ gives the judge the weight at
which the variance is smallest. Everything is a function of moments, so that all pairs of a thousand runs need no pass
over the units. The units people judged must be a random sample of all, or the correction is wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import divide


class JudgedMoments(NamedTuple):
    """Means, variances and the covariance of people's scores and the judge's (…), on both kinds of units."""

    labelled: Floats
    """The number of units that people judged too."""
    alone: Floats
    """The number of units that only the judge judged."""
    people: Floats
    judge: Floats
    """The judge's mean on the units that people judged."""
    judge_alone: Floats
    people_variance: Floats
    judge_variance: Floats
    alone_variance: Floats
    covariance: Floats


def weight(moments: JudgedMoments) -> Floats:
    """The judge's weight in PPI++: cov(people, judge) / (1 + n/N) var(judge), kept between 0 and 1."""
    n, size = moments.labelled, moments.alone
    spread = pooled_variance(moments) * (1 + divide(n, size))
    return np.clip(np.nan_to_num(divide(moments.covariance, spread)), 0, 1)


def pooled_variance(moments: JudgedMoments) -> Floats:
    """The sample variance of the judge's scores on all units."""
    n, size = moments.labelled, moments.alone
    apart = moments.judge - np.nan_to_num(moments.judge_alone)
    squares = (n - 1) * moments.judge_variance + np.maximum(size - 1, 0) * np.nan_to_num(moments.alone_variance)
    return divide(squares + divide(n * size, n + size) * apart**2, n + size - 1)


def powered(moments: JudgedMoments, weight: Floats) -> tuple[Floats, Floats]:
    """The mean with the judge at this weight, and its variance."""
    value = weight * moments.judge_alone + moments.people - weight * moments.judge
    return value, divide(weight**2 * moments.alone_variance, moments.alone) + divide(
        residual(moments, weight), moments.labelled
    )


def residual(moments: JudgedMoments, weight: Floats) -> Floats:
    """The variance of people's score minus the weighted judge's."""
    people, judge = moments.people_variance, moments.judge_variance
    return np.maximum(people - 2 * weight * moments.covariance + weight**2 * judge, 0)


def units_needed(
    moments: JudgedMoments, error: float, judged: Floats | float, more: float = 0.0, added: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """How many units people must judge for this standard error, without the judge and with it on `judged` units.

    With a tuned weight the variance is σ²(1 − ρ²)/n + σ²ρ²/N, and `added`/n² if the interval adds a unit on which the
    judge errs by so much, squared, which is solved for n. NaN if the error is larger even
    with all units judged by people, so that the judge must judge more, or if people's scores do not vary.
    `more` units are what Student's quantile takes beyond the normal one.
    """
    spread, wanted = moments.people_variance, error**2
    shared = np.nan_to_num(divide(moments.covariance**2, moments.judge_variance))
    room = wanted - divide(shared, np.asarray(judged, dtype=np.float64))
    alone = spread / wanted + more
    left, tight = spread - shared, np.where(room > 0, room, 1)
    solved = (left + np.sqrt(left**2 + 4 * tight * added)) / (2 * tight)
    with_judge = np.where(room > 0, solved + more, np.inf)
    with_judge = np.minimum(with_judge, alone)
    with_judge = np.where(with_judge <= judged, with_judge, np.nan)
    people, together = (np.where(spread > 0, np.ceil(one - 1e-9), np.nan)[()] for one in (alone, with_judge))
    return people, together
