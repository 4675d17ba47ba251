"""One table of a result, with the columns, the caption and the label that a paper wants."""

from __future__ import annotations

import re
from dataclasses import replace

from karat.data.result import Column, Result, Sheet
from karat.errors import UsageError


def selected(result: Result, table: str | None, columns: str = "", caption: str = "") -> tuple[Result, Sheet, Sheet]:
    """A table, with the part of the result that it belongs to, as it is there and as it is to be shown."""
    sheet = _one_table(result, table, columns)
    part = next((one.result for one in result.chapters() if any(sheet is had for had in one.result.sheets())), result)
    places = _check(sheet.columns, columns) if columns else range(len(sheet.columns))
    return part, sheet, replace(sheet.with_columns(places), title=caption or sheet.title)


def _one_table(result: Result, table: str | None, columns: str) -> Sheet:
    """The table with this number or title; without one the only table, or the first that has the columns."""
    if table is not None:
        return result.sheet_named(table)
    sheets = result.every_sheet()
    having = [sheet for sheet in sheets if columns and not isinstance(_places(sheet.columns, columns), str)]
    if having:
        return having[0]
    if len(sheets) == 1:
        return sheets[0]
    if columns:
        _check(tuple(column for sheet in sheets for column in sheet.columns), columns)
        raise UsageError(f"no table has all of the columns {columns}")
    raise UsageError("a caption and a label belong to one table: say which, as --table 1")


def _check(there: tuple[Column, ...], columns: str) -> list[int]:
    """Where the columns with these headings are, if all are there."""
    places = _places(there, columns)
    if isinstance(places, str):
        raise UsageError.unknown("column", places, list(dict.fromkeys(column.name for column in there)))
    return places


def _places(there: tuple[Column, ...], columns: str) -> list[int] | str:
    """Where the columns with these headings are, or the first heading that is not there.

    Headings may contain commas, so the longest that fits is taken.
    """
    parts, found = columns.split(","), []
    while parts:
        for count in range(len(parts), 0, -1):
            if places := _headed(there, ",".join(parts[:count]).strip().casefold()):
                found += places
                parts = parts[count:]
                break
        else:
            return parts[0].strip()
    return found


def _headed(columns: tuple[Column, ...], name: str) -> list[int]:
    """The columns with this heading, or the only one whose heading begins like it."""
    names = [column.name.casefold() for column in columns]
    begun = [place for place, one in enumerate(names) if name and one.startswith(name)]
    return [place for place, one in enumerate(names) if one == name] or (begun if len(begun) == 1 else [])


def checked_label(label: str) -> str:
    """A label that LaTeX accepts."""
    if label and not re.fullmatch(r"[A-Za-z0-9:._/+-]+", label):
        raise UsageError(f"{label!r} is no label: use letters, digits and : . _ / + - (as tab:results)")
    return label
