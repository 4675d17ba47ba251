"""The scores of each run: means with intervals, and their components."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.answers import Answers
from karat.data.orders import Ranking
from karat.data.verdicts import CORRECT, INEXACT, NAMES, UNJUDGED, UNSUPPORTED
from karat.kernels.counting import divide
from karat.measures.questions import factoid_accuracy, nil_precision, nil_recall, reciprocal_rank
from karat.measures.ranking import confidence_weighted
from karat.studies.qa.aggregate import FACTOID, LIST, OTHER
from karat.studies.qa.parameters import QaParameters
from karat.studies.qa.result import Factoids, Lists, Nils, Others, QaRun
from karat.studies.qa.scoring import QuestionScores
from karat.studies.unit_means import Mean, mean_of_defined, plain_mean, unit_means

ACCEPTING = {
    "inexact": (CORRECT, INEXACT),
    "unsupported": (CORRECT, UNSUPPORTED),
    "lenient": (CORRECT, INEXACT, UNSUPPORTED),
}
"""Verdicts that count as right under each more lenient policy."""


def _type_means(scored: QuestionScores, kind: int, level: float) -> list[Mean]:
    """Means over the questions of one type, clustered by series."""
    these = scored.questions.types == kind
    series = scored.questions.series_of[these].astype(np.int64)
    alone = series < 0  # a cluster each
    series[alone] = series.max(initial=-1) + 1 + np.arange(alone.sum())
    return unit_means(scored.values[:, these], level, series)


def score_runs(
    answers: Answers,
    scored: QuestionScores,
    series: Floats,
    mean_type: Floats,
    mean_series: list[Mean],
    asked: QaParameters,
) -> list[QaRun]:
    """For every run, the mean of each type of question, by type and by series, and their components."""
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
            ),
            nil=Nils(*(float(part[at]) for part in nil)),
            list=Lists(lists[at], *(part[at].item() for part in list_parts)),
            other=Others(others[at], *(part[at].item() for part in parts)),
            by_type=float(mean_type[at]),
            by_series=mean_series[at],
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


def _confidence_weighted(answers: Answers, scored: QuestionScores, asked: QaParameters) -> Floats:
    """The confidence-weighted score of each run that ranks its questions; NaN for the others."""
    values = np.full(len(scored.runs), np.nan)
    these = np.flatnonzero(scored.factoids)
    if asked.answers > 1 or scored.judged is None or not len(these):
        return values
    stated = -np.arange(len(answers), dtype=np.float64) if asked.ranked else answers.confidence
    if stated is None:
        return values
    confidence = np.full((len(scored.runs), len(scored.questions)), np.nan)
    confidence[answers.run, answers.question] = stated
    right = factoid_accuracy(scored.first)
    for run in np.flatnonzero(~np.isnan(confidence[:, these]).any(axis=1)).tolist():
        ranking = Ranking.of("response", confidence[run, these], right[run, these])
        values[run] = float(confidence_weighted(ranking.count()))
    return values
