"""Mean ranks of runs, judge by judge: one ranking a unit, averaged over units (Voorhees 2008)."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats
from karat.kernels.arithmetic import divide
from karat.kernels.concordance import middle_places


def unit_ranks(scores: Floats, entered: Bools | None = None) -> Floats:
    """Ranks of the runs on every unit (…, units, runs), 1 is best and ties share the mean of their ranks.

    NaN where a run that is `entered` on a unit, as all are unless it is said, has no score there: ranks among fewer
    runs would not be comparable. The only one of several runs on a unit has no rank.
    """
    entered = np.ones(scores.shape[-2:], dtype=bool) if entered is None else entered
    full = ~(np.isnan(scores) & entered).any(axis=-1, keepdims=True)
    several = entered.sum(axis=-1, keepdims=True) >= min(2, scores.shape[-1])
    return np.where(full & several & entered, middle_places(scores), np.nan)


def mean_ranks(scores: Floats, entered: Bools | None = None) -> Floats:
    """The mean rank (…, runs) over the units on which all runs entered there have a score; NaN where there is none."""
    ranks = unit_ranks(scores, entered)
    known = ~np.isnan(ranks)
    return np.asarray(divide(np.where(known, ranks, 0.0).sum(axis=-2), known.sum(axis=-2).astype(np.float64)))
