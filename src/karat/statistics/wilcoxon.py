"""Wilcoxon's signed-rank test: whether differences are symmetric about 0, not whether their mean is 0."""

from __future__ import annotations

import math

import numpy as np

from karat.arrays import Floats
from karat.kernels.counting import divide, flip_tail
from karat.kernels.ranking import mean_rank_weights, near_groups
from karat.statistics.paired import Paired

EXACT_UP_TO = 50
"""Up to this many nonzero differences the distribution is exact, with ties; beyond that it is normal."""
SCORES_AT_A_TIME = 1 << 22
EXACT_DOUBLE = float(1 << 52)
"""Integers and their differences below this are exact in doubles."""


def wilcoxon(paired: Paired) -> Floats:
    """Two-sided p of every pair; differences of 0 are left out, tied ones share their ranks, all 0 gives 1.

    On right/wrong scores all differences tie, and this is McNemar's test without the continuity correction.
    """
    scores, rounding = _scores(paired)
    p = np.ones(len(paired.first))
    rows = max(1, SCORES_AT_A_TIME // max(scores.shape[1], 1))
    for start in range(0, len(p), rows):
        here = slice(start, start + rows)
        a, b = paired.first[here], paired.second[here]
        p[here] = _signed_rank(scores[a] - scores[b], rounding[a] + rounding[b])
    return p


def _scores(paired: Paired) -> tuple[Floats, Floats]:
    """The scores of clusters (means if sizes differ), and their possible rounding errors.

    Scores on a lattice become integers, for clusters after multiplying by a common multiple of the sizes, so that they
    tie exactly and have no rounding error. Clusters without units are 0.
    """
    there = paired.sizes > 0
    if paired.lattice is not None:
        whole = paired.lattice[0]
        sizes = np.where(there, np.rint(paired.sizes), 1).astype(np.int64)
        common = math.lcm(*np.unique(sizes[there]).tolist())
        if common * float(np.abs(whole).max(initial=0)) < EXACT_DOUBLE:
            scores = (whole * (common // sizes)).astype(np.float64)
            return scores, np.zeros_like(scores)
    share = np.where(there, 1 / np.where(there, paired.sizes, 1.0), 0.0)
    return paired.sums * share, paired.rounding * share


def _signed_rank(differences: Floats, rounding: Floats) -> Floats:
    """p for each row of differences, which are tied if they differ only by rounding error."""
    from scipy.special import ndtr  # here: scipy takes long to load

    differences = np.where(np.abs(differences) <= rounding, 0.0, differences)
    sizes = np.abs(differences)
    units = differences.shape[1]
    order, group = near_groups(sizes, np.where(sizes > 0, rounding, 0.0))
    ranks = mean_rank_weights(np.arange(1.0, units + 1), order, group)
    zeros = (sizes == 0).sum(axis=1)
    # Zeros have the lowest ranks, so without them all others move down.
    ranks = np.where(sizes > 0, ranks - zeros[:, None], 0.0)
    signed = (np.sign(differences) * ranks).sum(axis=1)
    # The squares of the shared ranks already include the correction for ties.
    p = 2 * ndtr(-np.abs(np.nan_to_num(divide(signed, np.sqrt((ranks**2).sum(axis=1))))))
    few = np.flatnonzero((units - zeros <= EXACT_UP_TO) & (zeros < units))
    for row in few:
        doubled, counts = np.unique(np.rint(2 * ranks[row][ranks[row] > 0]).astype(np.int64), return_counts=True)
        observed = np.rint(2 * signed[[row]]).astype(np.int64)
        p[row] = flip_tail(doubled, counts[None], observed)[0]
    return p
