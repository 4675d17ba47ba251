"""Equivalence: two one-sided tests that a difference lies within a margin either way (Schuirmann 1987)."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.arithmetic import divide
from karat.statistics.paired import Paired
from karat.statistics.paired_score import score_p


def equivalence(paired: Paired, margin: float, reach: float = 1.0) -> Floats:
    """p of both tests together, the larger of the two, by Tango's score for right/wrong scores and by t for others.

    Neither sees a rare large difference that the units at hand happen not to show, so p is never below `unseen`,
    which alone decides where the difference has no error. NaN where the reach is not known either.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    if paired.right is not None:
        won, lost = (side.astype(np.float64) for side in paired.wins)
        units = np.full(len(won), float(paired.units))
        p = np.maximum(*(score_p(*sides, units, min(margin, 1.0)) for sides in ((won, lost), (lost, won))))
    else:
        t = divide(np.abs(paired.differences) - margin, paired.errors)
        p = stdtr(max(paired.clusters - 1, 1), t)
    return np.fmax(p, unseen(paired, margin, reach))


def unseen(paired: Paired, margin: float, reach: float = 1.0) -> Floats:
    """The chance that all units show no more than the difference found, if it is the margin and in few large steps.

    Two runs are `reach` apart on some units and alike on all others: the number of those units is binomial. With
    right/wrong scores and losses on one side only that is the exact test; any smaller differences would show more.
    """
    from scipy.special import bdtr

    if not reach > 0 or paired.clusters < 1:
        return np.full(len(paired.first), np.nan)
    steps = np.floor(np.abs(paired.differences) * paired.clusters / reach + 1e-9)
    return np.asarray(bdtr(steps, paired.clusters, min(margin / reach, 1.0)))
