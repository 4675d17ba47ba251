"""Ratings as rows: run, unit, assessor, and one column per criterion (CSV, TSV, JSON lines, Parquet)."""

from __future__ import annotations

from karat.align.ratings import make_ratings
from karat.data.parameters import checked
from karat.data.ratings import Ratings
from karat.formats.documents import FilePath
from karat.formats.registry import rating_formats, read_one
from karat.formats.rows import Col, declare_table
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


declare_table(
    rating_formats,
    RATING_COLUMNS,
    what="run, unit, assessor, and one column per criterion",
    sniff=anything,
    rest=True,
)
