"""A table of judges: a row each, with their attributes and what they said in closing."""

from __future__ import annotations

from karat.data.arguments import checked
from karat.data.ratings import Judges
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document
from karat.formats.rating_table import ROLES
from karat.formats.rows import read_rows, take_columns, text_of

SUMMARY = "summary"
"""The column that holds what a judge said in closing; every other beside the name is an attribute."""


@checked
def read_judges(path: FilePath) -> Judges:
    """Judges by name; an empty cell is no value."""
    problems = Problems()
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    taken = None
    if document is not None and rows is not None:
        taken = take_columns(rows, document.name, {"assessor": ROLES["assessor"]}, problems)
    problems.raise_errors()
    assert document is not None
    assert rows is not None
    assert taken is not None
    names = taken["assessor"]
    met: dict[str, int | None] = {}
    for name, line in zip(names, rows.lines, strict=True):
        if not name:
            problems.add("no-id", "a judge without a name", file=document.name, line=line)
        if name in met:
            problems.add(
                "duplicate-id", f"judge {name!r} again (first in line {met[name]})", file=document.name, line=line
            )
        met.setdefault(name, line)
    if not names:
        problems.add("empty-file", "no judges", file=document.name, what="a row a judge")
    problems.raise_errors()
    role = next(name for name in ROLES["assessor"] if name in rows.columns)
    cells = {
        name: tuple((text_of(cell) or "").strip() or None for cell in rows.columns[name])
        for name in rows.header
        if name != role
    }
    summaries = cells.pop(SUMMARY, (None,) * len(names))
    return Judges(tuple(names), cells, summaries, document.source, problems.warnings)
