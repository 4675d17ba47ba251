"""Exact tests of counts: how many places several sets have in common, were each of them scattered at random.

Right answers scattered over pairs, of which a slice holds some; the groups that are right on one label, and those that
are right on another: with two sets this is the hypergeometric distribution and Fisher's exact test of a 2 × 2 table
(Fisher 1935).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats

Stratum = tuple[int, Sequence[int]]
"""How many places there are, and how many of them each set holds."""
SMALLEST_TAIL = 1e-300
"""What was observed is possible: no tail is 0."""


def in_common(places: int, sizes: Sequence[int]) -> Floats:
    """P(0), P(1), …: of how many places random sets of these sizes all hold."""
    from scipy.special import gammaln  # here: scipy takes long to load

    logs = gammaln(np.arange(places + 1) + 1.0)

    def ways(of: NDArray[np.int64], chosen: NDArray[np.int64]) -> Floats:
        """Logarithm of the binomial coefficient; −∞ where there is no way."""
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
    """P(at most) and P(at least) so many in common over all strata, each scattered by itself."""
    chances = np.ones(1)
    for places, sizes in strata:
        chances = np.convolve(chances, in_common(places, sizes))
    ends = chances[: observed + 1].sum(), chances[observed:].sum()
    low, high = (min(max(float(end), SMALLEST_TAIL), 1.0) for end in ends)
    return low, high
