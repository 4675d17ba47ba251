"""CSV: every number, one per row, with twelve digits; undefined is empty.

There is no line for the signature: CSV has no comments, and a reader would take it for the header or a row. JSON, LaTeX
and HTML of the same result have it.
"""

from __future__ import annotations

from karat.data.fields import rounded
from karat.data.result import Cell, Result, Sheet
from karat.files import csv_text, guarded_cell


def render(result: Result) -> str:
    """All records of the result as comma-separated values with a header."""
    return table(result, result.records())


def table(_: Result, sheet: Sheet) -> str:
    """One sheet of the result in the same way."""
    rows = zip(*(column.values for column in sheet.columns), strict=True)
    return csv_text((column.name for column in sheet.columns), (map(_cell, row) for row in rows))


def _cell(value: Cell) -> Cell:
    if isinstance(value, float):
        return None if value != value else rounded(value)
    cell: Cell = guarded_cell(value)
    return cell
