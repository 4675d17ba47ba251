"""Accepted answers to questions as rows: TSV, CSV, JSON lines or Parquet with columns qid and answer.

A question may have several rows. NIL, or nothing, says that no answer is known, so that NIL is right. A factoid
question without a row is not scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from karat.align.columns import Columns
from karat.align.questions import QUESTION_IDS, rows_asked
from karat.data.accepted import AcceptedAnswer
from karat.data.answers import NIL
from karat.data.parameters import checked
from karat.data.patterns import Pattern, Patterns
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.documents import Document, FilePaths, read_documents
from karat.formats.registry import accepted_formats, columns_of, without_errors
from karat.formats.rows import Col, certain_of, declare_table

COLUMNS = {"question": Col(QUESTION_IDS), "answer": Col(("answer", "accepted", "accepted_answer", "gold", "text"))}


def _cells(accepted: Patterns) -> dict[str, Sequence[Any]]:
    rows = [(one.question, one.spelled) for one in accepted.patterns] + [(place, NIL) for place in accepted.nil]
    return {
        "qid": [accepted.units[question] for question, _ in sorted(rows)],
        "answer": [answer for _, answer in sorted(rows)],
    }


declare_table(
    accepted_formats,
    COLUMNS,
    what="accepted answers as TSV, CSV, JSON lines or Parquet",
    sniff=certain_of(*COLUMNS.values()),
    cells=_cells,
)


@checked
def read_accepted(paths: FilePaths, questions: Questions) -> Patterns:
    """Accepted answers in words, from files or folders."""
    problems = Problems()
    return without_errors(gather_accepted(read_documents(paths, problems), questions, problems), problems)


def gather_accepted(documents: Iterable[Document], questions: Questions, problems: Problems) -> Patterns | None:
    """All accepted answers in documents; None if there are none, or one has errors."""
    parts = list(columns_of(accepted_formats, documents, problems))
    found: dict[tuple[int, str], Pattern] = {}
    nil: dict[int, tuple[Columns, int]] = {}
    for part in parts:
        part.need_rows(problems, "no accepted answers", "at least one accepted answer")
        for row, place in rows_asked(questions, part, problems):
            answer = " ".join(part["answer"][row].split())
            if answer.upper() in ("", NIL):
                nil.setdefault(place, (part, row))
            else:
                found.setdefault((place, answer), AcceptedAnswer(place, answer))
    answered = {question for question, _ in found}
    for place, (part, row) in nil.items():
        if place in answered:
            message = f"NIL together with other accepted answers to question {questions.questions[place].id!r}"
            part.report(problems, "nil-key", message, row, what="no other answer")
    if not parts or any(problems.failed(part.file) for part in parts):
        return None
    return Patterns(
        units=tuple(questions.index),
        patterns=tuple(found.values()),
        nil=frozenset(nil) - answered,
        in_words=True,
        sources=tuple(part.source for part in parts),
    )
