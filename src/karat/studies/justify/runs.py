"""Runs and judges: means, medians, distributions and ranks, and right decisions with poor reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat.align.ratings import decided_right
from karat.arrays import NAN, Bools, Floats, Ints
from karat.data.ratings import Judges, Ratings
from karat.data.responses import Responses
from karat.statistics.judge_ranks import mean_ranks
from karat.statistics.paired import mean_interval
from karat.statistics.rank_correlation import best_first
from karat.studies.justify.agreement import correlations
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import CriterionScores, JudgeScores, RatedRun, RatingJudge, WrongReason
from karat.studies.justify.scored import Scored, counted
from karat.studies.unit_means import Mean, clustered, mean_of_defined, unit_means


def rated_runs(
    ratings: Ratings, scored: Mapping[str, Scored], runs: Responses | None, asked: JustifyParameters
) -> list[RatedRun]:
    """Every run on every criterion."""
    wrong = _wrong_reasons(ratings, runs, asked) if runs is not None and len(runs) else [None] * len(ratings.runs)
    unranked = np.full(len(ratings.runs), NAN)
    ranks = {name: unranked if one.exchangeable else _all_ranks(one) for name, one in scored.items()}
    return [
        RatedRun(
            run=run,
            skipped=int((ratings.skipped & (ratings.run == at)).sum()),
            criteria={
                name: _run_scores(ratings, one, at, float(ranks[name][at]), asked.interval)
                for name, one in scored.items()
            },
            wrong_reason=wrong[at],
        )
        for at, run in enumerate(ratings.runs)
    ]


def _run_scores(ratings: Ratings, scored: Scored, at: int, rank: float, level: float) -> CriterionScores:
    cube = scored.cube[:, :, at]
    known = ~np.isnan(cube)
    given = cube[known]
    mine = ratings.run == at
    return CriterionScores(
        rated=len(given),
        not_asked=int((ratings.not_asked(scored.scale) & mine).sum()),
        not_applicable=int((_not_applicable(ratings, scored) & mine).sum()),
        mean=_mean(given, np.nonzero(known)[1], level, scored.span),
        median=float(np.median(given)) if len(given) else NAN,
        distribution=_distribution(ratings, scored, mine),
        by_judge={} if scored.exchangeable else _named(ratings.assessors, mean_of_defined(cube.T)),
        by_pair=_named(ratings.units, mean_of_defined(cube)),
        mean_rank=rank,
    )


def _all_ranks(scored: Scored) -> Floats:
    """Mean ranks over judges and pairs together."""
    judges, _, runs = scored.cube.shape
    return mean_ranks(scored.cube.reshape(-1, runs), np.tile(scored.entered, (judges, 1)))


def _not_applicable(ratings: Ratings, scored: Scored) -> Bools:
    """The rows for which the criterion was asked and marked as not applicable."""
    scale = scored.scale
    marked = np.isnan(ratings.criterion(scale.name)) & ~ratings.skipped & ~ratings.not_asked(scale)
    return marked if scale.asked_if is None else marked & ~np.isnan(ratings.criterion(scale.asked_if))


def _named(names: Sequence[str], values: Floats) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _mean(values: Floats, unit: Ints, level: float, span: tuple[int, int]) -> Mean:
    """The mean over all justifications, with an interval over their pairs that is clipped to the scale."""
    if not len(values):
        return Mean(NAN, NAN, NAN)
    paired = clustered(values[None], unit)
    low, high = (end.clip(*span) for end in mean_interval(paired, level))
    return Mean(float(paired.means[0]), float(low[0]), float(high[0]))


def _distribution(ratings: Ratings, scored: Scored, rows: Bools) -> dict[str, int]:
    """How often each value was given, and how often the criterion was not asked, under any policy."""
    values = counted(ratings, scored.scale, "zero")[rows]
    return {str(value): int((values == value).sum()) for value in scored.values}


def _wrong_reasons(ratings: Ratings, runs: Responses, asked: JustifyParameters) -> list[WrongReason | None]:
    """How many of the ratings of right decisions are poor or were not asked for, by run."""
    scale = next((one for one in ratings.scales if one.name == asked.reason), None)
    if scale is None:
        return [None] * len(ratings.runs)
    not_asked = ratings.not_asked(scale)
    values = ratings.criterion(scale.name)
    poor = np.where(np.isnan(values) & ~not_asked, NAN, ((values <= asked.poor) | not_asked).astype(np.float64))
    poor = np.where(decided_right(ratings, runs) == 1, poor, NAN)
    made: list[WrongReason | None] = []
    for at in range(len(ratings.runs)):
        mine = ratings.run == at
        shares = unit_means(poor[None, mine], asked.interval, ratings.unit[mine].astype(np.int64))
        of = int((~np.isnan(poor[mine])).sum())
        made.append(WrongReason(int(np.nansum(poor[mine])), of, shares[0]))
    return made


def rating_judges(
    ratings: Ratings, scored: Mapping[str, Scored], judges: Judges | None, of: str | None = None
) -> list[RatingJudge]:
    """Every judge, on all runs or on the run `of`; none if raters are exchangeable."""
    if ratings.exchangeable:
        return []
    about: dict[str, tuple[dict[str, str | None], str | None]] = {}
    if judges is not None:
        for place, name in enumerate(judges.names):
            about[name] = {one: each[place] for one, each in judges.attributes.items()}, judges.summaries[place]
    ranks = {name: mean_ranks(one.cube, one.entered) for name, one in scored.items()}
    runs = [at for at, run in enumerate(ratings.runs) if of in (None, run)]
    made = []
    for at, name in enumerate(ratings.assessors):
        mine = (ratings.assessor == at) & np.isin(ratings.run, runs)
        attributes, summary = about.get(name, ({}, None))
        made.append(
            RatingJudge(
                judge=name,
                rated=int((mine & ~ratings.skipped).sum()),
                skipped=len(np.unique(ratings.unit[mine & ratings.skipped])),
                attributes=attributes,
                summary=summary,
                criteria={
                    criterion: _judge_scores(ratings, one, at, runs, ranks[criterion][at])
                    for criterion, one in scored.items()
                },
                correlation=correlations(ratings, mine),
            )
        )
    return made


def _judge_scores(ratings: Ratings, scored: Scored, at: int, runs: list[int], ranks: Floats) -> JudgeScores:
    cube = scored.cube[at][:, runs]
    names = [ratings.runs[run] for run in runs]
    given = cube[~np.isnan(cube)]
    return JudgeScores(
        mean=float(given.mean()) if len(given) else NAN,
        median=float(np.median(given)) if len(given) else NAN,
        distribution=_distribution(ratings, scored, (ratings.assessor == at) & np.isin(ratings.run, runs)),
        means=_named(names, mean_of_defined(cube)),
        mean_ranks=_named(names, ranks[runs]),
        ranking=[ratings.runs[place] for place in best_first(-ranks) if ranks[place] == ranks[place]]
        if len(runs) == len(ratings.runs)
        else [],
    )
