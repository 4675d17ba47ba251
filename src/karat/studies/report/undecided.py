"""Runs that a test set cannot tell apart, and how many units would."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from karat.data.scores import Scores
from karat.statistics.power import connor_units, t_units
from karat.studies.compare.result import Comparison

Floats = NDArray[np.float64]
POWER = 0.8
NOTHING = 1e-12
"""A difference below this is rounding's doing."""


@dataclass(frozen=True)
class Undecided:
    """Two neighbours in the ranking that are not told apart; `a` is ahead."""

    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    units: int | None
    """That would find this difference with power .8 if the runs really differ by it, and go on disagreeing as they do
    here; None where they do not differ at all."""
    at_hand: int


def undecided(compared: Comparison, scores: Scores) -> list[Undecided]:
    """Every two neighbours that are not told apart, from the top.

    `scores` are what was compared: by means, so that power has a formula; what was compared otherwise is not told.
    """
    if compared.measure != scores.measure or compared.clusters is not None or compared.versus != "all":
        return []
    different = {frozenset((pair.a, pair.b)) for pair in compared.pairs if pair.different}
    made = []
    for first, second in pairwise(compared.runs):
        if frozenset((first.run, second.run)) in different or not first.value >= second.value:
            continue
        a, b = (scores.values[scores.runs.index(row.run)] for row in (first, second))
        gap = (a - b)[~np.isnan(a - b)]
        if len(gap) > 1:
            difference = float(gap.mean())
            needed = _needed(gap, 1 - compared.level)
            made.append(Undecided(first.run, second.run, first.value, second.value, difference, needed, len(gap)))
    return made


def _needed(gap: Floats, level: float) -> int | None:
    """Units for the mean of these differences to be found; right or wrong by Connor's formula, graded by the t test."""
    difference, deviation = float(abs(gap.mean())), float(gap.std(ddof=1))
    if difference < NOTHING:
        return None
    if np.isin(gap, (-1.0, 0.0, 1.0)).all():
        units = float(connor_units(np.abs(gap).mean(), difference, POWER, level))
    else:
        units = t_units(deviation, difference, POWER, level) if deviation > NOTHING else 2.0
    return int(units) if np.isfinite(units) else None
