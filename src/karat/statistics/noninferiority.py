"""Worse by more than a margin, or not: two one-sided tests at the same bound.

Both ask about the difference d of two means, a run's minus a baseline's, and a margin m ≥ 0. `worse_p` is small if
d < −m, and `within_p` if d > −m. Right/wrong scores: Tango's score test (1998), with a continuity correction of half a
unit. It is asymptotic, so p is never below that of tests that are exact in special cases: without wins, losses are
binomial; and whoever is worse by more than a margin is worse, by McNemar's exact test. With these, the size of either
test at a level of 2.5% was at most 3.3% by enumeration, for 10 to 300 units, margins of .01 to .1 and every discordance
tried. Graded scores and clusters are tested by t: in simulations clusters of right/wrong scores had a size of up to
about 4%.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import divide
from karat.statistics.equivalence import unseen_units
from karat.statistics.paired import Paired, score_p
from karat.statistics.right_sums import RightPairs

HALF_A_UNIT = 0.5


def worse_p(paired: Paired | RightPairs, margin: float) -> Floats:
    """The p of the null hypothesis that the first mean is at most a margin below the second."""
    from scipy.special import bdtr, bdtrc, stdtr  # here: scipy takes long to load

    if isinstance(paired, Paired) and paired.right is None:
        t = divide(paired.differences + margin, paired.errors)
        constant = np.where(paired.differences + margin < 0, 0.5**paired.clusters, 1.0)
        return np.where(np.isnan(t), constant, stdtr(max(paired.clusters - 1, 1), t))
    won, lost = (side.astype(np.float64) for side in paired.wins)
    units = np.full(len(won), paired.units, dtype=np.float64)
    score = 1 - score_p(np.maximum(lost - HALF_A_UNIT, 0.0), won, units, min(margin, 1.0))
    behind = lost > won
    without_wins = np.where(behind, bdtrc(np.maximum(lost - won, 1) - 1, paired.units, min(margin, 1.0)), 1.0)
    at_all = np.where(behind, bdtr(won, (won + lost).astype(np.int64), 0.5), 1.0)
    return np.maximum(score, np.maximum(without_wins, at_all))


def within_p(paired: Paired | RightPairs, margin: float, reach: float = 1.0) -> Floats:
    """The p of the null hypothesis that the first mean is a margin or more below the second.

    Never below the probability of seeing so little loss if the loss is as large as the margin, but limited to a few
    units, on which two scores are `reach` apart. That alone decides if the difference has no error.
    """
    from scipy.special import stdtr

    if isinstance(paired, Paired) and paired.right is None:
        p = stdtr(max(paired.clusters - 1, 1), -divide(paired.differences + margin, paired.errors))
    else:
        won, lost = (side.astype(np.float64) for side in paired.wins)
        p = score_p(lost + HALF_A_UNIT, won, np.full(len(won), paired.units, dtype=np.float64), min(margin, 1.0))
    return np.fmax(p, unseen_loss(paired, margin, reach))


def unseen_loss(paired: Paired | RightPairs, margin: float, reach: float = 1.0) -> Floats:
    """The probability that a loss of the margin, limited to units where it is as large as can be, looks as small."""
    return unseen_units(np.maximum(-paired.differences, 0.0), paired.clusters, margin, reach)
