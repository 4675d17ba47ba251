"""Several assessors' verdicts on the same answers: the ranking under each of them, and under random ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.verdicts import CORRECT, Verdicts
from karat.statistics.rank_correlation import best_first
from karat.studies.qa.aggregate import Parts
from karat.studies.qa.given import Given, parts_of
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.parts import AssessorsRanking, RandomVerdicts, SeveralAssessors
from karat.studies.qa.scoring import QuestionScores
from karat.studies.rankings import ranking_change
from karat.studies.unit_means import mean_of_defined


def several_assessors(given: Given, scored: QuestionScores, asked: QaParameters) -> SeveralAssessors | None:
    """The comparison; None if one assessor judged."""
    verdicts = given.verdicts
    if verdicts is None or not given.each:
        return None
    official = given.measure(scored, asked).values
    found, values = [], []
    took_part = np.zeros((len(given.each), len(scored.questions)), dtype=bool)
    for at, (name, own) in enumerate(given.each):
        under = replace(given, verdicts=own.completed_by(verdicts))
        theirs = under.score(asked)
        values.append(theirs.values)
        took_part[at, own.question] = True
        change = ranking_change(scored.runs, official, under.measure(theirs, asked).values)
        found.append(AssessorsRanking(**vars(change), assessor=name, verdicts=len(own), differ=_differ(own, verdicts)))
    said: dict[tuple[int, str, str], list[bool]] = {}
    for _, own in given.each:
        for key, row in own.index.items():
            said.setdefault(key, []).append(bool(own.verdict[row] == CORRECT))
    both = [right for right in said.values() if len(right) > 1]
    random: list[RandomVerdicts] = []
    if asked.rank_by == "auto":
        random = _random(official, np.stack(values), took_part, scored, asked)
    return SeveralAssessors(
        judged=len(both),
        disputed=sum(len(set(right)) > 1 for right in both),
        assessors=found,
        random=random,
    )


def _scores(scored: QuestionScores, asked: QaParameters) -> Floats:
    """What runs are ranked by: the mean over series or, without series, over types."""
    parts: Parts = parts_of(scored, asked)
    if not scored.questions.series:
        return parts.by_type(asked.weights)
    series = parts.by_series(asked.weights)
    return np.asarray(series[:, ~np.isnan(series).any(axis=0)].mean(axis=1)) if series.size else series.sum(axis=1)


def _random(
    official: Floats, values: Floats, took_part: Bools, scored: QuestionScores, asked: QaParameters
) -> list[RandomVerdicts]:
    """Scores, and leads over the next run, under a random one of the assessors who judged answers to a question.

    The score of a run is a weighted sum of its `values` on questions (assessors, runs, questions); the weights are what
    a run would get for one question alone. A question that some assessor's verdicts leave unscored is scored by the
    others'. All runs have the same assessor on a question, so the deviation of a lead does not follow from those of the
    two scores.
    """
    drawn = np.where(took_part[:, None], values, np.nan)
    # Where no verdict scores a question, as with nuggets, it has one score.
    drawn = np.where(np.isnan(drawn).all(axis=0), scored.values, drawn)
    left_out = np.isnan(scored.values).any(axis=0)
    known = np.where(left_out, 0.0, drawn)
    single = np.where(left_out, np.nan, np.eye(len(scored.questions)))
    alone = replace(scored, runs=tuple(map(str, range(len(single)))), values=single)
    weights = np.nan_to_num(_scores(alone, asked))
    order = best_first(official)
    leads = np.full_like(known, np.nan)
    leads[:, order[:-1]] = known[:, order[:-1]] - known[:, order[1:]]
    columns = official, *_over_draws(known, weights), *_over_draws(leads, weights)
    rows = np.stack(columns, axis=-1)[order].tolist()
    return [RandomVerdicts(scored.runs[run], *row) for run, row in zip(order.tolist(), rows, strict=True)]


def _over_draws(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Mean and deviation of weighted sums over questions, from the values (assessors, runs, questions) drawn among."""
    mean = mean_of_defined(values)
    return mean @ weights, np.sqrt(mean_of_defined((values - mean) ** 2) @ weights**2)


def _differ(own: Verdicts, majority: Verdicts) -> int:
    return sum(
        (own.verdict[row] == CORRECT) != (majority.verdict[majority.index[key]] == CORRECT)
        for key, row in own.index.items()
    )
