"""Runs and judges: means, medians, distributions and ranks, wrong reasons, and the agreement between judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from karat.align.ratings import decided_right
from karat.arrays import NAN, Bools, Floats, Ints
from karat.data.coincidences import Coincidence
from karat.data.criteria import Criterion
from karat.data.fields import Missing
from karat.data.parameters import generator
from karat.data.ratings import Judges, Ratings
from karat.data.responses import Responses
from karat.data.result import Estimate
from karat.data.tables import Table
from karat.kernels.coincidence import coincidence_sums
from karat.kernels.counting import contingency
from karat.measures.agreement import alpha, kappa_linear, kappa_quadratic
from karat.measures.contingency import kappa
from karat.statistics.influence import interval_with_more
from karat.statistics.intervals import two_cells
from karat.statistics.judge_ranks import kendall_w, mean_ranks, w_test
from karat.statistics.paired import mean_interval
from karat.statistics.rank_correlation import best_first, table_tau_b
from karat.studies.justify.parameters import POLICIES, JustifyParameters
from karat.studies.justify.parts import (
    Concordance,
    CriteriaCorrelation,
    CriterionAgreement,
    CriterionScores,
    JudgeScores,
    KappaPair,
    RatedRun,
    RatingJudge,
    WrongReason,
)
from karat.studies.justify.scored import Scored, counted, policy_for
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


LEAST_PAIRS = 2
"""The least number of pairs for an interval of alpha: one pair says nothing about others."""


def agreement_on(ratings: Ratings, scale: Criterion, asked: JustifyParameters) -> CriterionAgreement:
    """Agreement on one criterion; only alpha if raters are exchangeable."""
    conditional = scale.asked_if is not None
    policies = [policy for policy in POLICIES if policy == "missing" or not conditional or scale.zero is not None]
    by_policy = {policy: Scored.of(ratings, scale, policy) for policy in policies}
    scored = by_policy[policy_for(scale, asked) if conditional else "missing"]
    return CriterionAgreement(
        criterion=scale.name,
        alpha={policy: ordinal_alpha(one, asked.interval) for policy, one in by_policy.items()},
        concordance=None if ratings.exchangeable else _concordance(scored, asked),
        kappas=[] if ratings.exchangeable else judge_kappas(ratings.assessors, scored),
    )


def ordinal_alpha(scored: Scored, level: float) -> Estimate:
    """Krippendorff's ordinal alpha over all justifications, with the interval of `agree` over their pairs."""
    labels = tuple(map(str, scored.values))
    counts = (scored.cube[..., None] == np.array(scored.values, dtype=float)).sum(axis=0)
    pairs, runs, size = counts.shape
    each = coincidence_sums(counts.reshape(-1, size), tabled=True)
    # Justifications of one pair are not independent.
    rows = each.reshape(pairs, runs, -1).sum(axis=1)

    def statistic(sums: Floats) -> Floats:
        return alpha(Coincidence(labels, sums), level="ordinal")

    value, rows = float(statistic(rows.sum(axis=0))), rows[rows[:, 4 * size] > 0]
    if value != value:
        return Estimate(*[Missing("no justification has two ratings, or all ratings are the same")] * 3)
    if len(rows) < LEAST_PAIRS:
        return Estimate(value, *[Missing("there is only one pair")] * 2)
    given = counts.sum(axis=-1)
    known = given[given >= 2]
    cells, times = two_cells(Table(np.diag(counts.sum(axis=(0, 1))), labels), ordered=True)
    # As many ballots as justifications have on average. Adding two justifications is too few if those of a pair depend
    # on each other, adding two pairs is too many if they do not: in between, coverage is right (see the calibration).
    ballots = np.eye(size)[np.stack(np.divmod(cells, size))].sum(axis=0) * known.mean() / 2
    more = coincidence_sums(ballots, tabled=True) * np.sqrt(len(known) / len(rows)), times
    ends = interval_with_more(statistic, (rows, np.ones(len(rows))), more, (-1, 1), level)
    return Estimate(value, float(ends[0]), float(ends[1]))


def _concordance(scored: Scored, asked: JustifyParameters) -> Concordance:
    """Kendall's W of the judges' mean ranks with its p, and the mean of W over single pairs."""
    ranks = mean_ranks(scored.cube, scored.entered)
    ranks = ranks[:, ~np.isnan(ranks).all(axis=0)]  # runs without any rank
    ranked = ranks[~np.isnan(ranks).any(axis=1)]
    random = generator(asked.seed, "justify", "concordance", scored.scale.name)
    p, error = w_test(-ranked, asked.replicates, random)
    # On each pair, of the judges who rated all runs that are rated on it.
    rated = (scored.cube[:, unit, runs] for unit, runs in enumerate(scored.entered))
    each = [float(kendall_w(scores[~np.isnan(scores).any(axis=1)])) for scores in rated]
    known = [value for value in each if value == value]
    return Concordance(
        judges=len(ranked),
        w=float(kendall_w(-ranked)),
        p=p,
        p_error=error,
        w_pairs=float(np.mean(known)) if known else NAN,
        pairs=len(known),
    )


def judge_kappas(names: Sequence[str], scored: Scored) -> list[KappaPair]:
    """Plain and weighted kappa of every two judges over the justifications that both rated."""
    values = np.array(scored.values, dtype=float)
    flat = scored.cube.reshape(len(names), -1)
    codes = np.where(np.isnan(flat), -1, np.searchsorted(values, np.nan_to_num(flat, nan=values[0]))).astype(np.int8)
    pairs = list(combinations(range(len(names)), 2))
    if not pairs:
        return []
    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    labels = tuple(map(str, scored.values))
    tables = Table(contingency(codes[one], codes[other], len(labels), len(labels)), labels)
    columns = [tables.total.astype(int), *(measure(tables) for measure in (kappa, kappa_linear, kappa_quadratic))]
    rows = zip(*(np.atleast_1d(column).tolist() for column in columns), strict=True)
    return [KappaPair(names[a], names[b], *row) for (a, b), row in zip(pairs, rows, strict=True)]


def correlations(ratings: Ratings, rows: Bools | slice = slice(None)) -> list[CriteriaCorrelation]:
    """Correlations of every two criteria over justifications, with ratings not asked left out and counted as 0."""
    made = []
    for first, second in combinations(ratings.scales, 2):
        for policy in POLICIES:
            counts = [scale.asked_if is not None and scale.zero is not None for scale in (first, second)]
            if policy == "zero" and not any(counts):
                continue  # the same numbers
            sides = [counted(ratings, scale, policy)[rows] for scale in (first, second)]
            x, y = (side[~np.isnan(sides).any(axis=0)] for side in sides)
            spread = len(x) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0
            pearson = float(np.corrcoef(x, y)[0, 1]) if spread else NAN
            made.append(CriteriaCorrelation(first.name, second.name, policy, len(x), pearson, _tau_b(x, y)))
    return made


def _tau_b(x: Floats, y: Floats) -> float:
    (_, row), (_, column) = (np.unique(side, return_inverse=True) for side in (x, y))
    counts = np.zeros((row.max(initial=0) + 1, column.max(initial=0) + 1))
    np.add.at(counts, (row, column), 1)
    return table_tau_b(counts)
