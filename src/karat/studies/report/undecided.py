"""Neighbours in a ranking that were not significantly different, and how many units might show a difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np

from karat.arrays import Floats
from karat.data.scores import Scores
from karat.data.shown import Shown, Why
from karat.statistics.power import paired_units
from karat.studies.compare.result import Comparison

POWER = 0.8
"""With which so many units would show the observed difference, were it the true one."""
ROUNDING = 1e-12
"""A difference below this is rounding's doing."""
SAME_SCORE = "the two runs have the same score on the units that both were scored on, and no number of units shows 0"


@dataclass(frozen=True)
class Undecided:
    """Two neighbours in the ranking that were not significantly different on the units both were scored on.

    `a` is ahead. The numbers of units rest on the observed difference, which is uncertain.
    """

    a: Annotated[str, Shown("run a")]
    b: Annotated[str, Shown("run b")]
    value_a: float
    value_b: float
    difference: Annotated[float, Shown("a − b")]
    units: Annotated[int | None, Shown("units needed"), Why(SAME_SCORE)]
    """With which the difference would be significant among all the runs with power .8, if the true one is the observed
    one and the runs go on disagreeing as they do here; None where the observed one is 0."""
    units_alone: Annotated[int | None, Shown("alone"), Why(SAME_SCORE)]
    """The same if no other run were compared."""
    p: float
    p_corrected: float
    at_hand: Annotated[int, Shown("units at hand")]


def undecided(compared: Comparison, scores: Scores) -> list[Undecided]:
    """Every two neighbours that were tested and not significantly different, from the top.

    `scores` are what was compared, by means, so that power can be worked out; for anything else there are none. The
    level is divided by the number of pairs: Holm's correction is at least as strong as that.
    """
    if compared.measure != scores.measure or compared.clusters is not None or compared.versus != "all":
        return []
    verdicts = {frozenset((pair.a, pair.b)): pair for pair in compared.pairs}
    level = 1 - compared.level
    made = []
    for first, second in pairwise(row.run for row in compared.runs):
        pair = verdicts[frozenset((first, second))]
        if pair.different is not False:
            continue
        a, b = (first, second) if (pair.difference >= 0) == (pair.a == first) else (second, first)
        ours, theirs = (scores.values[scores.runs.index(run)] for run in (a, b))
        both = ~np.isnan(ours - theirs)
        gap = (ours - theirs)[both]
        made.append(
            Undecided(
                a=a,
                b=b,
                value_a=float(ours[both].mean()),
                value_b=float(theirs[both].mean()),
                difference=float(gap.mean()),
                units=_needed(gap, level / (1 if compared.correction == "none" else len(compared.pairs))),
                units_alone=_needed(gap, level),
                p=pair.p,
                p_corrected=pair.p_corrected,
                at_hand=pair.units,
            )
        )
    return made


def _needed(gap: Floats, level: float) -> int | None:
    """Units for the mean of these differences to be found; right or wrong by McNemar's test, graded by the t test."""
    difference, graded = float(abs(gap.mean())), not np.isin(gap, (-1.0, 0.0, 1.0)).all()
    if difference < ROUNDING:
        return None
    spread = float(gap.var(ddof=1)) if graded else float(np.abs(gap).mean())
    return paired_units(spread, difference, POWER, level, graded=graded)
