"""Wilcoxon's signed-rank test: whether differences lie symmetrically about 0, not whether their mean is 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.kernels.ranking import mean_rank_weights, tie_groups
from karat.kernels.signflip import flip_tail
from karat.statistics.paired import Paired

Floats = NDArray[np.float64]

EXACT = 50
"""Up to so many differences that are not 0 the distribution is worked out, ties included; beyond, it is normal."""
CELLS = 1 << 22


def wilcoxon(paired: Paired) -> Floats:
    """Two-sided p of every pair; differences of 0 are left out, tied ones share their ranks, all 0 gives 1.

    On right/wrong scores all differences tie, and it is McNemar's test without the continuity correction.
    """
    whole = paired.lattice is not None and bool((paired.sizes == paired.sizes.max(initial=1)).all())
    # Whole numbers tie as they should; clusters of unequal sizes are compared by their means.
    if whole:
        scores = paired.lattice[0].astype(np.float64)  # type: ignore[index]
    else:
        with np.errstate(invalid="ignore"):
            scores = np.nan_to_num(np.round(paired.sums / paired.sizes, 12))
    p = np.ones(len(paired.first))
    rows = max(1, CELLS // max(scores.shape[1], 1))
    for start in range(0, len(p), rows):
        here = slice(start, start + rows)
        p[here] = _signed_rank(np.round(scores[paired.first[here]] - scores[paired.second[here]], 12))
    return p


def _signed_rank(differences: Floats) -> Floats:
    """p for each row of differences."""
    from scipy.special import ndtr  # here: scipy takes long to load

    sizes = np.abs(differences)
    units = differences.shape[1]
    order, group = tie_groups(-sizes)
    ranks = mean_rank_weights(np.arange(1.0, units + 1), order, group)
    zeros = (sizes == 0).sum(axis=1)
    # Zeros hold the lowest ranks: without them every other moves down.
    ranks = np.where(sizes > 0, ranks - zeros[:, None], 0.0)
    signed = (np.sign(differences) * ranks).sum(axis=1)
    # The squares of the shared ranks have the correction for ties in them.
    p = 2 * ndtr(-np.abs(np.nan_to_num(divide(signed, np.sqrt((ranks**2).sum(axis=1))))))
    few = np.flatnonzero((units - zeros <= EXACT) & (zeros < units))
    for row in few:
        doubled, counts = np.unique(np.rint(2 * ranks[row][ranks[row] > 0]).astype(np.int64), return_counts=True)
        observed = np.rint(2 * signed[[row]]).astype(np.int64)
        p[row] = flip_tail(doubled, counts[None], observed)[0]
    return p
