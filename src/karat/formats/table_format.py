"""Formats that are tables: recognising, reading and writing follow from their declared columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.align.columns import Columns
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, Formats, Sniff
from karat.formats.rows import find_column, lacking, read_rows, texts_of, write_rows


class WrongCell(Exception):  # noqa: N818 - a cell is wrong, the reader is not
    """An invalid cell: the code of its problem, what was found, and the value to use instead."""

    def __init__(self, code: str, found: str, value: Any = None, **facts: str) -> None:
        super().__init__(code, found, value, facts)


@dataclass(frozen=True)
class Col:
    """A column of a table: its possible names, whether it is required, and how its cells are read."""

    names: tuple[str, ...]
    needed: bool = True
    kind: Callable[[str], Any] | None = None
    """Converts a text to a value; by default texts stay as they are. A `WrongCell` is reported."""


def declare_table(
    formats: Formats,
    columns: Mapping[str, Col],
    *,
    what: str,
    sniff: Sniff,
    cells: Callable[[Any], dict[str, Sequence[Any]]] | None = None,
    finish: Callable[[Columns, Problems], None] | None = None,
) -> None:
    """Register a table as a format; `cells` returns the columns to write, and `finish` works on several columns."""

    def write(noun: Any, suffix: str = ".tsv") -> bytes:
        assert cells is not None
        return write_rows(cells(noun), suffix)

    @formats.register("table", sniff=sniff, write=cells and write, what=what)
    def read(document: Document, _: object, problems: Problems) -> Columns | None:
        rows = read_rows(document, problems)
        taken = None if rows is None else take_columns(rows, columns, problems)
        if taken is not None and finish is not None:
            finish(taken, problems)
        return taken


def certain_of(*needed: Col) -> Sniff:
    """Certain of files with all of these columns; the columns of Parquet are not known in advance."""

    def sniff(head: Head) -> Fit:
        if head.is_parquet:
            return Fit.POSSIBLE
        return Fit.CERTAIN if all(head.fields.intersection(column.names) for column in needed) else Fit.NO

    return sniff


def take_columns(rows: Columns, columns: Mapping[str, Col], problems: Problems) -> Columns | None:
    """The declared columns of a table, by role; None if a required one is missing."""
    found = {role: find_column(rows, role, column.names, problems) for role, column in columns.items()}
    missing = [columns[role] for role, name in found.items() if name is None and columns[role].needed]
    for column in missing:
        has, what = lacking(rows, column.names)
        problems.add("columns", has, file=rows.file, line=1, what=what)
    if missing:
        return None
    taken = Columns(
        rows.source, {role: texts_of(rows, name) for role, name in found.items() if name is not None}, rows.lines
    )
    for role, column in columns.items():
        if role in taken.values and column.kind is not None:
            taken.values[role] = _values(taken, role, column.kind, problems)
    return taken


def _values(taken: Columns, role: str, kind: Callable[[str], Any], problems: Problems) -> list[Any]:
    values = []
    for row, text in enumerate(taken[role]):
        try:
            values.append(kind(text))
        except WrongCell as wrong:
            code, found, value, facts = wrong.args
            taken.report(problems, code, found, row, role, **facts)
            values.append(value)
    return values
