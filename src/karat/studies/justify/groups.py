"""Groups of judges by an attribute, and whether they rate and rank the runs differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from karat.arrays import NAN
from karat.data.pairs import NO_VALUE
from karat.data.parameters import generator
from karat.data.ratings import Judges, Ratings
from karat.statistics.group_difference import group_differences
from karat.statistics.rank_correlation import best_first, tau, tied
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import GroupComparison, GroupDifference, GroupTau, JudgeGroup
from karat.studies.justify.scored import counted, policy_for
from karat.studies.unit_means import mean_of_defined


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
