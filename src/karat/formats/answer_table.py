"""Answers of runs as rows: TSV, CSV, JSON lines or Parquet with columns run, qid, rank, doc, answer, confidence.

NIL as document says that the collection holds no answer. Needed are qid and answer: without `run` the file's name is
the run's, without `rank` answers to a question stand in order, without `doc` no document is given for any.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from karat.align.answers import AnswerColumns
from karat.data.answers import NIL, Answers
from karat.data.numbers import as_number
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.question_table import QUESTION_IDS
from karat.formats.registry import Fit, answer_formats
from karat.formats.rows import Rows, read_rows, take_columns, write_rows

DOCUMENTS = ("doc", "docid", "doc_id", "document")
STRINGS = ("answer", "answer_string", "string")
ROLES = {
    "run": ("run", "run_id", "runid", "run_tag"),
    "question": QUESTION_IDS,
    "rank": ("rank",),
    "document": DOCUMENTS,
    "string": STRINGS,
    "confidence": ("confidence", "score"),
}
OPTIONAL = ("run", "rank", "document", "confidence")


def sniff(head: Head) -> Fit:
    """Certain of columns of question ids, of answers, and of runs or documents, where nothing is judged."""
    if head.is_parquet:
        return Fit.POSSIBLE
    fields = head.fields
    if not (fields.intersection(QUESTION_IDS) and fields.intersection(STRINGS)):
        return Fit.NO
    return Fit.CERTAIN if fields.intersection((*ROLES["run"], *DOCUMENTS)) else Fit.POSSIBLE


def nil_or(document: str, string: str) -> str:
    """The document, where NIL may be written in any case, or as the answer without any document."""
    return NIL if NIL in (document.upper(), "" if document else string.upper()) else document


def write(answers: Answers, suffix: str = ".tsv") -> bytes:
    """Answers of all runs, ranked as they stand; confidence where runs state one."""
    columns: dict[str, Sequence[Any]] = {
        "run": [answers.runs[run] for run in answers.run.tolist()],
        "qid": [answers.units[question] for question in answers.question.tolist()],
        "rank": answers.rank.tolist(),
        "doc": answers.documents,
        "answer": answers.strings,
    }
    if answers.confidence is not None:
        columns["confidence"] = [None if math.isnan(one) else one for one in answers.confidence.tolist()]
    return write_rows(columns, suffix)


@answer_formats.register("table", sniff=sniff, write=write, what="answers as TSV, CSV, JSON lines or Parquet")
def read(document: Document, against: Questions, problems: Problems) -> AnswerColumns | None:
    """Read answers with named columns."""
    del against
    rows = read_rows(document, problems)
    if rows is None:
        return None
    taken = take_columns(rows, document.name, ROLES, problems, optional=OPTIONAL)
    if taken is None:
        return None
    runs = taken["run"] if _has(rows, "run") else [document.stem] * len(rows.lines)
    for run, line in zip(runs, rows.lines, strict=True):
        if not run:
            problems.add("run-line", "an answer of no run", file=document.name, line=line, what="the name of the run")
    return AnswerColumns(
        file=document.name,
        source=document.source,
        run=runs,
        question=taken["question"],
        document=list(map(nil_or, taken["document"], taken["string"])),
        string=taken["string"],
        lines=rows.lines,
        rank=_ranks(document, rows, taken["rank"], problems) if _has(rows, "rank") else None,
        confidence=_confidence(document, rows, taken["confidence"], problems) if _has(rows, "confidence") else None,
    )


def _has(rows: Rows, role: str) -> bool:
    return any(name in rows.columns for name in ROLES[role])


def _ranks(document: Document, rows: Rows, spelled: list[str], problems: Problems) -> list[float | None]:
    """Ranks as numbers, None where there is none."""
    ranks: list[float | None] = []
    for text, line in zip(spelled, rows.lines, strict=True):
        good = text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text) > 0
        if text and not good:
            what = "a whole number from 1 as rank, or nothing"
            problems.add("run-line", f"rank {text!r}", file=document.name, line=line, what=what)
        ranks.append(float(text) if good else None)
    return ranks


def _confidence(document: Document, rows: Rows, spelled: list[str], problems: Problems) -> list[float | None]:
    """Confidence as numbers, None where there is none."""
    found: list[float | None] = []
    for text, line in zip(spelled, rows.lines, strict=True):
        number = as_number(text)
        if text and not math.isfinite(number):
            problems.add("confidence", f"confidence {text!r}", file=document.name, line=line)
        found.append(number if text else None)
    return found
