"""What classifiers of Hugging Face return for a text: a label with its score, or a list of all labels with theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from karat.align.columns import PROBABILITY_FIELDS, Columns, parsed

LABEL, SCORE = "label", "score"


def opened(rows: Columns) -> Columns:
    """A table in which such objects are columns: the answer and its confidence, or the probabilities of all labels."""
    values: dict[str, Any] = {}
    for name, column in rows.values.items():
        cells = [parsed(cell) for cell in column] if _is_output(column) else []
        if cells and all(map(_is_scored, cells)):
            values[name] = [cell[LABEL] for cell in cells]
            values.setdefault("confidence", [cell[SCORE] for cell in cells])
        elif cells and all(isinstance(cell, list) and cell and all(map(_is_scored, cell)) for cell in cells):
            values[PROBABILITY_FIELDS[0]] = [{one[LABEL]: one[SCORE] for one in cell} for cell in cells]
        else:
            values[name] = column
    return replace(rows, values=values)


def _is_output(column: Any) -> bool:
    """Whether the first cell is such an object: most columns are none, and are looked at no further."""
    first = parsed(column[0]) if len(column) else None
    return _is_scored(first) or (isinstance(first, list) and bool(first) and _is_scored(first[0]))


def _is_scored(cell: Any) -> bool:
    return isinstance(cell, dict) and cell.keys() == {LABEL, SCORE} and isinstance(cell[LABEL], str)
