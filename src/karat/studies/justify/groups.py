"""Groups of judges by an attribute: do they rate, and order, the runs otherwise?"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from karat.arrays import Floats
from karat.data.ratings import Judges, Ratings
from karat.data.slices import NO_VALUE
from karat.kernels.random import generator
from karat.statistics.group_difference import group_differences
from karat.statistics.rank_correlation import best_first, tau, tied
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import GroupComparison, GroupDifference, GroupTau, JudgeGroup
from karat.studies.justify.scored import counted, policy_for
from karat.studies.unit_means import mean_of_defined


def compare_groups(ratings: Ratings, judges: Judges, attribute: str, asked: JustifyParameters) -> GroupComparison:
    """The mean of the judges' means in each group, and whether it is another than that of all other judges."""
    value_of = judges.attribute(attribute)
    values = [value_of.get(name) or NO_VALUE for name in ratings.assessors]
    distinct = sorted(set(values), key=lambda value: (value == NO_VALUE, value))
    means = {scale.name: ratings.means(_row_values(ratings, at, asked)) for at, scale in enumerate(ratings.scales)}
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
        for value, *rows in zip(distinct, *(part.tolist() for part in found), strict=False)  # of two, the first
        for (name, run), *row in zip(columns, *rows, strict=True)
    ]
    taus = [
        GroupTau(name, one.value, other.value, _tau(one.means[name], other.means[name]))
        for name in means
        for one, other in combinations(groups, 2)
    ]
    made = GroupComparison(attribute, groups, differences, taus)
    return made if asked.of is None else _of_one(made, asked.of)


def _of_one(made: GroupComparison, run: str) -> GroupComparison:
    """What a team is told: its own run."""
    return replace(
        made,
        groups=[
            replace(group, means={name: {run: each[run]} for name, each in group.means.items()}, ranking={})
            for group in made.groups
        ],
        differences=[one for one in made.differences if one.run == run],
        taus=[],
    )


def _row_values(ratings: Ratings, at: int, asked: JustifyParameters) -> Floats:
    scale = ratings.scales[at]
    return counted(ratings, scale, policy_for(scale, asked))


def _tau(one: dict[str, float], other: dict[str, float]) -> float:
    return ranking_tau(np.array(list(one.values())), np.array(list(other.values())))


def ranking_tau(one: Floats, other: Floats) -> float:
    """Tau of two rankings; undefined where there is no ranking, of one run or of runs that all tie."""
    if len(one) < 2 or any(tied(side) == len(side) * (len(side) - 1) / 2 for side in (one, other)):
        return float("nan")
    return float(tau(one, other))
