"""Agreement between judges: Kendall's W, ordinal alpha, weighted kappas, and the correlation of criteria."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from karat.arrays import NAN, Bools, Floats
from karat.data.coincidences import Coincidence
from karat.data.criteria import Criterion
from karat.data.fields import Missing
from karat.data.parameters import generator
from karat.data.ratings import Ratings
from karat.data.result import Estimate
from karat.data.tables import Table
from karat.kernels.coincidence import coincidence_sums
from karat.kernels.counting import contingency
from karat.measures.agreement import alpha, kappa_linear, kappa_quadratic
from karat.measures.association import kappa
from karat.statistics.influence import interval_with_more
from karat.statistics.intervals import two_cells
from karat.statistics.judge_ranks import kendall_w, mean_ranks, w_test
from karat.statistics.rank_correlation import table_tau_b
from karat.studies.justify.parameters import POLICIES, JustifyParameters
from karat.studies.justify.parts import Concordance, CriteriaCorrelation, CriterionAgreement, KappaPair
from karat.studies.justify.scored import Scored, counted, policy_for

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
