"""Questions as rows: TSV, CSV, JSON lines or Parquet with columns id, series, target, kind, type, question.

Only id and question are required: without `series` questions are single, without `type` all are factoids. A series of
NTCIR has the kind `gathering` or `browsing`, and all its questions have the type LIST.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.align.questions import QUESTION_IDS
from karat.data.questions import Questions
from karat.formats.registry import Fit, best_of, has_columns, question_formats
from karat.formats.rows import Col, declare_table

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
