"""A table of judges: one row per judge, with attributes and a closing comment."""

from __future__ import annotations

from karat.align.columns import Columns, texts_of
from karat.align.ratings import make_judges
from karat.data.parameters import checked
from karat.data.ratings import Judges
from karat.errors import Problems
from karat.formats.documents import Document, FilePath
from karat.formats.rating_table import RATING_COLUMNS
from karat.formats.registry import judge_formats, read_one
from karat.formats.rows import read_rows, take_columns
from karat.formats.sniffing import anything


@checked
def read_judges(path: FilePath) -> Judges:
    """Judges by name; an empty cell is a missing value."""
    return read_one(judge_formats, path, make_judges)


@judge_formats.register("table", sniff=anything, what="one row per judge, with attributes and a summary")
def read(document: Document, _: object, problems: Problems) -> Columns | None:
    """Read the names; all other columns are attributes."""
    rows = read_rows(document, problems)
    taken = None if rows is None else take_columns(rows, {"assessor": RATING_COLUMNS["assessor"]}, problems)
    if rows is None or taken is None or problems.failed(document.name):
        return None
    role = next(name for name in RATING_COLUMNS["assessor"].names if name in rows.values)
    taken.facts = {"cells": {name: texts_of(rows, name) for name in rows.values if name != role}}
    return taken
