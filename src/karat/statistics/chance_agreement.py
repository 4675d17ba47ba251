"""Do two assessors agree less than by chance? Had they judged independently, any unit could have had either's label."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.arithmetic import above_zero, divide


def below_chance(counts: Floats) -> Floats:
    """One-sided p of so few agreements, for tables (…, K, K): one assessor's labels are dealt to the units at random.

    The mean and the variance are those over all deals, and the tail is normal, with half a step taken off: of two
    labels agreements come two at a time. 1 where every deal agrees as often.
    """
    from scipy.special import ndtr  # here: scipy takes long to load

    total = counts.sum(axis=(-2, -1))
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    both, rest = rows * columns, total[..., None] - np.stack([rows, columns])
    # A label's own variance, and the covariance of each two labels.
    spread = (both * rest[0] * rest[1]).sum(axis=-1) + both.sum(axis=-1) ** 2 - (both**2).sum(axis=-1)
    error = np.sqrt(divide(spread, total**2 * np.maximum(total - 1, 1)))
    agreed = np.trace(counts, axis1=-2, axis2=-1) + (1.0 if counts.shape[-1] == 2 else 0.5)
    varies = error > 0
    z = divide(agreed - divide(both.sum(axis=-1), total), np.where(varies, error, 1.0))
    return np.where(np.isnan(error), np.nan, np.where(varies, above_zero(ndtr(z)), 1.0))[()]
