"""Questions as rows: TSV, CSV, JSON lines or Parquet with columns id, series, target, kind, type, question.

Only id and question are required: without `series` questions are single, without `type` all are factoids. A series of
NTCIR has the kind `gathering` or `browsing`, and all its questions have the type LIST.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from karat.align.questions import QUESTION_IDS, make_questions, set_target_types
from karat.data.parameters import checked
from karat.data.questions import Questions, QuestionType
from karat.errors import Problems
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.registry import question_formats, read_columns, target_formats, without_errors, write_file
from karat.formats.rows import Col, declare_table
from karat.formats.sniffing import Fit, best_of, has_columns

COLUMNS = {
    "id": Col(QUESTION_IDS),
    "series": Col(("series", "series_id"), needed=False),
    "target": Col(("target",), needed=False),
    "kind": Col(("kind",), needed=False),
    "type": Col(("type",), needed=False),
    "question": Col(("question", "text")),
}


SNIFF = best_of(
    has_columns(QUESTION_IDS, ("question",), parquet=Fit.POSSIBLE),
    has_columns(QUESTION_IDS, ("text",), fit=Fit.POSSIBLE),
)
"""Certain of columns of ids and questions; a column `text` may also belong to pairs."""


def _cells(questions: Questions) -> dict[str, Sequence[Any]]:
    series = {one.id: one for one in questions.series}
    homes = [series.get(question.series or "") for question in questions.questions]
    return {
        "id": [question.id for question in questions.questions],
        "series": [question.series or "" for question in questions.questions],
        "target": ["" if home is None else home.target for home in homes],
        "kind": ["" if home is None else home.kind or "" for home in homes],
        "type": [question.type for question in questions.questions],
        "question": [question.text for question in questions.questions],
    }


declare_table(
    question_formats,
    COLUMNS,
    what="questions as TSV, CSV, JSON lines or Parquet",
    sniff=SNIFF,
    cells=_cells,
)


@checked
def read_questions(
    path: FilePath, reader: str | None = None, exclude: Iterable[str] = (), target_types: FilePath | None = None
) -> Questions:
    """Questions, in series or single; `exclude` lists questions or series to leave out.

    `target_types` is a file with the type of each target, in order (`#PERSON Fred Durst`).
    """
    problems = Problems()
    document = read_document(path, problems)
    types = None if target_types is None else read_document(target_types, problems)
    questions = None if document is None else parse_questions(document, reader, problems)
    if questions is not None and types is not None:
        questions = add_target_types(questions, types, problems)
    return without_errors(questions, problems).without(exclude)


def parse_questions(
    document: Document, named: str | None, problems: Problems, untyped: QuestionType = "FACTOID"
) -> Questions | None:
    """The questions in a document; None if it has errors. In a table without types, all are of the type `untyped`."""
    columns = read_columns(question_formats, document, problems, named)
    return None if columns is None else make_questions(columns, problems, untyped)


def add_target_types(questions: Questions, document: Document, problems: Problems) -> Questions:
    """The questions with the types of targets in a document."""
    columns = read_columns(target_formats, document, problems)
    return questions if columns is None else set_target_types(questions, columns, problems)


@checked
def write_questions(questions: Questions, path: FilePath) -> None:
    """Write questions as a table (.tsv, .csv, .jsonl, .parquet)."""
    write_file(question_formats["table"], path, questions)
