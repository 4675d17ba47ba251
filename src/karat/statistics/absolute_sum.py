"""The interval of a sum of absolute means, such as the calibration error, by bounds on its bias.

The absolute value of a mean near 0 is too large on average, and how much too large depends on that mean, which is not
known. A bootstrap repeats the bias instead of removing it. Here the sum T of absolute means is reduced by the most that
its bias can be if every mean is within the limits of a simultaneous interval, for which a tenth of the permitted error
is set aside. T is never too small on average, so the upper end needs no such correction. Both ends are too far out
rather than too near, the more so the more means are small but not 0.
"""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np

from karat.arrays import Floats
from karat.statistics.intervals import quantile, student, wilson

SET_ASIDE = 0.1
"""The part of the permitted error that is spent on the limits of the means."""


def absolute_sum_interval(
    parts: Floats, least: Floats, level: float = 0.95, effect: Floats | float = 1.0
) -> tuple[float, float]:
    """The interval of Σ|mean| over the parts of units (units, parts), each of which is 0 but for one part, within ±1.

    `least` is a variance (parts) that the units have at least: a few units that happen to be alike show none. `effect`
    (parts) says how many times fewer independent units they are worth.
    """
    units = len(parts)
    if not units or np.isnan(effect).any():
        return np.nan, np.nan
    means = parts.mean(axis=0)
    errors = np.sqrt(np.maximum((parts**2).mean(axis=0) - means**2, least) * effect / units)
    total, used = float(np.abs(means).sum()), max(1, int((errors > 0).sum()))
    wrong = 1 - level
    surely = quantile(1 - SET_ASIDE * wrong / used)
    kept = 1 - (1 - SET_ASIDE) * wrong
    times = float(student(kept, np.array(max(1.0, units - 1.0))))
    nearest = np.maximum(np.abs(means) - surely * errors, 0.0)
    bias = _bias(nearest, errors)
    folded = np.maximum(nearest**2 + errors**2 - (nearest + bias) ** 2, 0.0)  # the variance of the absolute values
    low = total - float(bias.sum()) - times * float(np.sqrt(folded.sum()))
    high = total + times * float(np.sqrt((errors**2).sum()))
    # If all units are alike, as confidences of 1 that were all right, the error of the mean says nothing.
    high = max(high, float(wilson(np.array(total), np.array(units / np.max(effect)), kept)[1]))
    return min(total, max(0.0, low)), max(total, min(1.0, high))


def _bias(means: Floats, errors: Floats) -> Floats:
    """How much larger than its mean the absolute value of a normal variable is on average; means are not negative."""
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(errors > 0, means / errors, 0.0)
    density = np.exp(-(far**2) / 2) / np.sqrt(2 * np.pi)
    beyond = np.reshape([erfc(one / sqrt(2)) for one in far.ravel().tolist()], far.shape)
    return np.asarray(errors * (2 * density - far * beyond))
