"""Justify: ratings of the reasons that runs give (`karat justify`)."""

from __future__ import annotations

import numpy as np

from karat.align.ratings import check_decisions, check_judges
from karat.arrays import NAN
from karat.data.criteria import JUSTIFICATIONS
from karat.data.ratings import Judges, Ratings
from karat.data.responses import Responses
from karat.errors import Problems, UsageError
from karat.studies.base import study
from karat.studies.justify.differences import compare_groups, ranking_tau, run_differences
from karat.studies.justify.findings import FIGURES, FINDINGS
from karat.studies.justify.parameters import MOST_RATED, POOR, REASON, JustifyParameters
from karat.studies.justify.parts import RatedRun, RawRating
from karat.studies.justify.result import Justified
from karat.studies.justify.runs import agreement_on, correlations, rated_runs, rating_judges
from karat.studies.justify.scored import Scored, policy_for


@study(
    "justify", JustifyParameters, most={"runs": MOST_RATED, "assessors": MOST_RATED}, findings=FINDINGS, figures=FIGURES
)
def justify(
    ratings: Ratings,
    asked: JustifyParameters,
    *,
    runs: Responses | None = None,
    judges: Judges | None = None,
) -> Justified:
    """Means, medians, distributions and ranks, agreement, differences, and right decisions with poor reasons."""
    if not ratings.scales:
        names = ", ".join(map(str, JUSTIFICATIONS))
        raise UsageError(f"these ratings have no declared criteria: read them with read_justifications ({names})")
    if asked.of is not None and asked.of not in ratings.runs:
        raise UsageError.unknown("rated run", asked.of, ratings.runs)
    _check_reason(ratings, asked, runs is not None)
    problems = Problems()
    if runs is not None and len(runs):
        check_decisions(ratings, runs, asked.reason, problems)
    if judges is not None and not ratings.exchangeable:
        check_judges(ratings, judges, problems)
    problems.raise_errors()
    if asked.group is not None and judges is None:
        raise UsageError("groups of judges need a table of judges: give --judges FILE")
    if asked.group is not None and ratings.exchangeable:
        raise UsageError("the ratings do not say who gave them, so there are no groups of judges")
    policies = {scale.name: policy_for(scale, asked) for scale in ratings.scales}
    scored = {scale.name: Scored.of(ratings, scale, policies[scale.name]) for scale in ratings.scales}
    # A team receives the results of its own run only.
    rated = [run for run in rated_runs(ratings, scored, runs, asked) if asked.of in (None, run.run)]
    return Justified(
        criteria=[str(scale) for scale in ratings.scales],
        not_asked={scale.name: policies[scale.name] for scale in ratings.scales if scale.asked_if is not None},
        pairs=list(ratings.units),
        exchangeable=ratings.exchangeable,
        runs=rated,
        judges=rating_judges(ratings, scored, judges, asked.of),
        agreement=[agreement_on(ratings, scale, asked) for scale in ratings.scales],
        correlation=correlations(ratings),
        differences=run_differences(ratings.runs, list(scored.values()), asked) if asked.of is None else [],
        tau=_tau(rated),
        groups=compare_groups(ratings, judges, asked.group, asked) if asked.group and judges else None,
        ratings=_raw(ratings, asked.of),
    )


def _check_reason(ratings: Ratings, asked: JustifyParameters, decided: bool) -> None:
    """Refuse an unknown criterion of good reasons, and a threshold outside its scale."""
    scale = next((one for one in ratings.scales if one.name == asked.reason), None)
    if scale is None:
        if asked.reason != REASON:
            raise UsageError.unknown("criterion", asked.reason, ratings.criteria)
    elif (decided or asked.poor != POOR) and not scale.low <= asked.poor < scale.high:
        span = f"{scale.name} goes from {scale.low} to {scale.high}"
        raise UsageError(f"--poor {asked.poor}: {span}, so write {scale.low} to {scale.high - 1}")


def _tau(runs: list[RatedRun]) -> float:
    """Between the rankings by the first two criteria."""
    names = list(runs[0].criteria)[:2]
    if len(names) < 2:
        return NAN
    return ranking_tau(*([run.criteria[name].mean.value for run in runs] for name in names))


def _raw(ratings: Ratings, run: str | None) -> list[RawRating]:
    """Every rating of one run, in file order."""
    if run is None:
        return []
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
        for row in np.flatnonzero(ratings.run == ratings.runs.index(run)).tolist()
    ]
