"""Sheets that people fill in: CSV, TSV, or a spreadsheet in which cells with few possible values offer them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from karat.errors import UsageError
from karat.files import write_whole
from karat.formats.ballots import CONTROL
from karat.formats.documents import FilePath
from karat.formats.rows import write_rows

NEEDS_EXCEL = "a spreadsheet needs openpyxl: pip install 'karat[excel]', or write .csv or .tsv"
ENDINGS = (".xlsx", ".csv", ".tsv")
WIDE, NARROW, WIDEST_CELL = 60, 16, 24
"""Widths of columns, in characters; longer texts than the last have a wide one."""
MOST_CHOICES = 255
"""The most characters of all values that a cell can offer."""
LONG_AGO = datetime(2000, 1, 1)
"""The date in every spreadsheet, so that the same data give the same bytes."""


def write_sheet(path: FilePath, columns: Mapping[str, Sequence[str]], choices: Mapping[str, Sequence[str]]) -> None:
    """Write a sheet; `choices` are the values that a column can have, which a spreadsheet offers and checks."""
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise UsageError(f"cannot write a sheet as {suffix or 'a file without an ending'}: use .xlsx, .csv or .tsv")
    plain = {name: [CONTROL.sub(" ", value) for value in values] for name, values in columns.items()}
    write_whole(path, _spreadsheet(plain, choices) if suffix == ".xlsx" else write_rows(plain, suffix))


def _spreadsheet(columns: Mapping[str, Sequence[str]], choices: Mapping[str, Sequence[str]]) -> bytes:
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
            cell.data_type = "s"  # a text that begins with = is no formula
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        sheet.cell(1, place).font = Font(bold=True)
        longest = max(map(len, [name, *values]))
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
