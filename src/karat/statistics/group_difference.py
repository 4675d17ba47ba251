"""Do two groups of judges differ? Had the group not mattered, any judges could have been the members."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from karat.statistics.randomisation import simulated

Floats = NDArray[np.float64]
ENUMERATED = 20_000
"""Assignments that are gone through one by one; with more of them, so many are drawn."""


def group_difference(
    values: Floats, member: NDArray[np.bool_], random: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """The mean of the members less that of the others (columns,) of values (judges, columns); p; its error.

    p is the share of assignments of as many judges whose difference is at least as large: exact (error 0) where they
    can be gone through. NaN where a group is empty or a value is missing.
    """
    judges, size = len(values), int(member.sum())
    undefined = np.full(values.shape[1], np.nan)
    if not 0 < size < judges:
        return undefined, undefined, undefined
    exact = comb(judges, size) <= ENUMERATED
    if exact:
        chosen = np.array(list(combinations(range(judges), size)))
        draws = np.zeros((len(chosen), judges))
        np.put_along_axis(draws, chosen, 1.0, axis=1)
    else:
        draws = random.permuted(np.broadcast_to(member.astype(np.float64), (ENUMERATED, judges)), axis=1)
    total = values.sum(axis=0)

    def apart(sums: Floats) -> Floats:
        return np.asarray(sums / size - (total - sums) / (judges - size))

    observed = apart(values[member].sum(axis=0))
    near = 1e-12 * np.abs(values).sum(axis=0)
    counts = (np.abs(apart(draws @ values)) >= np.abs(observed) - near).sum(axis=0)
    p, error = (counts / len(draws), np.zeros(len(counts))) if exact else simulated(counts, len(draws))
    known = ~np.isnan(total)
    return observed, np.where(known, p, np.nan), np.where(known, error, np.nan)
