"""Tests on the table of two assessors: do they agree less often than by chance, and do they use the labels alike?

The latter are Bowker's test and Stuart and Maxwell's; for two labels, see `mcnemar`.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import divide
from karat.statistics.paired import above_zero


def bowker(counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Statistic, degrees of freedom and p of symmetry, for tables (…, K, K) (Bowker 1948).

    A pair of labels that is never confused is left out, with its degree of freedom; p is NaN if none is confused.
    """
    above = np.triu_indices(counts.shape[-1], 1)
    one, other = counts[..., above[0], above[1]], counts[..., above[1], above[0]]
    parts = divide((one - other) ** 2, one + other)
    freedom = (one + other > 0).sum(axis=-1).astype(np.float64)
    return _tail(np.nansum(parts, axis=-1), freedom)


def stuart_maxwell(counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Statistic, degrees of freedom and p of equal margins, for tables (…, K, K) (Stuart 1955, Maxwell 1970).

    The covariance of the differences is the Laplacian of the graph of confusions. Its pseudo-inverse handles the last
    label, which is determined by the others, and labels that are never confused.
    """
    confused = counts + counts.swapaxes(-1, -2)
    confused = confused * (1 - np.eye(counts.shape[-1]))
    covariance = confused.sum(axis=-1)[..., None] * np.eye(counts.shape[-1]) - confused
    apart = counts.sum(axis=-1) - counts.sum(axis=-2)
    freedom = np.asarray(np.linalg.matrix_rank(covariance, hermitian=True), dtype=np.float64)
    inverse = np.linalg.pinv(covariance, hermitian=True)
    return _tail(np.einsum("...i,...ij,...j->...", apart, inverse, apart), freedom)


def _tail(statistic: Floats, freedom: Floats) -> tuple[Floats, Floats, Floats]:
    from scipy.special import chdtrc  # here: scipy takes long to load

    none = freedom == 0
    return (
        np.where(none, np.nan, statistic)[()],
        freedom[()],
        np.where(none, np.nan, above_zero(chdtrc(np.maximum(freedom, 1), statistic)))[()],
    )


def below_chance(counts: Floats) -> Floats:
    """One-sided p of this few agreements, for tables (…, K, K), if the assessors judge independently.

    One assessor's labels are permuted over the units. Mean and variance are those over all permutations. The tail
    is normal with a continuity correction, which is twice as large with two labels, since agreements then change by
    two. 1 if all permutations agree equally often.
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
