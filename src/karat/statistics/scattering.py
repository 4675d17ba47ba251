"""Exact tests of overlap: how many places several random sets have in common.

Examples are right answers among the pairs of a slice, and groups that are right on one label and on another. With two
sets this is the hypergeometric distribution, and Fisher's exact test of a 2 × 2 table (Fisher 1935).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.arrays import Floats, Ints

Stratum = tuple[int, Sequence[int]]
"""The number of places, and the size of each set."""
SMALLEST_TAIL = 1e-300
"""A lower limit for tails: the observed outcome is possible, so none is 0."""


def in_common(places: int, sizes: Sequence[int]) -> Floats:
    """P(0), P(1), …: the distribution of the number of places that random sets of these sizes have in common."""
    from scipy.special import gammaln  # here: scipy takes long to load

    logs = gammaln(np.arange(places + 1) + 1.0)

    def ways(of: Ints, chosen: Ints) -> Floats:
        """The logarithm of the binomial coefficient; −∞ if it is 0."""
        possible = (chosen >= 0) & (chosen <= of)
        k = np.where(possible, chosen, 0)
        return np.where(possible, logs[of] - logs[k] - logs[of - k], -np.inf)

    chances = np.zeros(sizes[0] + 1)
    chances[-1] = 1.0
    for size in sizes[1:]:
        held = np.flatnonzero(chances)
        both = np.arange(min(int(held.max()), size) + 1)
        every = logs[places] - logs[size] - logs[places - size]
        chances = chances[held] @ np.exp(ways(held[:, None], both) + ways(places - held[:, None], size - both) - every)
    return chances


def tails(strata: Sequence[Stratum], observed: int) -> tuple[float, float]:
    """P(at most) and P(at least) `observed` in common, in total over independent strata."""
    chances = np.ones(1)
    for places, sizes in strata:
        chances = np.convolve(chances, in_common(places, sizes))
    ends = chances[: observed + 1].sum(), chances[observed:].sum()
    low, high = (min(max(float(end), SMALLEST_TAIL), 1.0) for end in ends)
    return low, high
