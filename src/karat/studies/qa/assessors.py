"""Several assessors' verdicts on the same answers: the ranking under each of them, and under random ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat.arrays import Floats
from karat.data.verdicts import CORRECT, Verdicts
from karat.studies.qa.aggregate import Parts
from karat.studies.qa.given import Given, parts_of
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.parts import AssessorsRanking, RandomVerdicts, SeveralAssessors
from karat.studies.qa.scoring import QuestionScores
from karat.studies.rankings import ranking_change


def several_assessors(given: Given, scored: QuestionScores, asked: QaParameters) -> SeveralAssessors | None:
    """The comparison; None if one assessor judged."""
    verdicts = given.verdicts
    if verdicts is None or not given.each:
        return None
    official = given.measure(scored, asked).values
    found, values = [], []
    for name, own in given.each:
        under = replace(given, verdicts=own.completed_by(verdicts))
        theirs = under.score(asked)
        values.append(theirs.values)
        change = ranking_change(scored.runs, official, under.measure(theirs, asked).values)
        found.append(AssessorsRanking(**vars(change), assessor=name, verdicts=len(own), differ=_differ(own, verdicts)))
    said: dict[tuple[int, str, str], list[bool]] = {}
    for _, own in given.each:
        for key, row in own.index.items():
            said.setdefault(key, []).append(bool(own.verdict[row] == CORRECT))
    both = [right for right in said.values() if len(right) > 1]
    columns: list[list[float]] = []
    if asked.rank_by == "auto":
        columns = np.stack([official, *_random(np.stack(values), scored, asked)], axis=-1).tolist()
    return SeveralAssessors(
        judged=len(both),
        disputed=sum(len(set(right)) > 1 for right in both),
        assessors=found,
        random=[RandomVerdicts(run, *row) for run, row in zip(scored.runs, columns, strict=False)],
    )


def _scores(scored: QuestionScores, asked: QaParameters) -> Floats:
    """What runs are ranked by: the mean over series or, without series, over types."""
    parts: Parts = parts_of(scored, asked)
    if not scored.questions.series:
        return parts.by_type(asked.weights)
    series = parts.by_series(asked.weights)
    return np.asarray(series[:, ~np.isnan(series).any(axis=0)].mean(axis=1)) if series.size else series.sum(axis=1)


def _random(values: Floats, scored: QuestionScores, asked: QaParameters) -> tuple[Floats, Floats]:
    """Mean and deviation over random assessors of every question, from scores (assessors, runs, questions).

    The score of a run is a weighted sum of its scores on questions; the weights are what a run would get for one
    question alone. A question that some assessor's verdicts leave unscored is scored by the others'.
    """
    left_out = np.isnan(scored.values).any(axis=0) | np.isnan(values).all(axis=(0, 1))
    known = np.where(left_out, 0.0, values)
    mean, variance = np.nanmean(known, axis=0), np.nanvar(known, axis=0)
    questions = len(scored.questions)
    single = np.where(left_out, np.nan, np.eye(questions))
    alone = replace(scored, runs=tuple(map(str, range(questions))), values=single)
    weights = _scores(alone, asked)
    return mean @ np.nan_to_num(weights), np.sqrt(variance @ np.nan_to_num(weights) ** 2)


def _differ(own: Verdicts, majority: Verdicts) -> int:
    return sum(
        (own.verdict[row] == CORRECT) != (majority.verdict[majority.index[key]] == CORRECT)
        for key, row in own.index.items()
    )
