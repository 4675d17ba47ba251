"""A sample balanced over strata, in which what is preferred comes more often."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints


def level_counts(available: Ints, size: int) -> Ints:
    """So many of each stratum that all have equally many, but for those that have not enough; they add up to the size.

    What cannot be shared out evenly goes to the first strata that have more.
    """
    counts = np.zeros(len(available), dtype=np.int64)
    left = min(size, int(available.sum()))
    while left:
        open_ = np.flatnonzero(counts < available)
        each = left // len(open_)
        if each:
            added = np.minimum(available[open_] - counts[open_], each)
        else:
            open_, added = open_[:left], np.ones(left, dtype=np.int64)
        counts[open_] += added
        left -= int(added.sum())
    return counts


def weighted_sample(weights: Floats, size: int, random: np.random.Generator) -> Ints:
    """So many places without replacement, each drawn with the odds of its weight (Efraimidis and Spirakis 2006)."""
    keys = random.exponential(size=len(weights)) / weights
    return np.sort(np.argsort(keys, kind="stable")[:size]).astype(np.int64)
