"""CSV: every number, one per row, with twelve digits; undefined is empty.

There is no line for the signature: CSV has no comments, and a reader would take it for the header or a row. JSON, LaTeX
and HTML of the same result have it.
"""

from __future__ import annotations

import csv
import io

from karat.data.fields import rounded
from karat.data.result import Cell, Result, Sheet
from karat.files import guarded_cell


def render(result: Result) -> str:
    """All records of the result as comma-separated values with a header."""
    return table(result, result.records())


def table(_: Result, sheet: Sheet) -> str:
    """One sheet of the result in the same way."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([_cell(column.name) for column in sheet.columns])  # a heading may be the name of a run
    for row in zip(*(column.values for column in sheet.columns), strict=True):
        writer.writerow([_cell(value) for value in row])
    return buffer.getvalue()


def _cell(value: Cell) -> Cell:
    if isinstance(value, float):
        return None if value != value else rounded(value)
    cell: Cell = guarded_cell(value)
    return cell
