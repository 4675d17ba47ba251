"""Is a run weaker on a slice than on its other units, where units share a text and stand or fall together?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats


def weaker_over_clusters(right: Floats, inside: NDArray[np.bool_], cluster: NDArray[np.int64]) -> Floats:
    """One-sided p (runs,) of scores (runs, units): the mean inside is no lower than the mean outside.

    The difference over its error, from what each cluster departs by (a cluster may reach into both); Student's t with
    one degree of freedom less than there are clusters inside, or outside. NaN with one cluster on either side.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    fewest = min(len(np.unique(cluster[side])) for side in (inside, ~inside))
    if fewest < 2:
        return np.full(len(right), np.nan)
    means = [right[:, side].mean(axis=1, keepdims=True) for side in (inside, ~inside)]
    departs = (right - np.where(inside, *means)) * np.where(inside, 1 / inside.sum(), -1 / (~inside).sum())
    size = int(cluster.max()) + 1
    sums = np.stack([np.bincount(cluster, row, minlength=size) for row in departs])
    error = np.sqrt((sums**2).sum(axis=1) * fewest / (fewest - 1))
    apart = (means[0] - means[1])[:, 0]
    # Where nothing varies the difference is certain, or there is none.
    t = np.where(error > 0, apart / np.where(error > 0, error, 1.0), np.where(apart < 0, -np.inf, np.inf))
    return np.asarray(stdtr(fewest - 1, t))
