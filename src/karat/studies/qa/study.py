"""Question answering (`karat qa`): questions scored by their types, runs by type and by series."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.answers import Answers
from karat.data.nuggets import Matches
from karat.data.patterns import Patterns
from karat.data.questions import TYPES, Questions
from karat.data.verdicts import Verdicts
from karat.studies.base import study
from karat.studies.qa.aggregate import series_boxes, weight_sensitivity, zero_medians
from karat.studies.qa.assessors import several_assessors
from karat.studies.qa.findings import FIGURES, FINDINGS
from karat.studies.qa.given import Given, parts_of
from karat.studies.qa.kinds import kind_differences, series_kinds
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.patterns import judge_patterns
from karat.studies.qa.result import Asked, AskedQuestion, QuestionAnswering, ScoredCount
from karat.studies.qa.scoring import QuestionScores, score_runs
from karat.studies.rankings import ranking_change
from karat.studies.unit_means import beta_curves, unit_means


@study("qa", QaParameters, findings=FINDINGS, figures=FIGURES)
def qa(
    questions: Questions,
    runs: Answers,
    asked: QaParameters,
    *,
    verdicts: Verdicts | None = None,
    matches: Matches | None = None,
    patterns: Patterns | None = None,
) -> QuestionAnswering:
    """Score runs on questions: factoids and lists by verdicts, patterns or accepted answers, others by nuggets."""
    given = Given.of(questions, runs, verdicts, matches, patterns, asked)
    scored = given.score(asked)
    several = len(scored.runs) > 1
    parts = parts_of(scored, asked)
    series, mean_type = parts.by_series(asked.weights), parts.by_type(asked.weights)
    mean_series = unit_means(series, asked.interval)
    ranking = given.measure(scored, asked)
    over_series = np.array([one.value for one in mean_series])
    both = several and not np.isnan([mean_type, over_series]).any()
    return QuestionAnswering(
        asked=_asked(questions, scored, series),
        judged_by=given.judged_by,
        ranked_by=ranking.measure,
        ranked_over=ranking.over,
        runs=score_runs(
            runs,
            scored,
            series,
            mean_type,
            mean_series,
            (ranking.means(asked.interval), ranking.units, ranking.scores),
            asked,
            given.accepted,
        ),
        aggregations=ranking_change(scored.runs, over_series, mean_type) if both else None,
        series=series_boxes(series, questions, scored.runs),
        kinds=series_kinds(questions, scored.runs, series),
        kind_differences=kind_differences(questions, series) if questions.series else [],
        zero_medians=zero_medians(scored.values, series, questions) if several else [],
        weights=weight_sensitivity(parts, asked.weights),
        betas=beta_curves(scored.runs, scored.nuggets.precision, scored.nuggets.recall, asked.beta),
        patterns=judge_patterns(patterns, verdicts, runs, questions, asked.interval)
        if patterns is not None and verdicts is not None
        else None,
        wide_patterns=None if patterns is None or patterns.in_words else patterns.left_out,
        assessors=several_assessors(given, scored, asked) if several else None,
        questions=_questions(questions, scored),
        sources=given.sources,
        warnings=given.warnings,
    )


def _asked(questions: Questions, scored: QuestionScores, series: Floats) -> Asked:
    defined = ~np.isnan(scored.values).all(axis=0)
    units = {"series": ScoredCount(len(questions.series), int((~np.isnan(series).all(axis=0)).sum()))}
    for at, kind in enumerate(TYPES):
        these = questions.types == at
        units[kind.lower()] = ScoredCount(int(these.sum()), int((these & defined).sum()))
    unanswerable = None
    if scored.judged is not None and scored.factoids.any():
        unanswerable = int((~scored.judged.verdicts.answerable & scored.factoids).sum())
    return Asked(units, list(questions.excluded), unanswerable)


def _questions(questions: Questions, scored: QuestionScores) -> list[AskedQuestion]:
    made = []
    for one, scores, reason in zip(questions.questions, scored.values.T, scored.reasons, strict=True):
        over = (np.nan, np.nan) if np.isnan(scores).any() else (float(np.median(scores)), float(scores.max()))
        made.append(AskedQuestion(one.id, one.type, one.series, one.text, *over, reason))
    return made
