"""Rankings of runs by several judges: Kendall's coefficient of concordance, and mean ranks (Voorhees 2008)."""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats
from karat.kernels.counting import divide
from karat.kernels.ranking import middle_places
from karat.statistics.paired import simulated

RANKS_AT_A_TIME = 4_000_000
"""Ranks held in memory at a time."""


def kendall_w(scores: Floats) -> Floats:
    """Kendall's W of judges' scores (…, judges, runs), corrected for ties: 1 for identical rankings, 0 for no concord.

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


def unit_ranks(scores: Floats, entered: Bools | None = None) -> Floats:
    """The ranks of the runs on every unit (…, units, runs), 1 for the best; ties share the mean of their ranks.

    By default all runs are `entered` on all units. NaN on units where an entered run has no score, because ranks among
    fewer runs would not be comparable, and where only one of several runs is entered.
    """
    entered = np.ones(scores.shape[-2:], dtype=bool) if entered is None else entered
    full = ~(np.isnan(scores) & entered).any(axis=-1, keepdims=True)
    several = entered.sum(axis=-1, keepdims=True) >= min(2, scores.shape[-1])
    return np.where(full & several & entered, middle_places(scores), np.nan)


def mean_ranks(scores: Floats, entered: Bools | None = None) -> Floats:
    """The mean rank (…, runs) over units where all entered runs have a score; NaN if there is none."""
    ranks = unit_ranks(scores, entered)
    known = ~np.isnan(ranks)
    return np.asarray(divide(np.where(known, ranks, 0.0).sum(axis=-2), known.sum(axis=-2).astype(np.float64)))
