"""Do two assessors agree less often than by chance? If they judged independently, labels could be permuted freely."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.arithmetic import above_zero, divide


def below_chance(counts: Floats) -> Floats:
    """One-sided p of this few agreements, for tables (…, K, K), when one assessor's labels are permuted over the units.

    Mean and variance are those over all permutations. The tail is normal with a continuity correction, which is twice
    as large with two labels, since agreements then change by two. 1 if all permutations agree equally often.
    """
    from scipy.special import ndtr  # here: scipy takes long to load

    total = counts.sum(axis=(-2, -1))
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    both, rest = rows * columns, total[..., None] - np.stack([rows, columns])
    # The variance of each label's agreements, and the covariance between labels.
    spread = (both * rest[0] * rest[1]).sum(axis=-1) + both.sum(axis=-1) ** 2 - (both**2).sum(axis=-1)
    error = np.sqrt(divide(spread, total**2 * np.maximum(total - 1, 1)))
    agreed = np.trace(counts, axis1=-2, axis2=-1) + (1.0 if counts.shape[-1] == 2 else 0.5)
    varies = error > 0
    z = divide(agreed - divide(both.sum(axis=-1), total), np.where(varies, error, 1.0))
    return np.where(np.isnan(error), np.nan, np.where(varies, above_zero(ndtr(z)), 1.0))[()]
