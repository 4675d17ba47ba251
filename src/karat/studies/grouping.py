"""What tests of all pairs of runs say about each run: the ranks it could hold, and the groups it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats, Ints
from karat.data.composite import Ranks
from karat.statistics.multiple_testing import groups

MOST_GROUPS = 1000


def possible_ranks(pairs: Sequence[Any], names: Sequence[str]) -> dict[str, Ranks]:
    """The ranks that each run could hold: below all that are significantly better, above all significantly worse."""
    best, worst = dict.fromkeys(names, 1), dict.fromkeys(names, len(names))
    for pair in pairs:
        if pair.different:
            ahead, behind = (pair.a, pair.b) if pair.difference > 0 else (pair.b, pair.a)
            best[behind] += 1
            worst[ahead] -= 1
    return {name: (best[name], worst[name]) for name in names}


def groups_of(pairing: tuple[Ints, Ints], p: Floats, alpha: float, order: Ints) -> list[list[int]] | None:
    """Groups of runs of which no two differ significantly, best first; None if there are too many.

    Two runs that were not tested against each other share no group, and a run that was not tested at all is in none.
    """
    apart = np.ones((len(order), len(order)), dtype=bool)
    apart[pairing] = ~(p > alpha + EXACT_TOLERANCE)
    tested = np.unique(np.array(pairing)[:, ~np.isnan(p)])
    order = order[np.isin(order, tested)]
    found = groups((apart & apart.T)[np.ix_(order, order)], MOST_GROUPS)
    return None if found is None else [[int(order[place]) for place in group] for group in found]
