"""Tables inside a single JSON object: rows under a usual name or by their ids, a list or an object for each column, or
rows beside their headings."""

from __future__ import annotations

from typing import Any

from karat.align.columns import Columns
from karat.formats.documents import WRAPPERS
from karat.formats.rows import CELLS_PER_BYTE, FREE_CELLS, INDEX

LABEL = "label"
"""What a series without a name is called, since it is alone."""


def unwrapped(rows: Columns) -> Columns:
    """The rows inside a file that is a single object: a list of them under a usual name, or a list for each column."""
    if len(rows) != 1:
        return rows
    cells = {name: column[0] for name, column in rows.values.items()}
    for name in WRAPPERS & cells.keys():
        inner = cells[name]
        if isinstance(inner, list) and inner and all(isinstance(one, dict) for one in inner):
            names = dict.fromkeys(key for one in inner for key in one)
            if len(inner) * len(names) <= max(FREE_CELLS, CELLS_PER_BYTE * sum(map(len, inner))):
                columns = {key: [one.get(key) for one in inner] for key in names}
                return Columns(rows.source, columns, [None] * len(inner))
    if (split := _split(cells)) is not None:
        return Columns(rows.source, split, [None] * len(next(iter(split.values()), [])))
    if (nested := _nested(cells)) is not None:
        return Columns(rows.source, nested, [None] * len(next(iter(nested.values()))))
    lengths = {len(cell) if isinstance(cell, list) else 0 for cell in cells.values()}
    if len(cells) > 1 and len(lengths) == 1 and 0 not in lengths:
        return Columns(rows.source, cells, [None] * lengths.pop())
    return rows


def _split(cells: dict[str, Any]) -> dict[str, list[Any]] | None:
    """The columns of a table of Weights & Biases, or of a data frame or a series that pandas split into its parts."""
    names, data, index = (cells.get(name) for name in ("columns", "data", "index"))
    if cells.keys() == {"name", "index", "data"} and isinstance(data, list):  # a series, which has one column
        names, data = [cells["name"] or LABEL], [[cell] for cell in data]
    if not isinstance(names, list) or not isinstance(data, list) or len(set(map(str, names))) < len(names):
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in data):
        return None
    columns = {str(name): [row[at] for row in data] for at, name in enumerate(names)}
    return ({INDEX[0]: index} if isinstance(index, list) and len(index) == len(data) else {}) | columns


def _nested(cells: dict[str, Any]) -> dict[str, list[Any]] | None:
    """The columns of an object of objects, as pandas writes data frames: for each column its rows, or the reverse.

    Ids that are numbers tell which; otherwise there are more rows than columns.
    """
    inner = next(iter(cells.values()), None)
    if not isinstance(inner, dict) or not inner or any(_is_other(cell, inner) for cell in cells.values()):
        return None
    numbered = [all(map(str.isdecimal, names)) for names in (cells, inner)]
    by_row = numbered[0] if numbered[0] != numbered[1] else len(cells) > len(inner)
    if by_row:
        return {INDEX[0]: list(cells)} | {name: [row[name] for row in cells.values()] for name in inner}
    return {INDEX[0]: list(inner)} | {name: [column[row] for row in inner] for name, column in cells.items()}


def _is_other(cell: Any, like: dict[str, Any]) -> bool:
    """Whether a cell is no object with the same names as another, and with values that are no objects."""
    return (
        not isinstance(cell, dict)
        or cell.keys() != like.keys()
        or any(isinstance(value, dict) for value in cell.values())
    )
