"""Kendall's coefficient of concordance, corrected for ties: do judges rank the same runs alike?"""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.kernels.arithmetic import divide
from karat.kernels.concordance import middle_places
from karat.statistics.randomisation import simulated

RANKS_AT_A_TIME = 4_000_000
"""Ranks held in memory at a time."""


def kendall_w(scores: Floats) -> Floats:
    """W (…) of judges' scores (…, judges, runs), larger is better; 1 for identical rankings, 0 for no concordance.

    NaN if a score is missing, if every judge ties all runs, or if there is only one judge or one run, since the W of a
    single judge is always 1.
    """
    judges, runs = scores.shape[-2:]
    if judges < 2 or runs < 2:
        return np.full(scores.shape[:-2], np.nan)[()]
    ranks = middle_places(scores)
    value = divide(12 * _spread(ranks), judges**2 * (runs**3 - runs) - judges * _ties(scores))
    return np.asarray(np.where(np.isnan(scores).any(axis=(-2, -1)), np.nan, value))[()]


def _spread(ranks: Floats) -> Floats:
    """The sum of squares of the rank sums about their mean."""
    sums = ranks.sum(axis=-2)
    return np.asarray(((sums - sums.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1))


def _ties(scores: Floats) -> Floats:
    """Σ t³ − t over all tie groups of all judges; a judge's ranks lose a twelfth of it in spread."""
    runs = scores.shape[-1]
    ranks = middle_places(scores)
    squares = ((ranks - (runs + 1) / 2) ** 2).sum(axis=-1)
    return np.asarray(((runs**3 - runs) - 12 * squares).sum(axis=-1))


def w_test(scores: Floats, replicates: int, random: np.random.Generator) -> tuple[float, float]:
    """p of W (judges, runs) if each judge ranked at random, and its Monte-Carlo standard error.

    Scores are permuted within each judge. Ties are kept, so that W is monotone in the spread of the rank sums.
    """
    judges, runs = scores.shape
    if judges < 2 or runs < 2 or np.isnan(scores).any():
        return float("nan"), float("nan")
    ranks = middle_places(scores)
    observed, count = float(_spread(ranks)), 0
    for start in range(0, replicates, step := max(1, RANKS_AT_A_TIME // ranks.size)):
        take = min(step, replicates - start)
        drawn = random.permuted(np.broadcast_to(ranks, (take, judges, runs)), axis=-1)
        count += int((_spread(drawn) >= observed * (1 - EXACT_TOLERANCE)).sum())
    p, error = simulated(np.array([count]), replicates)
    return float(p[0]), float(error[0])
