"""Answers to questions that people have judged: a set of verdicts is to a run of answers what a key is to labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from karat.campaign.definition import MOST_UNPACKED
from karat.campaign.events import Scores
from karat.data.answers import Answers, merge_answers
from karat.data.questions import Questions
from karat.data.verdicts import Verdicts
from karat.errors import DataError, Problems
from karat.formats.answer_table import gather_answers
from karat.formats.documents import document_of
from karat.formats.verdict_table import gather_verdicts
from karat.studies.qa.study import qa

WAY = "questions"
"""Under which the scores of answers are stored, where those of labels have the number of labels."""


def read_verdicts(questions: Questions, name: str, raw: bytes) -> Verdicts:
    """The verdicts on answers in a file; a `DataError` if it has errors."""
    problems = Problems()
    document = document_of(name, raw, problems, MOST_UNPACKED)
    made = None if document is None else gather_verdicts([document], questions, problems)
    problems.raise_errors()
    assert made is not None
    return made


def answers_of(questions: Questions, files: Mapping[str, tuple[str, bytes]]) -> Answers:
    """The answers of accepted runs together: by the name of each run, the name of its file and its content."""
    problems, parts = Problems(), []
    for name, (file, raw) in files.items():
        document = document_of(file, raw, problems, MOST_UNPACKED)
        found = gather_answers([] if document is None else [document], questions, 1, problems)
        parts += [replace(part, runs=(name,)) for part in found]
    problems.raise_errors()
    return merge_answers(parts)


def scores_of(questions: Questions, answers: Answers, verdicts: Verdicts | None) -> Scores:
    """The stored measures of one run; empty while any of its answers is not judged."""
    if verdicts is None:
        return {}
    try:
        (run,) = qa(questions, answers, verdicts=verdicts).runs
    except DataError:
        return {}
    values = {
        "factoid_accuracy": run.factoid.accuracy,
        "list_f": run.list.score.value,
        "series": run.by_series.value,
    }
    return {WAY: {name: float(value) if math.isfinite(value) else None for name, value in values.items()}}
