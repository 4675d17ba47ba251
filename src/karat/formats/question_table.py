"""Questions as rows: TSV, CSV, JSON lines or Parquet with columns id, series, target, kind, type, question.

Only id and question are needed: without `series` questions stand alone, without `type` all are factoids. A series of
NTCIR's kind has `gathering` or `browsing` as its kind and LIST as the type of every question.
"""

from __future__ import annotations

from karat.align.questions import QuestionColumns, make_questions
from karat.data.questions import Questions
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, question_formats
from karat.formats.rows import read_rows, take_columns, write_rows

QUESTION_IDS = ("qid", "question_id", "id")
"""What the id of a question is called, in this table and in those of answers and verdicts."""
ROLES = {
    "id": QUESTION_IDS,
    "series": ("series", "series_id"),
    "target": ("target",),
    "kind": ("kind",),
    "type": ("type",),
    "question": ("question", "text"),
}


def sniff(head: Head) -> Fit:
    """Certain of a column of ids and one of questions; a column `text` may as well be that of pairs."""
    if head.is_parquet:
        return Fit.POSSIBLE
    if not head.fields.intersection(ROLES["id"]):
        return Fit.NO
    return Fit.CERTAIN if "question" in head.fields else Fit.POSSIBLE if "text" in head.fields else Fit.NO


def write(questions: Questions, suffix: str = ".tsv") -> bytes:
    """Questions in order, each with the series it is in."""
    series = {one.id: one for one in questions.series}
    homes = [series.get(question.series or "") for question in questions.questions]
    return write_rows(
        {
            "id": [question.id for question in questions.questions],
            "series": [question.series or "" for question in questions.questions],
            "target": ["" if home is None else home.target for home in homes],
            "kind": ["" if home is None else home.kind or "" for home in homes],
            "type": [question.type for question in questions.questions],
            "question": [question.text for question in questions.questions],
        },
        suffix,
    )


@question_formats.register("table", sniff=sniff, write=write, what="questions as TSV, CSV, JSON lines or Parquet")
def read(document: Document, against: None, problems: Problems) -> Questions | None:
    """Read questions with named columns."""
    del against
    rows = read_rows(document, problems)
    if rows is None:
        return None
    taken = take_columns(rows, document.name, ROLES, problems, optional=("series", "target", "kind", "type"))
    if taken is None:
        return None
    typed = any(name in rows.columns for name in ROLES["type"])
    columns = QuestionColumns(
        file=document.name,
        source=document.source,
        ids=taken["id"],
        types=taken["type"] if typed else ["FACTOID"] * len(rows.lines),
        texts=[" ".join(text.split()) for text in taken["question"]],
        lines=rows.lines,
        series=taken["series"],
        targets=[" ".join(target.split()) for target in taken["target"]],
        kinds=taken["kind"],
    )
    return make_questions(columns, problems)
