"""Tests by sign flips: of paired means, exact if the scores are on a lattice, and of wins against losses.

Under the null hypothesis the two scores of each unit are exchangeable, so every difference could have the opposite
sign. p is the share of sign flips whose sum is at least as far from 0 as the observed one. On right/wrong scores this
is McNemar's exact test (the sign test), whose counterpart with a margin is Tango's score test. Where the flips cannot
be enumerated, random ones are drawn, the same for all pairs of runs.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from karat.arrays import Floats, Ints, Singles
from karat.kernels.counting import divide, squared_distances
from karat.kernels.signflip import count_extreme, flip_tail, flipped_sums
from karat.statistics.paired import Paired

EXACT_WORK = 5e7
"""Above this many steps (some seconds), studies do not choose the exact test by themselves."""
ENUMERATED_UP_TO = 16
"""Up to this many units or clusters, all sign flips are enumerated (32,768, and as many again by symmetry)."""


def mcnemar(won: Ints, lost: Ints, mid: bool = False) -> Floats:
    """Two-sided p of wins against losses under equal chances; ties are ignored.

    `mid` counts half of the probability of the observed outcome: its size is closer to the nominal level, but sometimes
    exceeds it.
    """
    from scipy.special import bdtr, gammaln  # here: scipy takes long to load

    fewer, total = np.minimum(won, lost).astype(np.int64), won.astype(np.int64) + lost
    # Among half a million pairs, many have the same counts, so each combination is computed once.
    width = int(total.max(initial=0)) + 1
    different, place = np.unique(fewer * width + total, return_inverse=True)
    k, n = different // width, different % width
    p = np.minimum(2 * bdtr(k.astype(np.float64), n, 0.5), 1.0)
    if mid:
        here = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2))
        # If wins equal losses, the observed outcome is counted once, not on both sides.
        p = np.where(2 * k == n, 1.0, p) - np.where(2 * k == n, 0.5, 1.0) * here
    return above_zero(p)[place].reshape(np.shape(won))


def score_p(behind: Floats, ahead: Floats, units: Floats, margin: float) -> Floats:
    """Tango's one-sided p if losses exceed wins by at least the margin, as shares of the units (Tango 1998).

    The standard error is that of the most likely shares under the null hypothesis. p is 1 if the margin is 0 and there
    are neither wins nor losses.
    """
    from scipy.special import ndtr  # here: scipy takes long to load

    middle = (2 * units - behind + ahead) * margin - behind - ahead
    ends = ahead * margin * (1 - margin)
    least = (np.sqrt(middle**2 + 8 * units * ends) - middle) / (4 * units)
    error = np.sqrt(units * (2 * least + margin * (1 - margin)))
    z = divide(behind - ahead - units * margin, error)
    return np.where((error == 0) & ~np.isnan(units), 1.0, ndtr(z))


def above_zero(p: Floats) -> Floats:
    """P-values, where one too small for a double becomes the smallest positive double instead of 0; NaN stays NaN."""
    return np.maximum(p, np.finfo(np.float64).tiny)


def exact_work(paired: Paired) -> float:
    """The number of steps of the exact test; infinite for many real-valued scores, whose flips cannot be enumerated."""
    if paired.right is not None:
        return float(len(paired.first))
    if paired.clusters <= ENUMERATED_UP_TO:
        return float(len(paired.first)) * 2.0 ** (paired.clusters - 1)
    if paired.lattice is None:
        return float("inf")
    whole = paired.lattice[0]
    spread = whole.max(axis=0, initial=0) - whole.min(axis=0, initial=0)
    values = min(int(spread.max(initial=0)), int(spread.size))
    return float(len(paired.first)) * values * float(spread.sum() + 1)


def exact_randomisation(paired: Paired) -> Floats:
    """p over all sign flips of every pair: McNemar's test on right/wrong scores, by enumeration for few units."""
    if paired.right is not None:
        return mcnemar(*paired.wins)
    if paired.clusters <= ENUMERATED_UP_TO:
        return _enumerated(paired)
    assert paired.lattice is not None
    whole = paired.lattice[0]
    p = np.empty(len(paired.first))
    for row in np.unique(paired.first):
        here = np.flatnonzero(paired.first == row)
        apart = whole[row] - whole[paired.second[here]]
        sizes = np.abs(apart)
        steps = np.unique(sizes[sizes > 0])
        counts = np.stack([(sizes == step).sum(axis=1) for step in steps], axis=1) if len(steps) else None
        p[here] = 1.0 if counts is None else flip_tail(steps, counts, apart.sum(axis=1))
    return p


def _enumerated(paired: Paired) -> Floats:
    """All flips with a positive first sign; the other half is equally extreme by symmetry."""
    values, _, observed = _values(paired)
    values = values[:, paired.sizes > 0]
    others = max(values.shape[1] - 1, 0)
    bits = np.arange(1 << others)[:, None] >> np.arange(others) & 1
    signs = np.concatenate([np.ones((len(bits), 1)), 1 - 2.0 * bits], axis=1).astype(np.float32)
    return count_extreme(flipped_sums(values, signs), paired.first, paired.second, observed) / len(bits)


def randomisation(paired: Paired, blocks: Iterable[Singles]) -> tuple[Floats, Floats]:
    """Simulated p of every pair, (1 + as extreme) / (1 + replicates), and its Monte-Carlo standard error."""
    values, _, observed = _values(paired)
    counts, replicates = np.zeros(len(paired.first), dtype=np.int64), 0
    for signs in blocks:
        counts += count_extreme(flipped_sums(values, signs), paired.first, paired.second, observed)
        replicates += len(signs)
    return simulated(counts, replicates)


def simulated(counts: Ints, replicates: int) -> tuple[Floats, Floats]:
    """p, never 0 because the observed outcome is one of the possible, and its Monte-Carlo standard error."""
    p = (1 + counts) / (1 + replicates)
    return p, simulation_error(p, replicates)


def simulation_error(p: Floats, replicates: int) -> Floats:
    """The Monte-Carlo standard error of a simulated p."""
    return np.sqrt(p * (1 - p) / (1 + replicates))


def standardised(paired: Paired, signs: Singles | None = None) -> Floats:
    """|Σd| over √Σd², which is invariant under flips: (pairs,), or under every row of signs (replicates, pairs)."""
    values, double, _ = _values(paired)
    spread = np.sqrt(squared_distances(double)[paired.first, paired.second])
    sums = double.sum(axis=1)[:, None] if signs is None else flipped_sums(values, signs)
    apart = np.abs(sums[paired.first] - sums[paired.second]).T
    scaled = apart / np.where(spread > 0, spread, np.inf)
    return scaled[0] if signs is None else scaled


def _values(paired: Paired) -> tuple[Ints | Floats, Floats, Ints | Floats]:
    """The sums, as integers if possible; the same as doubles; and the absolute difference of each pair's totals."""
    whole = paired.sums if paired.lattice is None else paired.lattice[0]
    totals = whole.sum(axis=1)
    observed = np.abs(totals[paired.first] - totals[paired.second])
    if paired.lattice is None:
        # Sums of fractions that should tie differ in their last digits, by the rounding error of these two runs.
        near = paired.rounding.sum(axis=1)
        observed = observed - (near[paired.first] + near[paired.second])
    return whole, whole.astype(np.float64), observed
