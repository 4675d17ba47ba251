"""Similarity of two rankings of the same runs: Kendall's tau, tau-AP, swaps and moves.

Rankings are given as scores (…, runs), larger is better; leading axes (keys, draws, resamples) broadcast. Scores that
differ only by rounding error are tied. If a run has no score (NaN), every coefficient is undefined.
"""

from __future__ import annotations

import math

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints
from karat.kernels.counting import divide
from karat.kernels.ranking import alike_above, concordance, middle_places, tied_places

NO_WEIGHT = 1e-17
"""Depths of less weight than this do not change an overlap."""


def orders(scores: Floats) -> Floats:
    """(…, runs, runs): 1 if the first run is above the second, -1 if below, 0 if they are tied."""
    return signs(scores[..., :, None] - scores[..., None, :])


def pair_orders(scores: Floats) -> Floats:
    """(…, pairs): the order of every two runs, each pair once."""
    first, second = np.triu_indices(scores.shape[-1], 1)
    return signs(scores[..., first] - scores[..., second])


def signs(apart: Floats) -> Floats:
    """1, 0 or −1 for differences above 0, of 0 and below it, as far as numbers are exact."""
    return np.sign(np.where(np.abs(apart) < EXACT_TOLERANCE, 0.0, apart))


def tau(reference: Floats, estimate: Floats) -> Floats:
    """Kendall's tau (tau-a): concordant minus discordant pairs, over all pairs."""
    alike, opposite = concordance(reference, estimate)
    pairs = reference.shape[-1] * (reference.shape[-1] - 1) / 2
    value = divide((alike - opposite).astype(np.float64), np.asarray(pairs))
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def tau_b(reference: Floats, estimate: Floats) -> Floats:
    """Kendall's tau-b, without tied pairs in the denominator; undefined if a ranking is one single tie."""
    alike, opposite = concordance(reference, estimate)
    untied = [concordance(side, side)[0].astype(np.float64) for side in (reference, estimate)]
    value = divide((alike - opposite).astype(np.float64), np.sqrt(untied[0] * untied[1]))
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def _all_scored(reference: Floats, estimate: Floats) -> Bools:
    return np.asarray(~(np.isnan(reference).any(axis=-1) | np.isnan(estimate).any(axis=-1)))


def tau_ap(reference: Floats, estimate: Floats) -> Floats:
    """AP correlation: Kendall's tau with more weight on errors at the top of the estimate (Yilmaz et al. 2008).

    The share of the runs above a run in the estimate that are also above it in the reference, averaged over all runs
    but the first. Ties in both rankings are broken at random, and this is the exact expectation; with ties in the
    estimate alone it is tau_AP,a of Urbano and Marrero (2017).
    """
    agreeing = alike_above(reference, estimate)
    first, last = tied_places(np.broadcast_to(estimate, agreeing.shape))
    before, tied, runs = first - 1, last - first + 1, agreeing.shape[-1]
    # A run in a group of t ties below b runs is equally likely at each of the places b+1 … b+t.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, runs + 1))])
    until = harmonic[last - 1]
    from_above = agreeing * np.where(before > 0, until - harmonic[np.maximum(before - 1, 0)], 0.0)
    within = ((tied - 1) - before * (until - harmonic[before])) / 2
    shares = ((from_above + within) / np.maximum(tied, 1)).sum(axis=-1)
    value = 2 * divide(shares, np.asarray(runs - 1, dtype=np.float64)) - 1
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def tau_ap_b(reference: Floats, estimate: Floats) -> Floats:
    """AP correlation between peers, with ties as ties; symmetric (tau_AP,b of Urbano and Marrero 2017)."""
    return (_tau_ap_peers(reference, estimate) + _tau_ap_peers(estimate, reference)) / 2


def _tau_ap_peers(reference: Floats, estimate: Floats) -> Floats:
    """One direction: runs tied in the estimate are not a pair, and those tied in the reference are not concordant."""
    x, y = np.broadcast_arrays(orders(reference), orders(estimate))
    above = y < 0
    before = above.sum(axis=-1)
    shares = np.nan_to_num(divide((above & (x < 0)).sum(axis=-1).astype(np.float64), before.astype(np.float64)))
    value = 2 * divide(shares.sum(axis=-1), (before > 0).sum(axis=-1).astype(np.float64)) - 1
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def rank_biased_overlap(reference: Floats, estimate: Floats, persistence: float = 0.9) -> Floats:
    """The overlap of the first d runs, averaged over d with weights persistence^d (Webber et al. 2010).

    Both rankings contain all runs, so nothing is extrapolated. A run that is tied over places on both sides of d counts
    by the share of these places that are above: the mean over random orders of the ties (Corsi and Urbano 2024).
    """
    reference, estimate = np.broadcast_arrays(reference, estimate)
    runs, total = reference.shape[-1], np.zeros(reference.shape[:-1])
    ends = [tied_places(side) for side in (reference, estimate)]
    if all((first == last).all() for first, last in ends):
        # Without ties, as in draws of means, a run counts from the lower of its two places on.
        places = np.arange(1, runs + 1)
        onwards = np.cumsum((persistence ** (places - 1) / places)[::-1])[::-1]
        total = onwards[np.maximum(ends[0][0], ends[1][0]) - 1].sum(axis=-1)
    else:
        for depth in range(1, 1 + min(runs, math.ceil(math.log(NO_WEIGHT) / math.log(persistence)))):
            above = [np.clip((depth + 1 - first) / (last - first + 1), 0.0, 1.0) for first, last in ends]
            total += (above[0] * above[1]).sum(axis=-1) / depth * persistence ** (depth - 1)
    value = (1 - persistence) * total + persistence**runs
    return np.where(_all_scored(reference, estimate), value, np.nan)[()]


def discordant(reference: Floats, estimate: Floats) -> Ints:
    """The number of discordant pairs of runs."""
    return concordance(reference, estimate)[1]


def tied(scores: Floats) -> Ints:
    """The number of tied pairs of runs."""
    return (pair_orders(scores) == 0).sum(axis=-1)


def ranks(scores: Floats) -> Floats:
    """The rank of every run, 1 for the best; tied runs share the mean of their ranks."""
    return middle_places(scores)


def largest_move(reference: Floats, estimate: Floats) -> Floats:
    """The largest change of rank of any run."""
    return np.abs(ranks(reference) - ranks(estimate)).max(axis=-1)


def best_first(scores: Floats) -> Ints:
    """The indices of the runs, best first; ties in their original order, runs without a score last."""
    return np.argsort(ranks(scores), kind="stable", axis=-1)


def table_tau_b(counts: Floats) -> float:
    """tau-b of counts (values, values), both from low to high; NaN if one scale has a single value in use."""
    total, rows, columns = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    # How many units are above and to the right of each cell, and how many above and to the left.
    above = np.flip(np.cumsum(np.flip(counts, 0), axis=0), 0) - counts
    right = np.flip(np.cumsum(np.flip(above, 1), axis=1), 1) - above
    left = np.cumsum(above, axis=1) - above
    net = (counts * (right - left)).sum()
    untied = (total**2 - (rows**2).sum()) * (total**2 - (columns**2).sum()) / 4
    return float(divide(net, np.sqrt(untied)))
