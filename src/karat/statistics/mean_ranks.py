"""Mean ranks of runs for each judge: one ranking per unit, averaged over units (Voorhees 2008)."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats
from karat.kernels.arithmetic import divide
from karat.kernels.concordance import middle_places


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
