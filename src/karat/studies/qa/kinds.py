"""Series of different kinds compared: gathering and browsing (QACIAD), or kinds of targets (TREC)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import Floats
from karat.data.fields import Shown, Why
from karat.data.parameters import generator
from karat.data.questions import Questions
from karat.statistics.group_difference import group_differences
from karat.studies.unit_means import plain_mean
from karat.studies.wording import P

LEVEL = 0.05
"""The level of the test, corrected for the number of kinds."""
UNTESTED = Why("all series have the same mean score")


@dataclass(frozen=True)
class SeriesKind:
    """The mean score of every run on series of one kind (such as targets that are persons)."""

    kind: str
    series: int
    scores: Annotated[dict[str, float], Why("no series of this kind is scored")]


@dataclass(frozen=True)
class KindDifference:
    """One kind of series against all others, by the scores of series averaged over runs."""

    kind: str
    series: int
    others: Annotated[int, Shown("other series")]
    difference: Annotated[float, Shown(digits=3, note="mean score on series of this kind minus that on all others")]
    p: Annotated[P, Shown(note="permutation test over series, by Welch's t"), UNTESTED]
    p_corrected: Annotated[P, Shown("p, corrected", note="for the number of kinds (step-down maximum)"), UNTESTED]


def series_kinds(questions: Questions, runs: tuple[str, ...], series: Floats) -> list[SeriesKind]:
    """The means of runs by kind of series, from their scores (runs, series)."""
    made = []
    for kind in _kinds(questions):
        within = np.array([one.kind == kind for one in questions.series])
        scores = plain_mean(series[:, within])
        made.append(SeriesKind(kind, int(within.sum()), dict(zip(runs, scores.tolist(), strict=True))))
    return made


def kind_differences(questions: Questions, series: Floats) -> list[KindDifference]:
    """Each kind against the others; of two kinds only the first, and nothing if one kind alone is scored.

    Kinds are assigned to series at random, and Welch's t is compared: what is tested holds for other series of these
    kinds, and for these runs.
    """
    scored = ~np.isnan(series).any(axis=0) & np.array([one.kind is not None for one in questions.series], dtype=bool)
    names = [questions.series[place].kind or "" for place in np.flatnonzero(scored).tolist()]
    kinds = list(dict.fromkeys(names))
    if len(kinds) < 2:
        return []
    group = np.array([kinds.index(name) for name in names])
    # Kinds may differ in how much their series vary; a kind with one series has no variance of its own.
    several = min(np.bincount(group)) > 1
    means = series[:, scored].mean(axis=0)[:, None]
    found = group_differences(means, group, generator(0, "qa", "kinds"), studentised=bool(several))
    if np.ptp(means) == 0:
        found.p[:], found.p_corrected[:] = np.nan, np.nan
    columns = found.difference[:, 0], found.p[:, 0], found.p_corrected[:, 0]
    return [
        KindDifference(kind, names.count(kind), len(names) - names.count(kind), *row)
        for kind, *row in zip(kinds, *(column.tolist() for column in columns), strict=False)
    ]


def _kinds(questions: Questions) -> Iterable[str]:
    return dict.fromkeys(one.kind for one in questions.series if one.kind is not None)
