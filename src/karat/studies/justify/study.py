"""Justify: ratings of the reasons that runs give (`karat justify`)."""

from __future__ import annotations

import numpy as np

from karat.data.criteria import JUSTIFICATIONS
from karat.data.pairs import Pairs
from karat.data.rating_rules import check_decisions
from karat.data.ratings import Judges, Ratings
from karat.data.responses import Responses
from karat.errors import Problems, UsageError
from karat.statistics.rank_correlation import tau
from karat.studies.base import study
from karat.studies.justify import findings as findings  # files its sentences
from karat.studies.justify.agreement import agreement_on, correlations
from karat.studies.justify.contests import run_differences
from karat.studies.justify.groups import compare_groups
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import RatedRun, RawRating
from karat.studies.justify.result import Justified
from karat.studies.justify.runs import rated_runs, rating_judges
from karat.studies.justify.scored import Scored


@study("justify", JustifyParameters)
def justify(
    ratings: Ratings,
    asked: JustifyParameters,
    *,
    key: Pairs | None = None,
    runs: Responses | None = None,
    judges: Judges | None = None,
) -> Justified:
    """Means three ways, medians and distributions, ranks, agreement, differences, right for the wrong reason."""
    if not ratings.scales:
        names = ", ".join(map(str, JUSTIFICATIONS))
        raise UsageError(f"these ratings have no declared criteria: read them with read_justifications ({names})")
    if asked.of is not None and asked.of not in ratings.runs:
        raise UsageError.unknown("rated run", asked.of, ratings.runs)
    if runs is not None and runs.key is not key:
        raise UsageError("runs need the key they were read against: justify(ratings, key=key, runs=runs)")
    if key is not None and runs is not None and len(runs):
        problems = Problems()
        check_decisions(ratings, key, runs, asked.reason, problems)
        problems.raise_errors()
    if asked.group is not None and judges is None:
        raise UsageError("groups of judges need a table of judges: --judges FILE")
    if asked.group is not None and ratings.exchangeable:
        raise UsageError("the ratings do not say who gave them, so there are no groups of judges")
    scored = {scale.name: Scored.of(ratings, scale, asked.not_asked) for scale in ratings.scales}
    rated = rated_runs(ratings, scored, runs, asked)
    subjects = (ratings, *(one for one in (key, runs, judges) if one is not None))
    return Justified(
        criteria=[str(scale) for scale in ratings.scales],
        pairs=list(ratings.units),
        exchangeable=ratings.exchangeable,
        runs=rated,
        judges=rating_judges(ratings, scored, judges),
        agreement=[agreement_on(ratings, at, asked) for at in range(len(ratings.scales))],
        correlation=correlations(ratings),
        differences=[one for each in scored.values() for one in run_differences(ratings.runs, each, asked)],
        tau=_tau(rated),
        groups=compare_groups(ratings, judges, asked.group, asked) if asked.group and judges else None,
        ratings=_raw(ratings, asked.of),
        warnings=tuple(dict.fromkeys(one for subject in subjects for one in subject.warnings)),
    )


def _tau(runs: list[RatedRun]) -> float:
    """Between the rankings by the first two criteria."""
    names = list(runs[0].criteria)[:2]
    if len(names) < 2 or len(runs) < 2:
        return float("nan")
    one, other = (np.array([run.criteria[name].mean.value for run in runs]) for name in names)
    return float(tau(one, other))


def _raw(ratings: Ratings, run: str | None) -> list[RawRating]:
    """Every rating of one run, in the order of the file."""
    if run is None:
        return []
    rows = np.flatnonzero(ratings.run == ratings.runs.index(run)).tolist()
    return [
        RawRating(
            run=run,
            unit=ratings.units[ratings.unit[row]],
            judge=ratings.assessors[ratings.assessor[row]],
            skipped=bool(ratings.skipped[row]),
            values={
                name: None if value != value else value
                for name, value in zip(ratings.criteria, ratings.values[row].tolist(), strict=True)
            },
        )
        for row in rows
    ]
