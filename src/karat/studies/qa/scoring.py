"""One score per run and question, from verdicts and nuggets; and the scores of each run, with their components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.accepted import token_counts
from karat.data.answers import Answers
from karat.data.nugget_counts import count_nuggets
from karat.data.nuggets import Matches
from karat.data.orders import Ranking
from karat.data.patterns import Patterns
from karat.data.question_counts import FirstRight, Judged, NilCounts
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INEXACT, NAMES, UNJUDGED, UNSUPPORTED, Verdicts
from karat.kernels.counting import divide
from karat.measures.nuggets import f_beta, nugget_precision, nugget_recall
from karat.measures.questions import factoid_accuracy, list_f, nil_precision, nil_recall, reciprocal_rank, token_f1
from karat.measures.ranking import confidence_weighted
from karat.studies.qa.aggregate import FACTOID, LIST, OTHER
from karat.studies.qa.parameters import JudgedBy, QaParameters
from karat.studies.qa.result import Factoids, Lists, Nils, Others, QaRun
from karat.studies.unit_means import Mean, mean_of_defined, plain_mean, unit_means

NOT_ALL = "not every run was judged on it"
UNJUDGED_FACTOID: dict[JudgedBy, str] = {
    "people": "no answer to any factoid question was judged",
    "patterns": "there is no pattern for it",
    "people and patterns": "nobody judged an answer to it, and there is no pattern for it",
    "accepted answers": "no accepted answer is given",
}
"""Why a factoid question is not scored, depending on who judges."""


@dataclass(frozen=True, eq=False)
class NuggetParts:
    """Precision, recall and length of answers to OTHER questions (lists, runs, questions), NaN for other questions.

    A question has one list of nuggets per assessor; its score is the mean over the lists.
    """

    precision: Floats
    recall: Floats
    length: Floats


@dataclass(frozen=True, eq=False)
class QuestionScores:
    """The score of every run on every question (runs, questions), and the counts behind it."""

    questions: Questions
    runs: tuple[str, ...]
    values: Floats
    reasons: list[str | None]
    """Why a question is not scored; None if it is."""
    silent: Bools
    """Types of questions of which nothing was judged."""
    factoids: Bools
    """The factoid questions that are scored (questions,)."""
    judged: Judged | None
    first: FirstRight
    nil: NilCounts
    nuggets: NuggetParts


def score_questions(
    questions: Questions,
    answers: Answers,
    verdicts: Verdicts | None,
    judged_by: JudgedBy | None,
    matches: Matches | None,
    asked: QaParameters,
) -> QuestionScores:
    """Score every question by its type; a question that cannot be scored for every run is NaN, with a reason."""
    runs, types = answers.runs, questions.types
    values = np.full((len(runs), len(questions)), np.nan)
    judged = None if verdicts is None else Judged.of(answers, verdicts)
    covered = np.zeros(len(questions), dtype=bool)
    if verdicts is not None:
        covered[verdicts.question] = True
    factoids = types == FACTOID
    # If people judge, a factoid without judgments has no known answer, unless no factoid has any.
    if judged_by != "people" or not (factoids & covered).any():
        factoids &= covered
    silent = np.array([not factoids.any(), not (covered & (types == LIST)).any(), matches is None])
    first = FirstRight(values.copy())
    nil = NilCounts(*(np.full(len(runs), np.nan) for _ in range(3)))
    if judged is not None:
        first = judged.first_right(asked.right, asked.answers)
        nil = judged.nil(factoids) if factoids.any() else nil
        factoid = factoid_accuracy(first) if asked.answers == 1 else reciprocal_rank(first)
        values[:, factoids] = factoid[:, factoids]
        values[:, types == LIST] = list_f(judged.lists(asked.right))[:, types == LIST]
    nuggets = _nuggets(questions, runs, matches, asked)
    f = mean_of_defined(f_beta(nuggets.precision, nuggets.recall, asked.beta))
    values[:, types == OTHER] = f[:, types == OTHER]
    unscored = np.isnan(values)
    reasons: list[str | None] = [None] * len(questions)
    for place in np.flatnonzero(unscored.any(axis=0)).tolist():
        why = _why(int(types[place]), judged_by, matches, questions.questions[place].id)
        reasons[place] = why if unscored[:, place].all() else NOT_ALL
    # Runs are compared on the same questions.
    values[:, unscored.any(axis=0)] = np.nan
    return QuestionScores(questions, runs, values, reasons, silent, factoids, judged, first, nil, nuggets)


def _nuggets(questions: Questions, runs: tuple[str, ...], matches: Matches | None, asked: QaParameters) -> NuggetParts:
    """Nuggets of every assessor's list found in the answers of the runs, at the places of the questions."""
    if matches is None:
        return NuggetParts(*np.full((3, 1, len(runs), len(questions)), np.nan))
    # A run that answers no OTHER question has no matches, and scores 0.
    rows = [matches.runs.index(run) if run in matches.runs else -1 for run in runs]
    others = {one.id: place for place, one in enumerate(questions.questions) if one.type == "OTHER"}
    units, assessors = matches.nuggets.units, matches.nuggets.assessors
    made = np.full((3, len(assessors), len(runs), len(questions)), np.nan)
    for at, assessor in enumerate(assessors):
        held = matches.of(assessor)
        # A list against which some run was not judged cannot compare runs.
        whole = held.nuggets.listed & held.judged[[row for row in rows if row >= 0]].all(axis=0)
        topics = [topic for topic in np.flatnonzero(whole).tolist() if units[topic] in others]
        places = [others[units[topic]] for topic in topics]
        counts = count_nuggets(held, asked.missing, asked.length)
        parts = (
            nugget_precision(counts, allowance=asked.allowance),
            nugget_recall(counts, recall=asked.recall),
            counts.length,
        )
        silent = [row for row, place in enumerate(rows) if place < 0]
        for part, value in zip(made, parts, strict=True):
            part[at][:, places] = value[np.ix_(rows, topics)]
            part[at][np.ix_(silent, places)] = 0.0
    return NuggetParts(*made)


def _why(kind: int, judged_by: JudgedBy | None, matches: Matches | None, name: str) -> str:
    """Why no run has a score on a question."""
    if kind == OTHER:
        if matches is None:
            return "no nuggets were given"
        if name not in matches.nuggets.units:
            return "it has no nuggets"
        everybody = matches.judged[:, matches.nuggets.units.index(name)].all()
        return "it has no judged vital nugget" if everybody else NOT_ALL
    if judged_by is None:
        return "no judgments were given"
    return "no answer to it is known" if kind == LIST else UNJUDGED_FACTOID[judged_by]


ACCEPTING = {
    "inexact": (CORRECT, INEXACT),
    "unsupported": (CORRECT, UNSUPPORTED),
    "lenient": (CORRECT, INEXACT, UNSUPPORTED),
}
"""Verdicts that count as right under each more lenient policy."""


def _token_f1(answers: Answers, scored: QuestionScores, accepted: Patterns, level: float) -> list[Mean]:
    """The mean token F1 of each run over the factoid questions that are scored."""
    return _type_means(scored, FACTOID, level, token_f1(token_counts(accepted, answers)))


def _type_means(scored: QuestionScores, kind: int, level: float, values: Floats | None = None) -> list[Mean]:
    """Means over the questions of one type, clustered by series: of the scores, or of other values."""
    these = scored.questions.types == kind
    series = scored.questions.series_of[these].astype(np.int64)
    alone = series < 0  # a cluster each
    series[alone] = series.max(initial=-1) + 1 + np.arange(alone.sum())
    return unit_means((scored.values if values is None else values)[:, these], level, series)


def score_runs(
    answers: Answers,
    scored: QuestionScores,
    series: Floats,
    mean_type: Floats,
    mean_series: list[Mean],
    ranking: tuple[list[Mean], tuple[str, ...], Floats],
    asked: QaParameters,
    accepted: Patterns | None = None,
) -> list[QaRun]:
    """For every run, the mean of each type of question, by type and by series, and their components.

    `ranking` has the value that ranks each run, and the units and scores (runs, units) that it is the mean of.
    """
    factoid, lists, others = (_type_means(scored, kind, asked.interval) for kind in (FACTOID, LIST, OTHER))
    accuracy, mrr = (
        plain_mean(measure(scored.first)[:, scored.factoids]) for measure in (factoid_accuracy, reciprocal_rank)
    )
    accepting = _accepting(scored)
    weighted = _confidence_weighted(answers, scored, asked)
    verdicts = _first_verdicts(scored)
    nil = nil_precision(scored.nil), nil_recall(scored.nil), scored.nil.given, scored.nil.right
    parts, list_parts = _nugget_parts(scored), _list_parts(scored, asked.right)
    names = [one.id for one in scored.questions.series]
    overlap = [None] * len(scored.runs) if accepted is None else _token_f1(answers, scored, accepted, asked.interval)
    return [
        QaRun(
            run=run,
            factoid=Factoids(
                factoid[at],
                accuracy[at].item(),
                mrr[at].item(),
                weighted[at].item(),
                verdicts[at],
                {name: values[at].item() for name, values in accepting.items()},
                overlap[at],
            ),
            nil=Nils(*(float(part[at]) for part in nil)),
            list=Lists(lists[at], *(part[at].item() for part in list_parts)),
            other=Others(others[at], *(part[at].item() for part in parts)),
            by_type=float(mean_type[at]),
            by_series=mean_series[at],
            ranking=ranking[0][at],
            units=dict(zip(ranking[1], ranking[2][at].tolist(), strict=True)),
            series=dict(zip(names, series[at].tolist(), strict=True)),
            questions=dict(zip(scored.questions.index, scored.values[at].tolist(), strict=True)),
        )
        for at, run in enumerate(scored.runs)
    ]


def _accepting(scored: QuestionScores) -> dict[str, Floats]:
    """Accuracy on factoids if other verdicts count as right too."""
    if scored.judged is None:
        return dict.fromkeys(ACCEPTING, np.full(len(scored.runs), np.nan))
    return {
        name: plain_mean(factoid_accuracy(scored.judged.first_right(codes))[:, scored.factoids])
        for name, codes in ACCEPTING.items()
    }


def _nugget_parts(scored: QuestionScores) -> list[Floats]:
    """Mean precision, recall and length over the same questions as F."""
    these = (scored.questions.types == OTHER) & ~np.isnan(scored.values).any(axis=0)
    parts = scored.nuggets.precision, scored.nuggets.recall, scored.nuggets.length
    return [plain_mean(mean_of_defined(part)[:, these]) for part in parts]


def _list_parts(scored: QuestionScores, accepted: list[int]) -> list[Floats]:
    """Mean precision and recall over the list questions that are scored; an empty list has precision 0."""
    these = (scored.questions.types == LIST) & ~np.isnan(scored.values).any(axis=0)
    if scored.judged is None:
        return [np.full(len(scored.runs), np.nan)] * 2
    lists = scored.judged.lists(accepted)
    precision = np.nan_to_num(divide(lists.distinct, lists.returned))
    return [plain_mean(part[:, these]) for part in (precision, divide(lists.distinct, lists.known))]


def _first_verdicts(scored: QuestionScores) -> list[dict[str, int]]:
    """The number of each run's first answers to factoids by verdict."""
    counts = np.zeros((len(scored.runs), len(NAMES)), dtype=np.int64)
    judged = scored.judged
    if judged is not None:
        first = (judged.answers.rank == 1) & scored.factoids[judged.answers.question]
        known = first & (judged.codes != UNJUDGED)
        np.add.at(counts, (judged.answers.run[known], judged.codes[known]), 1)
    return [dict(zip(NAMES, row, strict=True)) for row in counts.tolist()]


def stated_confidence(answers: Answers, scored: QuestionScores, asked: QaParameters) -> Floats | None:
    """How confident each run is of its answer to each question (runs, questions), NaN if it does not say.

    None if no run says.
    """
    stated = -np.arange(len(answers), dtype=np.float64) if asked.ranked else answers.confidence
    if stated is None:
        return None
    confidence = np.full((len(scored.runs), len(scored.questions)), np.nan)
    confidence[answers.run, answers.question] = stated
    return confidence


def _confidence_weighted(answers: Answers, scored: QuestionScores, asked: QaParameters) -> Floats:
    """The confidence-weighted score of each run that ranks its questions; NaN for the others."""
    values = np.full(len(scored.runs), np.nan)
    these = np.flatnonzero(scored.factoids)
    if asked.answers > 1 or scored.judged is None or not len(these):
        return values
    confidence = stated_confidence(answers, scored, asked)
    if confidence is None:
        return values
    right = factoid_accuracy(scored.first)
    for run in np.flatnonzero(~np.isnan(confidence[:, these]).any(axis=1)).tolist():
        ranking = Ranking.of("response", confidence[run, these], right[run, these])
        values[run] = float(confidence_weighted(ranking.count()))
    return values
