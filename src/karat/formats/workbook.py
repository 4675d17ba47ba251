"""Excel workbooks (.xlsx): the named sheet (`FILE.xlsx#SHEET`), or the first with a table.

The first row below any title is the header.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from karat.align.columns import MAX_TABLE_CELLS, Columns
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, most_unpacked, readable_size
from karat.formats.rows import columns_under_header

NEEDS_OPENPYXL = "Excel workbooks need openpyxl: pip install 'karat[excel]'"


def read_workbook(document: Document, problems: Problems) -> Columns | None:
    """The rows of a workbook, with their numbers as lines; None if it cannot be read, which is reported."""
    if not _is_workbook(document, problems):
        return None
    if find_spec("openpyxl") is None:
        raise UsageError(NEEDS_OPENPYXL)
    import openpyxl  # here: few files are workbooks

    try:
        book = openpyxl.load_workbook(io.BytesIO(document.data), read_only=True, data_only=True)
        filled = [(sheet.title, rows) for sheet in book.worksheets if (rows := list(_rows(sheet)))]
    except _TooLarge:
        limit = f"{MAX_TABLE_CELLS:,} cells"
        problems.add("too-large", f"more than {limit}", file=document.name, limit=limit)
        return None
    except Exception as error:  # openpyxl raises errors of many kinds for damaged files
        problems.add("workbook", f"a workbook that cannot be read ({error})", file=document.name)
        return None
    if not filled:
        problems.add("empty-file", "a workbook without data", file=document.name, what="a sheet with a header and rows")
        return None
    named, names = document.source.sheet, ", ".join(repr(name) for name, _ in filled)
    if named and named not in dict(filled):
        problems.recognise(document.name)
        what, fix = f"a sheet {named!r} with data", f"name one that is there: {document.name.rpartition('#')[0]}#SHEET"
        problems.add("format", f"the sheets {names}", file=document.name, what=what, fix=fix)
        return None
    first, _ = next((sheet for sheet in filled if _is_table(sheet[1])), filled[0])
    if len(filled) > 1 and not named:
        problems.add("several-sheets", f"the sheets {names}; {first!r} was read", file=document.name)
    return columns_under_header(document, _below_title(dict(filled)[named or first]), problems)


class _TooLarge(Exception):  # noqa: N818 - the file is too large, the program is not wrong
    pass


def _rows(sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """The rows that are not empty, each with its number."""
    cells = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        values = [
            value if isinstance(value, bool | int | float | str) or value is None else str(value) for value in row
        ]
        cells += len(values)
        if cells > MAX_TABLE_CELLS:
            raise _TooLarge
        while values and values[-1] is None:
            values.pop()
        if values:
            yield number, values


def _filled(row: list[Any]) -> int:
    return sum(value is not None for value in row)


def _is_table(rows: list[tuple[int, list[Any]]]) -> bool:
    """Whether some row has two cells; a sheet without is a remark, if there is another."""
    return any(_filled(row) > 1 for _, row in rows)


def _below_title(rows: list[tuple[int, list[Any]]]) -> Iterator[tuple[int, list[Any]]]:
    """The rows from the header on, as wide as it: rows with one cell above a table are its title."""
    start = next((at for at, (_, row) in enumerate(rows) if _filled(row) > 1), 0)
    width = len(rows[start][1])
    for number, values in rows[start:]:
        yield number, [*values, *[None] * (width - len(values))]


def _is_workbook(document: Document, problems: Problems) -> bool:
    """Whether a zip file is a workbook, and of a size that can be unpacked."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(document.data)).infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        problems.add("workbook", f"a damaged zip file ({error})", file=document.name)
        return False
    if not any(part.filename.startswith("xl/") for part in parts):
        problems.add("workbook", "a zip file without a workbook in it", file=document.name)
        return False
    limit = most_unpacked(document.data)
    if sum(part.file_size for part in parts) > limit:
        problems.add(
            "too-large", f"more than {readable_size(limit)} unpacked", file=document.name, limit=readable_size(limit)
        )
        return False
    return True
