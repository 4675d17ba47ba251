"""Mean ranks of runs, judge by judge: one ranking a unit, averaged over units (Voorhees 2008)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.kernels.arithmetic import divide
from karat.kernels.concordance import middle_places

Floats = NDArray[np.float64]


def unit_ranks(scores: Floats) -> Floats:
    """Ranks of the runs on every unit (…, units, runs), 1 is best and ties share the mean of their ranks.

    NaN where a run has no score on a unit: ranks among fewer runs would not be comparable.
    """
    ranked = ~np.isnan(scores).any(axis=-1, keepdims=True)
    return np.where(ranked, middle_places(scores), np.nan)


def mean_ranks(scores: Floats) -> Floats:
    """The mean rank (…, runs) over the units on which all runs have a score; NaN where there is none."""
    ranks = unit_ranks(scores)
    known = ~np.isnan(ranks)
    return np.asarray(divide(np.where(known, ranks, 0.0).sum(axis=-2), known.sum(axis=-2).astype(np.float64)))
