"""Runs and judges, each by itself: means three ways, medians, distributions, ranks, right for the wrong reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from karat.data.rating_rules import decided_right
from karat.data.ratings import Judges, Ratings
from karat.data.responses import Responses
from karat.statistics.mean_ranks import mean_ranks
from karat.statistics.paired import Paired, mean_interval
from karat.statistics.rank_correlation import best_first
from karat.studies.justify.agreement import correlations
from karat.studies.justify.parameters import JustifyParameters
from karat.studies.justify.parts import JudgeScores, RatedRun, RatingJudge, RunScores, WrongReason
from karat.studies.justify.scored import Scored
from karat.studies.unit_means import Mean, mean_of_defined, unit_means

Floats = NDArray[np.float64]
NAN = float("nan")


def rated_runs(
    ratings: Ratings, scored: Mapping[str, Scored], runs: Responses | None, asked: JustifyParameters
) -> list[RatedRun]:
    """Every run on every criterion."""
    wrong = _wrong_reasons(ratings, runs, asked) if runs is not None and len(runs) else [None] * len(ratings.runs)
    unranked = np.full(len(ratings.runs), NAN)
    ranks = {name: unranked if one.exchangeable else mean_ranks(_flat(one.cube)) for name, one in scored.items()}
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


def _run_scores(ratings: Ratings, scored: Scored, at: int, rank: float, level: float) -> RunScores:
    cube = scored.cube[:, :, at]
    known = ~np.isnan(cube)
    given = cube[known]
    not_asked = int((ratings.not_asked(scored.scale) & (ratings.run == at)).sum())
    return RunScores(
        rated=len(given),
        not_asked=not_asked,
        mean=_mean(given, np.nonzero(known)[1], level),
        median=float(np.median(given)) if len(given) else NAN,
        distribution=_distribution(ratings, scored, ratings.run == at),
        by_judge={} if scored.exchangeable else _named(ratings.assessors, mean_of_defined(cube.T)),
        by_pair=_named(ratings.units, mean_of_defined(cube)),
        mean_rank=rank,
    )


def _flat(cube: Floats) -> Floats:
    """Judges and pairs as one axis."""
    return cube.reshape(-1, cube.shape[-1])


def _named(names: Sequence[str], values: Floats) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _mean(values: Floats, unit: NDArray[np.int64], level: float) -> Mean:
    """Over all justifications; what varies are the pairs they are of."""
    if not len(values):
        return Mean(NAN, NAN, NAN)
    nobody = np.empty(0, dtype=np.int64)
    paired = Paired.of(values[None], nobody, nobody, np.unique(unit, return_inverse=True)[1])
    low, high = mean_interval(paired, level)
    return Mean(float(paired.means[0]), float(low[0]), float(high[0]))


def _distribution(ratings: Ratings, scored: Scored, rows: NDArray[np.bool_]) -> dict[str, int]:
    """How often each number was given, and how often the criterion was not asked, whatever that counts."""
    values = ratings.criterion(scored.scale.name)
    values = np.where(ratings.not_asked(scored.scale), float(scored.scale.zero), values)[rows]
    return {str(value): int((values == value).sum()) for value in scored.values}


def _wrong_reasons(ratings: Ratings, runs: Responses, asked: JustifyParameters) -> list[WrongReason | None]:
    """Of the ratings of right decisions, those that are poor or were not asked."""
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


def rating_judges(ratings: Ratings, scored: Mapping[str, Scored], judges: Judges | None) -> list[RatingJudge]:
    """Every judge; none where raters are exchangeable."""
    if ratings.exchangeable:
        return []
    known = {} if judges is None else {name: at for at, name in enumerate(judges.names)}
    ranks = {name: mean_ranks(one.cube) for name, one in scored.items()}
    made = []
    for at, name in enumerate(ratings.assessors):
        mine = ratings.assessor == at
        place = known.get(name)
        made.append(
            RatingJudge(
                judge=name,
                rated=int((mine & ~ratings.skipped).sum()),
                skipped=len(np.unique(ratings.unit[mine & ratings.skipped])),
                attributes={}
                if judges is None or place is None
                else {k: v[place] for k, v in judges.attributes.items()},
                summary=None if judges is None or place is None else judges.summaries[place],
                criteria={
                    criterion: _judge_scores(ratings, one, at, ranks[criterion][at])
                    for criterion, one in scored.items()
                },
                correlation=correlations(ratings, mine),
            )
        )
    return made


def _judge_scores(ratings: Ratings, scored: Scored, at: int, ranks: Floats) -> JudgeScores:
    cube = scored.cube[at]
    given = cube[~np.isnan(cube)]
    means = mean_of_defined(cube)
    return JudgeScores(
        mean=float(given.mean()) if len(given) else NAN,
        median=float(np.median(given)) if len(given) else NAN,
        distribution=_distribution(ratings, scored, ratings.assessor == at),
        means=_named(ratings.runs, means),
        mean_ranks=_named(ratings.runs, ranks),
        ranking=[ratings.runs[place] for place in best_first(-ranks)],
    )
