"""Do two groups of units have the same mean share? Welch's test with two units more in each, one of 1 and one of 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats


def share_difference(shares: Floats, times: Floats, member: NDArray[np.bool_]) -> float:
    """Two-sided p for shares (patterns,) that occur so many times, members of a group against the others.

    The two units more are Agresti and Caffo's (2000), who have them for proportions: a few units that happen to be all
    alike would otherwise seem to have no error. NaN where a group has no unit.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    means, errors, sizes = [], [], []
    for group in (member, ~member):
        size = times[group].sum() + 2
        if size == 2:
            return float("nan")
        mean = (times[group] @ shares[group] + 1) / size
        squares = times[group] @ (shares[group] - mean) ** 2 + mean**2 + (1 - mean) ** 2
        means.append(mean)
        errors.append(squares / (size * (size - 1)))
        sizes.append(size)
    freedom = sum(errors) ** 2 / sum(error**2 / (size - 1) for error, size in zip(errors, sizes, strict=True))
    return float(2 * stdtr(freedom, -abs(means[0] - means[1]) / sum(errors) ** 0.5))
