"""Tables as files: CSV, TSV, JSON lines, Parquet or a spreadsheet, which may offer values to fill in."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from karat.errors import UsageError
from karat.files import csv_text, guarded_cell, write_whole
from karat.formats.documents import FilePath
from karat.formats.parquet import NEEDS_POLARS

NEEDS_EXCEL = "a spreadsheet needs openpyxl: pip install 'karat[excel]', or write .csv"
CONTROL = re.compile("[\\x00-\\x1f\\x7f]")
ENDINGS = (".xlsx", ".csv", ".tsv")
WIDE, NARROW, WIDEST_CELL = 60, 16, 24
"""Widths of columns, in characters; longer texts than the last have a wide one."""
MOST_CHOICES = 255
"""The most characters of all values that a cell can offer."""
QUOTED = re.compile(r'"(?:[^"]|"")*"')
QUOTE, TWO = '"', '""'
LONG_AGO = datetime(2000, 1, 1)
"""The date in every spreadsheet, so that the same data give the same bytes."""


def write_rows(columns: Mapping[str, Sequence[Any]], suffix: str) -> bytes:
    """Columns as CSV, TSV, JSON lines, Parquet or a spreadsheet, by the suffix of the file."""
    if suffix == ".parquet":
        try:
            import polars  # here: loading it takes longer than most commands
        except ImportError:
            raise UsageError(NEEDS_POLARS) from None
        buffer = io.BytesIO()
        polars.DataFrame({name: list(values) for name, values in columns.items()}).write_parquet(buffer)
        return buffer.getvalue()
    if suffix == ".xlsx":
        return _spreadsheet({name: list(map(_of_spreadsheet, values)) for name, values in columns.items()}, {})
    rows = zip(*columns.values(), strict=True)
    if suffix in (".jsonl", ".ndjson"):
        lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)
        return "".join(lines).encode()
    if suffix == ".csv":
        return csv_text(columns, (map(guarded_cell, row) for row in rows)).encode()
    if suffix in (".tsv", ".txt"):
        cells = [list(map(_cell, row)) for row in (columns, *rows)]
        tabbed = ["\t".join(row) for row in cells]
        if quotes(tabbed):  # what stands there would be read as quoted: then it is
            tabbed = ["\t".join(f'"{cell.replace(QUOTE, TWO)}"' for cell in row) for row in cells]
        return "".join(line + "\n" for line in tabbed).encode()
    raise UsageError(f"cannot write {suffix or 'a file without suffix'}: use .csv, .tsv, .jsonl, .xlsx or .parquet")


def quotes(lines: list[str]) -> bool:
    """Whether a tab-separated file quotes as CSV does: all headings, or all fields with a quote, doubling those inside.

    Elsewhere a quote is a character like others, and may begin a text that does not end with one.
    """
    if all(QUOTED.fullmatch(heading) for heading in next(iter(lines), "").split("\t")):
        return True
    fields = [field for line in lines if '"' in line for field in line.split("\t") if '"' in field]
    return any('""' in field[1:-1] for field in fields) and all(map(QUOTED.fullmatch, fields))


def _of_spreadsheet(value: Any) -> str | int | float | None:
    """A number as it is, and anything else as text without characters that a spreadsheet cannot contain."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return None if value != value else value
    return CONTROL.sub(" ", str(value))


def _cell(value: Any) -> str:
    """A value in a tab-separated line, which cannot contain tabs or line breaks."""
    flat = re.sub(r"[\t\r\n]+", " ", value) if isinstance(value, str) else value
    return "" if value is None else str(guarded_cell(flat))


def write_sheet(path: FilePath, columns: Mapping[str, Sequence[str]], choices: Mapping[str, Sequence[str]]) -> None:
    """Write a sheet; `choices` are the values that a column can have, which a spreadsheet offers and checks."""
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise UsageError(f"cannot write a sheet as {suffix or 'a file without an ending'}: use .xlsx, .csv or .tsv")
    plain = {name: [CONTROL.sub(" ", value) for value in values] for name, values in columns.items()}
    write_whole(path, _spreadsheet(plain, choices) if suffix == ".xlsx" else write_rows(plain, suffix))


def _spreadsheet(columns: Mapping[str, Sequence[Any]], choices: Mapping[str, Sequence[str]]) -> bytes:
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Alignment, Font, PatternFill
        from openpyxl.utils import get_column_letter
        from openpyxl.worksheet.datavalidation import DataValidation
    except ImportError:
        raise UsageError(NEEDS_EXCEL) from None
    book = Workbook()
    book.properties.created = book.properties.modified = LONG_AGO
    sheet = book.active
    sheet.title, sheet.freeze_panes = "sheet", "B2"
    for place, (name, values) in enumerate(columns.items(), 1):
        letter = get_column_letter(place)
        for row, value in enumerate([name, *values], 1):
            cell = sheet.cell(row, place)
            cell.value = value
            if isinstance(value, str):
                cell.data_type = "s"  # a text that begins with = is no formula
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        sheet.cell(1, place).font = Font(bold=True)
        longest = max(len(str(value)) for value in [name, *values])
        sheet.column_dimensions[letter].width = WIDE if longest > WIDEST_CELL else NARROW
        if name in choices:
            sheet.cell(1, place).fill = PatternFill("solid", fgColor="FFF2CC")
            offered = f'"{",".join(choices[name])}"'
            if (
                choices[name]
                and len(offered) <= MOST_CHOICES
                and not any("," in one or '"' in one for one in choices[name])
            ):
                one_of = DataValidation(type="list", formula1=offered, allow_blank=True, showErrorMessage=True)
                one_of.error = f"one of {', '.join(choices[name])}"
                one_of.add(f"{letter}2:{letter}{max(len(values), 1) + 1}")
                sheet.add_data_validation(one_of)
    made = io.BytesIO()
    book.save(made)
    return _undated(made.getvalue())


def _undated(raw: bytes) -> bytes:
    """The same archive without the time at which it was written."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":  # openpyxl writes the time of saving, whatever is set
                data = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2000-01-01T00:00:00Z", data)
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return made.getvalue()
