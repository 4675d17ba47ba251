"""Do groups of judges differ? A permutation test that assigns judges to groups at random."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats, Ints
from karat.statistics.multiple_testing import StepDown
from karat.statistics.paired import simulated

MOST_ASSIGNMENTS = 20_000
"""The most assignments that are enumerated; if there are more, this many are drawn."""
AT_A_TIME = 1000
"""Assignments held in memory at a time."""


class GroupDifferences(NamedTuple):
    """The mean of each group less the mean of all other judges (groups, columns), and its p-values."""

    difference: Floats
    p: Floats
    error: Floats
    """The Monte-Carlo standard error of p; 0 if all assignments were enumerated."""
    p_corrected: Floats
    """By the step-down maximum of standardised differences over all groups and columns (Westfall and Young 1993)."""


def group_differences(
    values: Floats, group: Ints, random: np.random.Generator, studentised: bool = False
) -> GroupDifferences:
    """From values (judges, columns) and each judge's group number; with two groups, only the first is returned.

    The statistic is the difference or, `studentised`, Welch's t: the test then is of equal means also where a small
    group varies more than a large one (Janssen 1997), but needs groups with several members.
    p is the share of assignments to groups of the same sizes with a difference at least as large. All columns are
    permuted together, which preserves the dependence between them (a judge may be lenient with every run). NaN if there
    is one group, or if a judge has no value.
    """
    sizes = np.bincount(group).tolist()
    told = 1 if len(sizes) == 2 else len(sizes)
    known = ~np.isnan(values).any(axis=0)
    made = GroupDifferences(*np.full((4, told, values.shape[1]), np.nan))
    made.difference[:] = _apart(values, group[None], told)[0] if len(sizes) > 1 else np.nan
    if len(sizes) < 2 or not known.any():
        return made
    others, exact = _assignments(group, sizes, random)
    statistic = _welch if studentised else _apart
    null = np.concatenate(
        [
            statistic(values[:, known], others[start : start + AT_A_TIME], told).reshape(-1, told * int(known.sum()))
            for start in range(0, len(others), AT_A_TIME)
        ]
    )
    observed = statistic(values[:, known], group[None], told)[0].ravel()
    near = np.tile(EXACT_TOLERANCE * (1 if studentised else np.abs(values[:, known]).sum(axis=0)), told)
    p, error = simulated((np.abs(null) >= np.abs(observed) - near).sum(axis=0), len(null))
    spread = np.sqrt(((null**2).sum(axis=0) + observed**2) / (len(null) + 1))
    scale = np.where(spread > near, spread, np.inf)  # a column that is 0 under all assignments has no evidence
    steps = StepDown(np.abs(observed) / scale)
    steps.add(np.abs(null) / scale)
    shape = told, int(known.sum())
    made.p[:, known], made.error[:, known] = p.reshape(shape), 0 if exact else error.reshape(shape)
    made.p_corrected[:, known] = np.maximum(steps.p(), p).reshape(shape)
    return made


def _apart(values: Floats, assigned: Ints, told: int) -> Floats:
    """The mean of each group less the mean of the others (assignments, groups, columns)."""
    total, judges = values.sum(axis=0), len(values)
    made = []
    for number in range(told):
        member = (assigned == number).astype(np.float64)
        size = member[0].sum()
        sums = member @ values
        made.append(sums / size - (total - sums) / (judges - size))
    return np.stack(made, axis=1)


def _welch(values: Floats, assigned: Ints, told: int) -> Floats:
    """Welch's t of each group against the others; 0 where neither side varies and their means are the same."""
    values = values - values.mean(axis=0)
    scale = np.sqrt((values**2).mean(axis=0))
    values = values / np.where(scale > 0, scale, 1.0)
    made = []
    for number in range(told):
        error = np.zeros((len(assigned), values.shape[1]))
        for member in ((assigned == number).astype(np.float64), (assigned != number).astype(np.float64)):
            size = member[0].sum()
            apart = member @ values**2 - (member @ values) ** 2 / size
            error += np.maximum(apart, EXACT_TOLERANCE) / size / max(size - 1, 1)
        made.append(_apart(values, np.where(assigned == number, 0, 1), 1)[:, 0] / np.sqrt(error))
    return np.stack(made, axis=1)


def _assignments(group: Ints, sizes: Sequence[int], random: np.random.Generator) -> tuple[Ints, bool]:
    """All assignments except the observed one, and True; if there are too many, a random sample, and False."""
    if factorial(len(group)) // prod(map(factorial, sizes)) > MOST_ASSIGNMENTS:
        return random.permuted(np.broadcast_to(group, (MOST_ASSIGNMENTS, len(group))), axis=1), False
    rows = [np.full(len(group), len(sizes) - 1)]
    for number, size in enumerate(sizes[:-1]):
        free = [np.flatnonzero(row == len(sizes) - 1) for row in rows]
        places = [(row, chosen) for row, left in zip(rows, free, strict=True) for chosen in combinations(left, size)]
        rows = [row.copy() for row, _ in places]
        for row, (_, chosen) in zip(rows, places, strict=True):
            row[list(chosen)] = number
    every = np.array(rows)
    return every[(every != group).any(axis=1)], True
