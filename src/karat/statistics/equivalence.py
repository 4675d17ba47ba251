"""Equivalence: two one-sided tests that a difference lies within ± a margin (Schuirmann 1987)."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Ints
from karat.kernels.counting import divide
from karat.statistics.paired import Paired, score_p
from karat.statistics.right_sums import RightPairs


def equivalence(paired: Paired | RightPairs, margin: float, reach: float = 1.0) -> Floats:
    """The larger p of the two tests, by Tango's score for right/wrong scores and by Student's t for others.

    Neither accounts for rare large differences that the sample happens to miss, so p is never below `unseen`, which
    alone decides if the difference has no error. NaN if the reach is unknown too.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    if isinstance(paired, RightPairs) or paired.right is not None:
        won, lost = (side.astype(np.float64) for side in paired.wins)
        units = np.full(len(won), paired.units, dtype=np.float64)
        p = np.maximum(*(score_p(*sides, units, min(margin, 1.0)) for sides in ((won, lost), (lost, won))))
    else:
        t = divide(np.abs(paired.differences) - margin, paired.errors)
        p = stdtr(max(paired.clusters - 1, 1), t)
    return np.fmax(p, unseen(paired, margin, reach))


def unseen(paired: Paired | RightPairs, margin: float, reach: float = 1.0) -> Floats:
    """The probability that the sample shows no more than the observed difference if the true one is the margin.

    In the worst case two runs are `reach` apart on a few units and equal on all others, and the number of these units
    is binomial. For right/wrong scores with losses on one side only this is the exact test; smaller differences would
    show more.
    """
    return unseen_units(np.abs(paired.differences), paired.clusters, margin, reach)


def unseen_units(seen: Floats, clusters: int | Ints, margin: float, reach: float) -> Floats:
    """The probability of so small a difference if the true one is the margin, and `reach` wherever there is any."""
    from scipy.special import bdtr

    if not 0 < reach < np.inf or np.any(clusters < 1):
        return np.full(len(seen), np.nan)
    steps = np.floor(seen * clusters / reach + 1e-9)
    return np.where(np.isnan(seen), np.nan, bdtr(np.nan_to_num(steps), clusters, min(margin / reach, 1.0)))
