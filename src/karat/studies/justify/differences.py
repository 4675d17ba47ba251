"""Which runs differ, by randomisation tests; and whether groups of judges rate them differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from karat.arrays import NAN, Floats, Ints, Singles
from karat.data.pairs import NO_VALUE
from karat.data.parameters import generator
from karat.data.ratings import Judges, Ratings
from karat.kernels.counting import random_signs
from karat.progress import track
from karat.statistics.group_difference import group_differences
from karat.statistics.multiple_testing import corrected
from karat.statistics.paired import (
    EXACT_WORK,
    Paired,
    exact_randomisation,
    exact_work,
    paired_t,
    randomisation,
    t_interval,
)
from karat.statistics.rank_correlation import best_first, tau, tied
from karat.studies.justify.parameters import SIGNIFICANCE_LEVEL, JustifyParameters
from karat.studies.justify.parts import GroupComparison, GroupDifference, GroupTau, JudgeGroup, RunDifference
from karat.studies.justify.scored import Scored, counted, policy_for
from karat.studies.unit_means import mean_of_defined

BLOCK = 1000
"""The number of replicates drawn at a time."""


def run_differences(runs: Sequence[str], scored: Sequence[Scored], asked: JustifyParameters) -> list[RunDifference]:
    """Every two runs on every criterion; all of these tests are one family for the correction.

    Under the null hypothesis the scores of two runs on a pair are exchangeable. For `p` they are exchanged for all
    judges of the pair at once, since these saw the same two texts, so that it generalises to other pairs; for
    `p_judges` they are exchanged for each judge separately, so that it holds for these pairs only.
    """
    pairs = list(combinations(range(len(runs)), 2))
    if not pairs:
        return []
    tests = len(pairs) * len(scored)
    found = [_on_criterion(pairs, one, tests, asked) for one in scored]
    rows, sizes = (np.concatenate(part) for part in zip(*found, strict=True))
    columns = np.insert(rows, 5, corrected(rows[:, 3], "holm"), axis=1)
    named = [(one.scale.name, runs[a], runs[b]) for one in scored for a, b in pairs]
    return [
        RunDifference(*names, *size, *row)
        for names, size, row in zip(named, sizes.tolist(), columns.tolist(), strict=True)
    ]


def _on_criterion(
    pairs: Sequence[tuple[int, int]], scored: Scored, tests: int, asked: JustifyParameters
) -> tuple[Floats, Ints]:
    """Difference, interval, p and p within judges, each with its error; and the numbers of ratings and pairs."""
    values, unit = scored.contested()
    known = ~np.isnan(values)
    # If every judge rated all runs on a pair, as usual, all pairs of runs have the same cells.
    alike: dict[bytes, list[int]] = {}
    for place, (a, b) in enumerate(pairs):
        alike.setdefault((known[a] & known[b]).tobytes(), []).append(place)
    rows = np.full((len(pairs), 7), np.nan)
    sizes = np.zeros((len(pairs), 2), dtype=np.int64)
    for places in alike.values():
        first, second = (np.array([pairs[place][side] for place in places]) for side in (0, 1))
        both = known[first[0]] & known[second[0]]
        if both.any():
            cells = np.nan_to_num(values[:, both])  # NaN only for runs that are in no pair here
            _, cluster = np.unique(unit[both], return_inverse=True)
            rows[places] = _compared(cells, cluster, first, second, scored, tests, asked)
            sizes[places] = both.sum(), cluster.max() + 1
    return rows, sizes


def _compared(
    values: Floats, cluster: Ints, first: Ints, second: Ints, scored: Scored, tests: int, asked: JustifyParameters
) -> Floats:
    """The same for pairs of runs that were rated in the same cells."""
    by_pair = Paired.of(values, first, second, cluster)
    name = scored.scale.name
    p, error = np.full((2, len(first)), np.nan)
    if by_pair.clusters > 1:  # one pair says nothing about others
        p, error = _flipped(by_pair, tests, asked, name, "pairs")
    alone = np.full((2, len(first)), np.nan)
    if not scored.exchangeable:
        alone = np.stack(_flipped(Paired.of(values, first, second), tests, asked, name, "judges"))
    least, most = scored.span
    low, high = (end.clip(least - most, most - least) for end in t_interval(by_pair, asked.interval))
    return np.stack([by_pair.differences, low, high, p, error, *alone], axis=1)


def _flipped(paired: Paired, tests: int, asked: JustifyParameters, *purpose: str) -> tuple[Floats, Floats]:
    """p over all sign flips, or over random ones; by t if these are too coarse for so many tests."""
    if exact_work(paired) <= EXACT_WORK:
        return exact_randomisation(paired), np.zeros(len(paired.first))
    if tests / SIGNIFICANCE_LEVEL > (asked.replicates + 1) / 10:
        return paired_t(paired), np.zeros(len(paired.first))
    return randomisation(paired, _blocks(paired.sums.shape[1], asked, *purpose))


def _blocks(units: int, asked: JustifyParameters, *purpose: str) -> Iterator[Singles]:
    """Random signs, the same for all pairs of runs."""
    for block, start in enumerate(track(range(0, asked.replicates, BLOCK), "flipping signs")):
        random = generator(asked.seed, "justify", *purpose, block)
        yield random_signs(units, min(BLOCK, asked.replicates - start), random)


def compare_groups(ratings: Ratings, judges: Judges, attribute: str, asked: JustifyParameters) -> GroupComparison:
    """The mean of the judges' means in each group, and its difference from that of all other judges."""
    value_of = judges.attribute(attribute)
    values = [value_of.get(name) or NO_VALUE for name in ratings.assessors]
    distinct = sorted(set(values), key=lambda value: (value == NO_VALUE, value))
    means = {one.name: ratings.means(counted(ratings, one, policy_for(one, asked))) for one in ratings.scales}
    group = np.array([distinct.index(value) for value in values])
    groups = []
    for number, value in enumerate(distinct):
        member = group == number
        group_means = {name: mean_of_defined(each[member]) for name, each in means.items()}
        groups.append(
            JudgeGroup(
                value=value,
                judges=[name for name, inside in zip(ratings.assessors, member, strict=True) if inside],
                means={name: dict(zip(ratings.runs, row.tolist(), strict=True)) for name, row in group_means.items()},
                ranking={name: [ratings.runs[at] for at in best_first(row)] for name, row in group_means.items()},
            )
        )
    columns = [(name, run) for name in means for run in ratings.runs]
    found = group_differences(
        np.concatenate(list(means.values()), axis=1), group, generator(asked.seed, "justify", "groups")
    )
    differences = [
        GroupDifference(name, run, value, *row)
        for value, *rows in zip(
            distinct, *(part.tolist() for part in found), strict=False
        )  # of two groups, only the first
        for (name, run), *row in zip(columns, *rows, strict=True)
    ]
    taus = [
        GroupTau(name, one.value, other.value, ranking_tau(*(list(side.means[name].values()) for side in (one, other))))
        for name in means
        for one, other in combinations(groups, 2)
    ]
    made = GroupComparison(attribute, groups, differences, taus)
    return made if asked.of is None else _of_one(made, asked.of)


def _of_one(made: GroupComparison, run: str) -> GroupComparison:
    """The part that the team of one run receives."""
    return replace(
        made,
        groups=[
            replace(group, means={name: {run: each[run]} for name, each in group.means.items()}, ranking={})
            for group in made.groups
        ],
        differences=[one for one in made.differences if one.run == run],
        taus=[],
    )


def ranking_tau(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's tau of two rankings by scores; undefined for a single run, or if all runs are tied in one of them."""
    scores = np.array([one, other])
    if len(one) < 2 or any(tied(side) == len(one) * (len(one) - 1) / 2 for side in scores):
        return NAN
    return float(tau(*scores))
