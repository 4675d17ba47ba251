"""Do the values of an attribute differ in difficulty? Units are exchanged among the values at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats

MOST_PERMUTATIONS, FEWEST_PERMUTATIONS, CELLS = 999, 199, 50_000_000
"""Permutations, fewer where there are very many units, never fewer than the second."""
ROUNDING = 1e-12


def range_p(scores: Floats, members: NDArray[np.bool_], random: np.random.Generator) -> float:
    """p of the largest difference between the means of groups (groups, units); NaN with fewer than two groups."""
    if len(members) < 2:
        return float("nan")
    shares = members / members.sum(axis=1, keepdims=True)
    observed = np.ptp(shares @ scores)
    number = int(np.clip(CELLS // max(len(scores), 1), FEWEST_PERMUTATIONS, MOST_PERMUTATIONS))
    beyond = sum(np.ptp(shares @ random.permutation(scores)) >= observed - ROUNDING for _ in range(number))
    return float((1 + beyond) / (1 + number))
