"""Answers of runs as rows: TSV, CSV, JSON lines or Parquet with columns run, qid, rank, doc, answer, confidence.

NIL as the document says that the collection contains no answer. Only qid and answer are required: without `run` the
name of the file is the name of the run, and without `rank` answers to a question are in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from msgspec import Meta

from karat.align.answers import align_answers
from karat.align.columns import Columns, report_same_runs
from karat.align.questions import QUESTION_IDS
from karat.data.answers import NIL, Answers, merge_answers
from karat.data.nuggets import Nuggets, topics_as_questions
from karat.data.parameters import checked
from karat.data.questions import Questions
from karat.errors import Problems
from karat.files import as_number, counting_number
from karat.formats.documents import Document, FilePath, FilePaths, read_documents
from karat.formats.registry import answer_formats, columns_of, without_errors, write_file
from karat.formats.rows import Col, WrongCell, declare_table
from karat.formats.sniffing import Fit, best_of, has_columns

DOCUMENT = Col(("doc", "docid", "doc_id", "document"), needed=False)
STRING = Col(("answer", "answer_string", "string"))


def _rank(text: str) -> int | None:
    rank = counting_number(text)
    if text and rank is None:
        raise WrongCell("run-line", f"rank {text!r}", what="a whole number from 1 as rank, or nothing")
    return rank


def _confidence(text: str) -> float | None:
    number = as_number(text)
    if text and not math.isfinite(number):
        raise WrongCell("confidence", f"confidence {text!r}", number)  # stated, but invalid
    return number if text else None


COLUMNS = {
    "run": Col(("run", "run_id", "runid", "run_tag"), needed=False),
    "question": Col(QUESTION_IDS),
    "rank": Col(("rank",), needed=False, kind=_rank),
    "document": DOCUMENT,
    "string": STRING,
    "confidence": Col(("confidence", "score"), needed=False, kind=_confidence),
}


SNIFF = best_of(
    has_columns(QUESTION_IDS, STRING.names, (*COLUMNS["run"].names, *DOCUMENT.names), parquet=Fit.POSSIBLE),
    has_columns(QUESTION_IDS, STRING.names, fit=Fit.POSSIBLE),
)
"""Certain of columns of question ids, answers, and runs or documents."""


def find_nil(columns: Columns, _: Problems) -> None:
    """NIL may be the document, or the answer without a document, in any case."""
    columns.values["document"] = [
        NIL if NIL in (document.upper(), "" if document else string.upper()) else document
        for document, string in zip(columns["document"], columns["string"], strict=True)
    ]


def finish(columns: Columns, problems: Problems) -> None:
    """Without a name, a run has the name of the file; NIL is found."""
    runs = columns.values.setdefault("run", [columns.source.stem] * len(columns))
    for row in (row for row, run in enumerate(runs) if not run):
        columns.report(problems, "run-line", "an answer of no run", row, what="the name of the run")
    find_nil(columns, problems)


def _cells(answers: Answers) -> dict[str, Sequence[Any]]:
    columns: dict[str, Sequence[Any]] = {
        "run": [answers.runs[run] for run in answers.run.tolist()],
        "qid": [answers.units[question] for question in answers.question.tolist()],
        "rank": answers.rank.tolist(),
        "doc": answers.documents,
        "answer": answers.strings,
    }
    if answers.confidence is not None:
        columns["confidence"] = [None if math.isnan(one) else one for one in answers.confidence.tolist()]
    return columns


declare_table(
    answer_formats,
    COLUMNS,
    what="answers as TSV, CSV, JSON lines or Parquet",
    sniff=SNIFF,
    cells=_cells,
    finish=finish,
)


@checked
def read_answers(paths: FilePaths, questions: Questions | Nuggets, answers: Annotated[int, Meta(ge=1)] = 1) -> Answers:
    """Answers of runs to questions, or to the topics of nuggets, from files or folders.

    A factoid may have up to `answers`, ranked.
    """
    problems = Problems()
    if isinstance(questions, Nuggets):
        questions = topics_as_questions(questions)
    parts = gather_answers(read_documents(paths, problems), questions, answers, problems)
    problems.raise_errors()
    return without_errors(merge_answers(parts), problems)


def gather_answers(
    documents: Iterable[Document], questions: Questions, answers: int, problems: Problems
) -> list[Answers]:
    """The answers in documents, without those that have errors."""
    return align_columns(columns_of(answer_formats, documents, problems), questions, answers, problems)


def align_columns(columns: Iterable[Columns], questions: Questions, answers: int, problems: Problems) -> list[Answers]:
    """The answers in the columns of files, without those of files that have errors."""
    # Aligned even if the reader found errors, so that all problems of a file are reported together.
    aligned = (align_answers(questions, one, problems, answers) for one in columns)
    parts = [part for part in aligned if part is not None]
    report_same_runs([(part.runs, part.sources[0].name) for part in parts], problems)
    return parts


@checked
def write_answers(answers: Answers, path: FilePath, writer: str = "table") -> None:
    """Write the answers of runs as a table, or as runs of TREC RAG, `rag`; both keep the documents of each row."""
    write_file(answer_formats[writer], path, answers)
