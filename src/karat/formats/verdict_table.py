"""Judged answers as rows: TSV, CSV, JSON lines or Parquet with columns qid, doc, answer, verdict, group.

A verdict is R, X, U or W, or the word (correct, inexact, unsupported, incorrect; right, wrong), in any case. A row that
no run gave is the assessor's own, with or without a document. Rows of one group are the same answer in other words.
A column `assessor` may name who judged, as long as it is one person.
"""

from __future__ import annotations

from karat.align.verdicts import VerdictColumns
from karat.data.questions import Questions
from karat.data.verdicts import CORRECT, INCORRECT, LETTERS, NAMES, Verdicts
from karat.errors import Problems
from karat.formats.answer_table import DOCUMENTS, STRINGS, nil_or
from karat.formats.documents import Document, Head
from karat.formats.question_table import QUESTION_IDS
from karat.formats.registry import Fit, verdict_formats
from karat.formats.rows import read_rows, take_columns, write_rows

ROLES = {
    "question": QUESTION_IDS,
    "document": DOCUMENTS,
    "string": STRINGS,
    "verdict": ("verdict", "judgment", "judgement"),
    "group": ("group",),
    "assessor": ("assessor", "judge", "annotator", "rater"),
}
SPELLED: dict[str, int] = {
    **{letter.casefold(): code for code, letter in enumerate(LETTERS)},
    **{name: code for code, name in enumerate(NAMES)},
    "right": CORRECT,
    "wrong": INCORRECT,
}
"""Verdicts as files spell them, in small letters."""


def sniff(head: Head) -> Fit:
    """Certain of columns of question ids, answers and verdicts."""
    if head.is_parquet:
        return Fit.POSSIBLE
    needed = (ROLES["question"], ROLES["string"], ROLES["verdict"])
    return Fit.CERTAIN if all(head.fields.intersection(names) for names in needed) else Fit.NO


def write(verdicts: Verdicts, suffix: str = ".tsv") -> bytes:
    """Judged answers in order."""
    return write_rows(
        {
            "qid": [verdicts.units[question] for question in verdicts.question.tolist()],
            "doc": verdicts.documents,
            "answer": verdicts.strings,
            "verdict": [LETTERS[code] for code in verdicts.verdict.tolist()],
            "group": verdicts.groups,
        },
        suffix,
    )


@verdict_formats.register("table", sniff=sniff, write=write, what="judged answers as TSV, CSV, JSON lines or Parquet")
def read(document: Document, against: Questions, problems: Problems) -> VerdictColumns | None:
    """Read judged answers with named columns."""
    del against
    rows = read_rows(document, problems)
    if rows is None:
        return None
    taken = take_columns(rows, document.name, ROLES, problems, optional=("document", "group", "assessor"))
    if taken is None:
        return None
    codes = [SPELLED.get(spelled.casefold()) for spelled in taken["verdict"]]
    for code, spelled, line in zip(codes, taken["verdict"], rows.lines, strict=True):
        if code is None:
            told = f"verdict {spelled!r}" if spelled else "no verdict"
            problems.add("verdict", told, file=document.name, line=line)
    return VerdictColumns(
        file=document.name,
        source=document.source,
        question=taken["question"],
        document=list(map(nil_or, taken["document"], taken["string"])),
        string=taken["string"],
        verdict=codes,
        group=taken["group"],
        lines=rows.lines,
        assessors=frozenset(filter(None, taken["assessor"])),
    )
