"""A table of judges: one row per judge, with attributes and a closing comment."""

from __future__ import annotations

from karat.align.columns import Columns, seen_before
from karat.data.parameters import checked
from karat.data.ratings import Judges
from karat.errors import Problems
from karat.formats.documents import Document, FilePath
from karat.formats.rating_table import COLUMNS
from karat.formats.registry import anything, judge_formats, read_one
from karat.formats.rows import read_rows, take_columns, texts_of

SUMMARY = "summary"
"""The column of closing comments; all others except the name are attributes."""


@checked
def read_judges(path: FilePath) -> Judges:
    """Judges by name; an empty cell is a missing value."""
    return read_one(judge_formats, path, _judges)


@judge_formats.register("table", sniff=anything, write=None, what="one row per judge, with attributes and a summary")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the names; all other columns are attributes."""
    rows = read_rows(document, problems)
    taken = None if rows is None else take_columns(rows, {"assessor": COLUMNS["assessor"]}, problems)
    if rows is None or taken is None or problems.failed(document.name):
        return None
    role = next(name for name in COLUMNS["assessor"].names if name in rows.values)
    taken.facts = {"cells": {name: texts_of(rows, name) for name in rows.values if name != role}}
    return taken


def _judges(columns: Columns, problems: Problems) -> Judges | None:
    names = columns["assessor"]
    met: dict[str, int | None] = {}
    for row, name in enumerate(names):
        if not name:
            columns.report(problems, "no-id", "a judge without a name", row)
        if (first := seen_before(met, name, columns.lines[row])) is not None:
            columns.report(problems, "duplicate-id", f"judge {name!r} again{first}", row)
    if not names:
        problems.add("empty-file", "no judges", file=columns.file, what="one row per judge")
    if problems.failed(columns.file):
        return None
    cells = {name: tuple(text or None for text in texts) for name, texts in columns.facts["cells"].items()}
    summaries = cells.pop(SUMMARY, (None,) * len(names))
    return Judges(tuple(names), cells, summaries, columns.source)
