"""Ratings as rows: run, unit, assessor, and a column a criterion (CSV, TSV, JSON lines, Parquet)."""

from __future__ import annotations

import math

import numpy as np

from karat.data.arguments import checked
from karat.data.numbers import as_number
from karat.data.ratings import Ratings
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document
from karat.formats.rows import read_rows, take_columns, text_of, write_rows

ROLES = {
    "run": ("run", "system", "run_id"),
    "unit": ("unit", "qid", "question", "id", "pair", "topic"),
    "assessor": ("assessor", "judge", "rater", "annotator"),
}


@checked
def read_ratings(path: FilePath) -> Ratings:
    """Every column beside run, unit and assessor is a criterion; an empty cell was not rated."""
    problems = Problems()
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    problems.raise_errors()
    assert document is not None
    assert rows is not None
    taken = take_columns(rows, document.name, ROLES, problems)
    for role, names in ROLES.items():
        if len(played := [name for name in names if name in rows.columns]) > 1:  # neither is a criterion
            found, what = f"columns {' and '.join(played)}", f"one column that is the {role}"
            problems.add("columns", found, file=document.name, line=1, what=what)
    problems.raise_errors()
    assert taken is not None
    named = {name for names in ROLES.values() for name in names}
    criteria = [name for name in rows.header if name not in named]
    if not criteria or not rows.lines:
        what = "a row a rated answer, with a column for each criterion"
        problems.add("empty-file", "no ratings", file=document.name, what=what)
    values = np.full((len(rows.lines), len(criteria)), np.nan)
    for at, name in enumerate(criteria):
        for row, cell in enumerate(rows.columns[name]):
            text = (text_of(cell) or "").strip()
            values[row, at] = number = as_number(text)
            if text and not math.isfinite(number):
                line = rows.lines[row]
                problems.add("score", f"{name} {text!r}", file=document.name, line=line)
    met: dict[tuple[str, ...], int | None] = {}
    for row, key in enumerate(zip(*taken.values(), strict=True)):
        if not all(key):
            problems.add("no-id", "a rating without run, unit or assessor", file=document.name, line=rows.lines[row])
        if key in met:
            found = f"run {key[0]!r} on {key[1]!r} rated again by {key[2]!r} (first in line {met[key]})"
            problems.add("duplicate-id", found, file=document.name, line=rows.lines[row])
        met.setdefault(key, rows.lines[row])
    problems.raise_errors()
    keys = list(zip(*taken.values(), strict=True))
    return Ratings.of(keys, criteria, values, sources=(document.source,), warnings=problems.warnings)


def write_ratings(ratings: Ratings, suffix: str = ".tsv") -> bytes:
    """The ratings as rows."""
    columns = {
        "run": [ratings.runs[one] for one in ratings.run],
        "unit": [ratings.units[one] for one in ratings.unit],
        "assessor": [ratings.assessors[one] for one in ratings.assessor],
    }
    cells = {name: [None if v != v else v for v in ratings.criterion(name).tolist()] for name in ratings.criteria}
    return write_rows(columns | cells, suffix)
