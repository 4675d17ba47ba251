"""How alike two rankings of the same runs are: Kendall's tau, tau-AP, swaps and moves.

Rankings are given as scores (…, runs), larger is better; leading axes (keys, draws, resamples) broadcast. Scores
that differ by rounding alone are tied. A run without a score (NaN) leaves every coefficient undefined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.kernels.arithmetic import divide
from karat.kernels.concordance import ROUNDING, concordance, middle_places


def orders(scores: Floats) -> Floats:
    """(…, runs, runs): 1 where the first run is above the second, -1 where below, 0 where they are tied."""
    apart = scores[..., :, None] - scores[..., None, :]
    return np.sign(np.where(np.abs(apart) < ROUNDING, 0.0, apart))


def pair_orders(scores: Floats) -> Floats:
    """(…, pairs): the order of every two runs, each pair once."""
    first, second = np.triu_indices(scores.shape[-1], 1)
    apart = scores[..., first] - scores[..., second]
    return np.sign(np.where(np.abs(apart) < ROUNDING, 0.0, apart))


def tau(reference: Floats, estimate: Floats) -> Floats:
    """Kendall's tau (tau-a): pairs in the same order less pairs in the opposite one, over all pairs."""
    alike, opposite = concordance(reference, estimate)
    pairs = reference.shape[-1] * (reference.shape[-1] - 1) / 2
    value = divide((alike - opposite).astype(np.float64), np.asarray(pairs))
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def tau_b(reference: Floats, estimate: Floats) -> Floats:
    """Kendall's tau-b: tied pairs leave the denominator; undefined where a ranking is one tie."""
    alike, opposite = concordance(reference, estimate)
    untied = [concordance(side, side)[0].astype(np.float64) for side in (reference, estimate)]
    value = divide((alike - opposite).astype(np.float64), np.sqrt(untied[0] * untied[1]))
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def _all_scored(reference: Floats, estimate: Floats) -> NDArray[np.bool_]:
    return np.asarray(~(np.isnan(reference).any(axis=-1) | np.isnan(estimate).any(axis=-1)))


def tau_ap(reference: Floats, estimate: Floats) -> Floats:
    """AP correlation: Kendall's tau with errors at the top of the estimate counting more (Yilmaz et al. 2008).

    Of the runs above a run in the estimate, the share that the reference has above it too, averaged over all runs
    but the first. Ties are broken at random, in both rankings, and this is the exact expectation; with ties in the
    estimate alone it is tau_AP,a of Urbano and Marrero (2017).
    """
    x, y = np.broadcast_arrays(orders(reference), orders(estimate))
    runs = x.shape[-1]
    above = y < 0
    before, tied = above.sum(axis=-1), (y == 0).sum(axis=-1)
    agreeing = np.where(above, (1 - x) / 2, 0.0).sum(axis=-1)
    # A run in a tie group of t below b runs is equally often at each place b+1 … b+t of the broken ranking.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, runs + 1))])
    last = harmonic[np.maximum(before + tied - 1, 0)]
    from_above = agreeing * np.where(before > 0, last - harmonic[np.maximum(before - 1, 0)], 0.0)
    within = ((tied - 1) - before * (last - harmonic[before])) / 2
    shares = ((from_above + within) / np.maximum(tied, 1)).sum(axis=-1)
    value = 2 * divide(shares, np.asarray(runs - 1, dtype=np.float64)) - 1
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def tau_ap_b(reference: Floats, estimate: Floats) -> Floats:
    """AP correlation between peers, ties meaning ties; symmetric (tau_AP,b of Urbano and Marrero 2017)."""
    return (_tau_ap_peers(reference, estimate) + _tau_ap_peers(estimate, reference)) / 2


def _tau_ap_peers(reference: Floats, estimate: Floats) -> Floats:
    """One direction: tied runs of the estimate are no pair, those of the reference are not in the same order."""
    x, y = np.broadcast_arrays(orders(reference), orders(estimate))
    above = y < 0
    before = above.sum(axis=-1)
    shares = np.nan_to_num(divide((above & (x < 0)).sum(axis=-1).astype(np.float64), before.astype(np.float64)))
    value = 2 * divide(shares.sum(axis=-1), (before > 0).sum(axis=-1).astype(np.float64)) - 1
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def discordant(reference: Floats, estimate: Floats) -> Ints:
    """How many pairs of runs are strictly the other way round."""
    return concordance(reference, estimate)[1]


def tied(scores: Floats) -> Ints:
    """How many pairs of runs are tied."""
    return (pair_orders(scores) == 0).sum(axis=-1)


def ranks(scores: Floats) -> Floats:
    """The rank of every run, 1 is best; tied runs share the mean of their ranks."""
    return middle_places(scores)


def largest_move(reference: Floats, estimate: Floats) -> Floats:
    """By how many ranks the run that moves most moves."""
    return np.abs(ranks(reference) - ranks(estimate)).max(axis=-1)


def best_first(scores: Floats) -> Ints:
    """The places of the runs, best first; tied runs in their own order, those without score last."""
    return np.argsort(ranks(scores), kind="stable", axis=-1)
