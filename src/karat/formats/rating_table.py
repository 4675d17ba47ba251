"""Ratings as rows: run, unit, assessor, and one column per criterion (CSV, TSV, JSON lines, Parquet)."""

from __future__ import annotations

from karat.align.columns import Columns, texts_of
from karat.align.ratings import make_ratings
from karat.data.parameters import checked
from karat.data.ratings import Ratings
from karat.errors import Problems
from karat.formats.documents import Document, FilePath
from karat.formats.registry import rating_formats, read_one
from karat.formats.rows import Col, read_rows, take_columns
from karat.formats.sniffing import anything

RATING_COLUMNS = {
    "run": Col(("run", "system", "run_id")),
    "unit": Col(("unit", "qid", "question", "id", "pair", "topic")),
    "assessor": Col(("assessor", "judge", "rater", "annotator")),
}
ROLE_NAMES = {name for column in RATING_COLUMNS.values() for name in column.names}


@checked
def read_ratings(path: FilePath) -> Ratings:
    """All columns except run, unit and assessor are criteria; empty cells were not rated."""
    return read_one(rating_formats, path, make_ratings)


@rating_formats.register("table", sniff=anything, what="run, unit, assessor, and one column per criterion")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the three columns; all others are criteria."""
    rows = read_rows(document, problems)
    if rows is None or problems.failed(document.name):
        return None
    taken = take_columns(rows, RATING_COLUMNS, problems)
    for role, column in RATING_COLUMNS.items():
        if len(played := [name for name in column.names if name in rows.values]) > 1:  # neither can be a criterion
            found, what = f"columns {' and '.join(played)}", f"one column that is the {role}"
            problems.add("columns", found, file=document.name, line=1, what=what)
    if taken is not None:
        taken.facts = {"criteria": {name: texts_of(rows, name) for name in rows.values if name not in ROLE_NAMES}}
    return taken
