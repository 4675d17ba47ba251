"""Every measure of questions as scores of units whose mean it is, so that runs can be ranked and compared by any.

A mean over questions or series has their scores. Any other measure (confidence-weighted score, precision and recall of
NIL, the score by type) is computed again without each series, or each question that is in none. From these values the
jackknife makes scores: the measure, plus how much it would change without the unit, times the number of the other
units. Their mean is the measure, and their variance over the number of units is that of the measure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.accepted import token_counts
from karat.data.answers import Answers
from karat.data.orders import Ranking
from karat.data.patterns import Patterns
from karat.data.questions import TYPES
from karat.data.scores import cluster_numbers
from karat.errors import UsageError
from karat.kernels.counting import divide
from karat.measures.questions import NO_MEANS, factoid_accuracy, reciprocal_rank, token_f1
from karat.measures.ranking import confidence_weighted
from karat.studies.qa.aggregate import FACTOID, LIST, OTHER, Parts
from karat.studies.qa.parameters import QaParameters, RankBy
from karat.studies.qa.scoring import QuestionScores, stated_confidence
from karat.studies.unit_means import Mean, mean_of_defined, unit_means

Statistic = Callable[[Floats], Floats]
"""From weights of questions (…, questions) to values (…, runs)."""
NO_RANKING = "no run states a confidence for every factoid question; add --ranked if the order of lines does"


@dataclass(frozen=True, eq=False)
class MeasuredRuns:
    """A measure of every run, and the scores of units that it is the mean of (runs, units)."""

    measure: RankBy
    values: Floats
    units: tuple[str, ...]
    clusters: tuple[str | None, ...] | None
    """The series of each unit, if the units are questions."""
    over: Literal["series", "questions"]
    """What the units are; without series, the jackknife leaves out questions."""
    scores: Floats
    """NaN for a run that has no value, or whose value depends on a single unit."""

    def means(self, level: float) -> list[Mean]:
        """The values with their intervals."""
        numbers = None if self.clusters is None else cluster_numbers(self.clusters)
        found = [unit_means(row[None], level, numbers)[0] for row in self.scores]
        return [Mean(value, one.low, one.high) for value, one in zip(self.values.tolist(), found, strict=True)]


def measured(
    scored: QuestionScores, parts: Parts, answers: Answers, accepted: Patterns | None, asked: QaParameters
) -> MeasuredRuns:
    """The measure that runs are ranked by; one that cannot be applied is refused."""
    by = asked.rank_by
    series = parts.by_series(asked.weights)
    if by == "auto":
        by = "series_score" if not np.isnan(series).all() else "type_score"
    if by == "series_score":
        if not scored.questions.series:
            raise UsageError("--rank-by series_score: the questions do not come in series")
        kept = np.flatnonzero(~np.isnan(series).any(axis=0)).tolist()
        names = tuple(scored.questions.series[place].id for place in kept)
        return MeasuredRuns(by, _means(series[:, kept]), names, None, "series", series[:, kept])
    if by in NO_MEANS:
        kinds = np.flatnonzero(parts.asked & (np.array(asked.weights) > 0)).tolist()
        if by == "type_score" and len(kinds) == 1:  # a plain mean, whose scores need no jackknife
            return _of_questions(by, scored, scored.values, scored.questions.types == kinds[0])
        return _jackknifed(by, scored, _statistic(by, scored, answers, asked))
    values, kind = _question_scores(by, scored, answers, accepted)
    made = _of_questions(by, scored, values, scored.questions.types == kind)
    if not made.units:
        raise UsageError(f"--rank-by {by}: no {TYPES[kind].lower()} question is scored")
    return made


def _means(scores: Floats) -> Floats:
    return scores.mean(axis=1) if scores.shape[1] else np.full(len(scores), np.nan)


def _of_questions(by: RankBy, scored: QuestionScores, values: Floats, these: Bools) -> MeasuredRuns:
    """The scores of some questions, each with its series."""
    kept = np.flatnonzero(these & ~np.isnan(scored.values).any(axis=0) & ~np.isnan(values).any(axis=0)).tolist()
    asked = [scored.questions.questions[place] for place in kept]
    homes = tuple(one.series for one in asked)
    clusters = homes if any(homes) else None
    scores = values[:, kept]
    return MeasuredRuns(by, _means(scores), tuple(one.id for one in asked), clusters, "questions", scores)


def _question_scores(
    by: RankBy, scored: QuestionScores, answers: Answers, accepted: Patterns | None
) -> tuple[Floats, int]:
    """The scores (runs, questions) that a measure is the mean of, and the type of question that it is for."""
    if by == "factoid_accuracy":
        return factoid_accuracy(scored.first), FACTOID
    if by == "reciprocal_rank":
        return reciprocal_rank(scored.first), FACTOID
    if by == "token_f1":
        if accepted is None:
            raise UsageError("--rank-by token_f1: give the accepted answers, --accepted FILE")
        return token_f1(token_counts(accepted, answers)), FACTOID
    if by == "list_f":
        return scored.values, LIST
    if by == "nugget_f":
        return scored.values, OTHER
    part = scored.nuggets.precision if by == "nugget_precision" else scored.nuggets.recall
    return mean_of_defined(part), OTHER


def _statistic(by: RankBy, scored: QuestionScores, answers: Answers, asked: QaParameters) -> Statistic:
    """A measure that is not a mean over units, as a function of how often each question counts."""
    if by == "type_score":
        return _by_type(scored, asked)
    if scored.judged is None or not scored.factoids.any():
        raise UsageError(f"--rank-by {by}: no factoid question is scored")
    if by == "confidence_weighted":
        return _by_confidence(scored, answers, asked)
    given = scored.judged.nil_given() * scored.factoids
    unanswerable = ~scored.judged.verdicts.answerable & scored.factoids
    if by == "nil_recall" and not unanswerable.any():
        raise UsageError("--rank-by nil_recall: every factoid question has a known answer")
    right = given * unanswerable
    below = given if by == "nil_precision" else np.broadcast_to(unanswerable.astype(np.float64), given.shape)
    return lambda weights: divide(weights @ right.T, weights @ below.T)


def _by_type(scored: QuestionScores, asked: QaParameters) -> Statistic:
    types = scored.questions.types
    there = [(weight, types == kind) for kind, weight in enumerate(asked.weights) if weight > 0]
    there = [(weight, these) for weight, these in there if these.any()]
    known = ~np.isnan(scored.values).any(axis=0)

    def by_type(weights: Floats) -> Floats:
        total: Floats = np.zeros((*weights.shape[:-1], len(scored.runs)))
        for weight, these in there:
            kept = weights[..., these & known]
            sums = kept @ scored.values[:, these & known].T
            total = total + weight * divide(sums, np.broadcast_to(kept.sum(axis=-1)[..., None], sums.shape))
        return total / sum(weight for weight, _ in there) if there else np.full_like(total, np.nan)

    return by_type


def _by_confidence(scored: QuestionScores, answers: Answers, asked: QaParameters) -> Statistic:
    if asked.answers > 1:
        raise UsageError("--rank-by confidence_weighted is for one answer per question; leave out --answers")
    stated = stated_confidence(answers, scored, asked)
    these = np.flatnonzero(scored.factoids)
    ranked = np.zeros(len(scored.runs), dtype=bool) if stated is None else ~np.isnan(stated[:, these]).any(axis=1)
    if stated is None or not ranked.any():
        raise UsageError(f"--rank-by confidence_weighted: {NO_RANKING}")
    right = factoid_accuracy(scored.first)
    rankings = {
        run: Ranking.of("response", stated[run, these], right[run, these]) for run in np.flatnonzero(ranked).tolist()
    }

    def by_confidence(weights: Floats) -> Floats:
        values = np.full((*weights.shape[:-1], len(scored.runs)), np.nan)
        for run, ranking in rankings.items():
            values[..., run] = confidence_weighted(ranking.count(weights[..., these]))
        return values

    return by_confidence


def _jackknifed(by: RankBy, scored: QuestionScores, statistic: Statistic) -> MeasuredRuns:
    """A measure as the mean of its jackknife scores; series are left out as a whole."""
    homes = [one.series for one in scored.questions.questions]
    cluster = cluster_numbers(homes)
    first = np.unique(cluster, return_index=True)[1].tolist()
    units = tuple(homes[place] or scored.questions.questions[place].id for place in first)
    values = statistic(np.ones(len(cluster)))
    without = np.stack([statistic((cluster != unit).astype(np.float64)) for unit in range(len(units))], axis=-1)
    scores = values[:, None] + (len(units) - 1) * (without.mean(axis=-1, keepdims=True) - without)
    # One unit that holds all there is leaves nothing to say how the measure varies.
    scores[np.isnan(scores).any(axis=1)] = np.nan
    return MeasuredRuns(by, values, units, None, "series" if any(homes) else "questions", scores)
