"""Ratings as rows: run, unit, assessor, and one column per criterion (CSV, TSV, JSON lines, Parquet)."""

from __future__ import annotations

import math

import numpy as np

from karat.align.columns import Columns, seen_before
from karat.data.cells import as_number
from karat.data.parameters import checked
from karat.data.ratings import Ratings
from karat.errors import Problems
from karat.formats.documents import Document, FilePath
from karat.formats.registry import anything, rating_formats, read_one
from karat.formats.rows import Col, read_rows, take_columns, texts_of

COLUMNS = {
    "run": Col(("run", "system", "run_id")),
    "unit": Col(("unit", "qid", "question", "id", "pair", "topic")),
    "assessor": Col(("assessor", "judge", "rater", "annotator")),
}
ROLE_NAMES = {name for column in COLUMNS.values() for name in column.names}


@checked
def read_ratings(path: FilePath) -> Ratings:
    """All columns except run, unit and assessor are criteria; empty cells were not rated."""
    return read_one(rating_formats, path, _ratings)


@rating_formats.register("table", sniff=anything, write=None, what="run, unit, assessor, and one column per criterion")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the three columns; all others are criteria."""
    rows = read_rows(document, problems)
    if rows is None or problems.failed(document.name):
        return None
    taken = take_columns(rows, COLUMNS, problems)
    for role, column in COLUMNS.items():
        if len(played := [name for name in column.names if name in rows.values]) > 1:  # neither can be a criterion
            found, what = f"columns {' and '.join(played)}", f"one column that is the {role}"
            problems.add("columns", found, file=document.name, line=1, what=what)
    if taken is not None:
        taken.facts = {"criteria": {name: texts_of(rows, name) for name in rows.values if name not in ROLE_NAMES}}
    return taken


def _ratings(columns: Columns, problems: Problems) -> Ratings | None:
    if problems.failed(columns.file):
        return None
    criteria = columns.facts["criteria"]
    if not criteria or not len(columns):
        what = "one row per rated answer, with one column per criterion"
        problems.add("empty-file", "no ratings", file=columns.file, what=what)
    values = np.full((len(columns), len(criteria)), np.nan)
    for at, (name, texts) in enumerate(criteria.items()):
        for row, text in enumerate(texts):
            values[row, at] = number = as_number(text)
            if text and not math.isfinite(number):
                columns.report(problems, "score", f"{name} {text!r}", row)
    met: dict[tuple[str, ...], int | None] = {}
    keys = list(zip(*(columns[role] for role in COLUMNS), strict=True))
    for row, key in enumerate(keys):
        if not all(key):
            columns.report(problems, "no-id", "a rating without run, unit or assessor", row)
        if (first := seen_before(met, key, columns.lines[row])) is not None:
            found = f"run {key[0]!r} on {key[1]!r} rated again by {key[2]!r}{first}"
            columns.report(problems, "duplicate-id", found, row)
    if problems.failed(columns.file):
        return None
    return Ratings.of(keys, list(criteria), values, sources=(columns.source,))
