"""Rows of JSON lines and of delimited files, one after the other, with what is wrong with those that cannot be read."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, NamedTuple

from karat.align.columns import Columns
from karat.errors import Problems, counted
from karat.formats.documents import MAX_LINE, Document, readable_size
from karat.formats.json_objects import object_in
from karat.formats.rows import csv_error, plain_cells

LONGEST = 4 * MAX_LINE
"""Bytes of the longest line."""


class ReadRow(NamedTuple):
    """A row as it was found: an object, or fields; or what is wrong with it."""

    line: int | None
    cells: Any
    wrong: str = ""


def file_error(file: str, code: str, found: str, what: str = "") -> Exception:
    """The error of a file that cannot be read further."""
    problems = Problems()
    problems.add(code, found, file=file, what=what, limit=f"{MAX_LINE:,} characters")
    try:
        problems.raise_errors()
    except Exception as error:
        return error
    raise AssertionError(code)


class TextLines:
    """The lines of a file without their ends; bytes that are no UTF-8 become single surrogates."""

    def __init__(self, name: str, file: Any) -> None:
        self.name, self.number, self.ended = name, 0, True
        self._file = file

    def __iter__(self) -> Iterator[str]:
        for line in iter(lambda: self._file.readline(LONGEST), b""):
            self.number += 1
            self.ended = line.endswith(b"\n")
            if not self.ended and len(line) == LONGEST:
                raise file_error(self.name, "line-too-long", f"a line of more than {readable_size(LONGEST)}")
            text = line.decode("utf-8-sig" if self.number == 1 else "utf-8", "surrogateescape")
            yield text.removesuffix("\n").removesuffix("\r")

    def check(self, row: ReadRow) -> ReadRow:
        """A row, unless it is wrong because the file ends in it."""
        if row.wrong and not self.ended:
            raise file_error(
                self.name, "cut-off", f"a file that ends in the middle of line {self.number:,} ({row.wrong})"
            )
        return row


def objects_in(lines: TextLines) -> Iterator[ReadRow]:
    """The object on each line."""
    for line in lines:
        if not line.strip():
            continue
        try:
            _check_utf_8(line)
            yield ReadRow(lines.number, object_in(line))
        except ValueError as error:
            yield lines.check(ReadRow(lines.number, None, str(error)))


def _check_utf_8(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError("bytes that are no UTF-8") from None


def fields_in(lines: TextLines, delimiter: str) -> Iterator[ReadRow]:
    """The fields of each row, with quotes read as CSV has them; without a delimiter, whatever stands between tabs."""
    if not delimiter:
        for line in lines:
            if line.strip():
                yield ReadRow(lines.number, line.split("\t"))
        return
    reader = csv.reader((line + "\n" for line in lines), strict=True, delimiter=delimiter)
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            told = csv_error(error, reader.line_num)
            row = lines.check(ReadRow(start, None, told))
            if reader.line_num > start:  # the quote is never closed: what follows may be inside it
                raise file_error(lines.name, "quoting", f"{told} (line {start:,})") from None
            yield row
        else:
            if cells:
                yield ReadRow(start, cells)


def columns_of_rows(
    head: Document, header: list[str] | None, piece: list[ReadRow], lines: TextLines
) -> tuple[Columns, list[tuple[int, ReadRow]]]:
    """Rows as columns, and by their places those that do not fit."""
    wrong: list[tuple[int, ReadRow]] = []
    kept: list[ReadRow] = []
    for at, row in enumerate(piece):
        told = row.wrong
        if header is not None and not told:
            told = _fault(row.cells, len(header))
            lines.check(ReadRow(row.line, None, told)) if at == len(piece) - 1 else None
        if told:
            wrong.append((at, ReadRow(row.line, None, told)))
        else:
            kept.append(row)
    numbers = [row.line for row in kept]
    if header is None:
        names = dict.fromkeys(key for row in kept for key in row.cells)
        return Columns(head.source, {key: [row.cells.get(key) for row in kept] for key in names}, numbers), wrong
    cells = zip(*(row.cells for row in kept), strict=True) if kept else [()] * len(header)
    values = plain_cells(dict(zip(header, cells, strict=True)), head.head.delimiter)
    return Columns(head.source, dict(values), numbers), wrong


def _fault(cells: list[str], wanted: int) -> str:
    if len(cells) != wanted:
        return f"{counted(len(cells), 'field')}; expected {wanted} as in the header"
    try:
        _check_utf_8("".join(cells))
    except ValueError as error:
        return str(error)
    return ""
