"""Judged answers as rows: TSV, CSV, JSON lines or Parquet with columns qid, doc, answer, verdict, group.

A verdict is R, L, X, U or W, or the words (correct, locally correct, inexact, unsupported, incorrect; right, wrong), in
any case. An answer that no run gave is the assessor's own, with or without a document. Rows of one group are the same
answer in other words. A column `assessor` may name the assessor; with several, the majority's verdicts count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from karat.align.questions import QUESTION_IDS
from karat.align.verdicts import align_verdicts
from karat.data.parameters import checked
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INCORRECT, LETTERS, NAMES, Verdicts
from karat.errors import Problems, UsageError
from karat.formats.answer_table import DOCUMENT, STRING, find_nil
from karat.formats.documents import Document, FilePath, FilePaths, read_documents
from karat.formats.registry import columns_of, verdict_formats, without_errors, write_file
from karat.formats.rows import Col, WrongCell, certain_of, declare_table

SPELLED: dict[str, int] = {
    **{letter.casefold(): code for code, letter in enumerate(LETTERS)},
    **{name: code for code, name in enumerate(NAMES)},
    "right": CORRECT,
    "wrong": INCORRECT,
}
"""Spellings of verdicts, in lower case."""


def _verdict(text: str) -> int:
    if text.casefold() not in SPELLED:
        raise WrongCell("verdict", f"verdict {text!r}" if text else "no verdict")
    return SPELLED[text.casefold()]


COLUMNS = {
    "question": Col(QUESTION_IDS),
    "document": DOCUMENT,
    "string": STRING,
    "verdict": Col(("verdict", "judgment", "judgement"), kind=_verdict),
    "group": Col(("group",), needed=False),
    "assessor": Col(("assessor", "judge", "annotator", "rater"), needed=False),
}


def _cells(verdicts: Verdicts) -> dict[str, Sequence[Any]]:
    """The columns; if several assessors judged, what each of them said."""
    if verdicts.repeated:
        raise UsageError("a table of judgments has groups of equal answers, which NIST's judged lists do not give")
    if verdicts.each:
        parts = [_cells(own) | {"assessor": [name] * len(own)} for name, own in verdicts.each]
        return {column: [cell for part in parts for cell in part[column]] for column in parts[0]}
    return {
        "qid": [verdicts.units[question] for question in verdicts.question.tolist()],
        "doc": verdicts.documents,
        "answer": verdicts.strings,
        "verdict": [LETTERS[code] for code in verdicts.verdict.tolist()],
        "group": verdicts.groups,
    }


declare_table(
    verdict_formats,
    COLUMNS,
    what="judged answers as TSV, CSV, JSON lines or Parquet",
    sniff=certain_of(*(COLUMNS[role] for role in ("question", "string", "verdict"))),
    cells=_cells,
    finish=find_nil,
)


@checked
def read_verdicts(paths: FilePaths, questions: Questions) -> Verdicts:
    """Verdicts on answers, from files or folders."""
    problems = Problems()
    return without_errors(gather_verdicts(read_documents(paths, problems), questions, problems), problems)


def gather_verdicts(documents: Iterable[Document], questions: Questions, problems: Problems) -> Verdicts | None:
    """All verdicts in documents; None if there are none, or one has errors."""
    columns = list(columns_of(verdict_formats, documents, problems))
    return align_verdicts(questions, columns, problems) if columns else None


@checked
def write_verdicts(verdicts: Verdicts, path: FilePath) -> None:
    """Write judgments as a table."""
    write_file(verdict_formats["table"], path, verdicts)
