"""Accepted answers to questions as rows: TSV, CSV, JSON lines or Parquet with columns qid and answer.

A question may have several rows. NIL, or nothing, says that no answer is known, so that NIL is right. A factoid
question without a row is not scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from karat.align.patterns import align_accepted
from karat.align.questions import QUESTION_IDS
from karat.data.answers import NIL
from karat.data.parameters import checked
from karat.data.patterns import Patterns
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
    return align_accepted(questions, list(columns_of(accepted_formats, documents, problems)), problems)
