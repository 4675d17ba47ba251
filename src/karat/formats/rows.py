"""Tables with named columns: CSV with any delimiter, TSV, JSON lines, JSON arrays, Excel workbooks, Parquet.

A format that is a table declares its columns; recognising, reading and writing follow from them.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.align.columns import MAX_TABLE_CELLS, CellPlace, Columns, find_column, lacking, texts_of
from karat.errors import Problems, counted, printable
from karat.files import unguarded_cell
from karat.formats.documents import Document
from karat.formats.json_objects import object_in, unique_keys
from karat.formats.parquet import read_parquet
from karat.formats.registry import Formats
from karat.formats.sniffing import Fit, Sniff, has_columns
from karat.formats.writing import quotes, write_rows

CELLS_PER_BYTE, FREE_CELLS = 2, 1 << 20
"""If every row names its columns: the cells allowed for each byte of the file, and those allowed in any file."""
_BLANK = re.compile(r"\s*")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
ROWS_AT_ONCE = 1000
"""Rows held as lists before they are moved into columns."""
Value = Any
"""A JSON value; delimited files contain only strings."""
INDEX = ("", "Unnamed: 0")
"""What an index written by pandas is called; one that only numbers the rows does not say which pairs they are."""
IDS = (
    *("id", "pair_id", "pairID", "pair_ID", "uid", "guid", "example_id", "instance_id", "item_id", "sample_id"),
    "custom_id",
    *("index", "idx", *INDEX),
)
"""Names of the column of ids."""


RUN_NAMES = ("run", "run_id", "model", "model_name", "model_id", "system", "system_id")
"""Names of a column that says which run a row belongs to."""


def only_numbers_rows(rows: Columns, name: str, given: Mapping[str, str]) -> bool:
    """Whether a column is an index without a name that counts the rows from 0, and the user did not call it ids."""
    return name in INDEX and "id" not in given and texts_of(rows, name) == list(map(str, range(len(rows))))


def in_line(lines: Sequence[int | None]) -> Callable[[int, str], CellPlace]:
    """Places of rows whose cells have no known column in the line."""
    return lambda row, _: (lines[row], None if lines[row] is None else 1)


def read_rows(document: Document, problems: Problems) -> Columns | None:
    """The rows of a file, or None if it cannot be read at all."""
    head = document.head
    if head.is_parquet:
        columns = read_parquet(document, problems)
        rows = len(next(iter((columns or {}).values()), []))
        return None if columns is None else Columns(document.source, columns, [None] * rows)
    if head.is_zip:
        from karat.formats.workbook import read_workbook  # here: few files are workbooks

        return read_workbook(document, problems)
    if head.is_json_array:
        return _json_array(document, problems)
    if head.json_object and (whole := _one_object(document)) is not None:
        return _of_objects(document, [whole], [1], problems)
    lines = document.lines(problems)
    if lines is None:
        return None
    if head.json_object or head.suffix in (".jsonl", ".ndjson"):
        return _json_lines(document, lines, problems)
    return _delimited(document, lines, problems)


def _json_array(document: Document, problems: Problems) -> Columns | None:
    """The objects of a JSON array, each with the line on which it begins."""
    text = document.text(problems)
    if text is None:
        return None
    decode = json.JSONDecoder(object_pairs_hook=unique_keys).raw_decode
    objects: list[dict[str, Value]] = []
    numbers: list[int | None] = []
    place, line = text.index("[") + 1, 1 + text.count("\n", 0, text.index("["))
    try:
        while True:
            start = _BLANK.match(text, place).end()  # type: ignore[union-attr]
            line += text.count("\n", place, start)
            if text[start : start + 1] == "]" and not objects:
                place = start + 1
                break
            value, place = decode(text, start)
            if not isinstance(value, dict):
                raise ValueError(f"{printable(text[start:place])!r} is not an object")
            objects.append(value)
            numbers.append(line)
            line += text.count("\n", start, place)
            after = _BLANK.match(text, place).end()  # type: ignore[union-attr]
            line += text.count("\n", place, after)
            if text[after : after + 1] == "]":
                place = after + 1
                break
            if text[after : after + 1] != ",":
                raise ValueError("a comma is missing, or the array is not closed")
            place = after + 1
        if text[place:].strip():
            raise ValueError("text after the end of the array")
    except (ValueError, RecursionError) as error:
        problems.add("json-array", f"invalid JSON ({error})", file=document.name, line=line, column=1)
        return None
    return _of_objects(document, objects, numbers, problems)


def _one_object(document: Document) -> dict[str, Value] | None:
    """The object of a file that is one JSON object, on one or several lines; None if it is not."""
    head = document.head
    many = head.first_line.rstrip().endswith(("{", "["))
    if not many and (head.suffix != ".json" or b"\n" in document.data.strip()):
        return None
    try:
        value = json.loads(document.text(Problems()) or "", object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _json_lines(document: Document, lines: list[str], problems: Problems) -> Columns | None:
    name = document.name
    objects: list[dict[str, Value]] = []
    numbers: list[int | None] = []
    report_empty_lines(name, lines, problems)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            objects.append(object_in(line))
            numbers.append(number)
        except ValueError as error:
            problems.add("json", str(error), file=name, line=number, column=1)
    return _of_objects(document, objects, numbers, problems)


def _of_objects(
    document: Document, objects: list[dict[str, Value]], lines: list[int | None], problems: Problems
) -> Columns | None:
    header = list(dict.fromkeys(key for value in objects for key in value))
    if too_sparse(document, len(objects), len(header), "different keys", problems):
        return None
    return Columns(document.source, {key: [value.get(key) for value in objects] for key in header}, lines)


def too_sparse(document: Document, rows: int, columns: int, what: str, problems: Problems) -> bool:
    """Whether rows with different columns would make a table much larger than the file, which is reported."""
    limit = min(MAX_TABLE_CELLS, max(FREE_CELLS, CELLS_PER_BYTE * len(document.data)))
    if rows * columns > limit:
        found = f"{rows:,} rows with {columns:,} {what} make {rows * columns:,} cells"
        problems.add("too-large", found, file=document.name, limit=f"{limit:,} cells, or the same columns in every row")
    return rows * columns > limit


def _delimited(document: Document, lines: list[str], problems: Problems) -> Columns | None:
    """A header, and rows with as many fields. Tab-separated files in this field seldom quote; CSV files do."""
    records: Iterable[tuple[int, list[str]]]
    name, delimiter = document.name, document.head.delimiter
    if delimiter == "\t" and not quotes(lines):
        report_empty_lines(name, lines, problems)
        records = ((number, line.split("\t")) for number, line in enumerate(lines, 1) if line.strip())
    else:
        records = _csv_records(name, lines, delimiter, problems)
    columns = columns_under_header(document, iter(records), problems)
    if columns is not None:
        columns.values = plain_cells(columns.values, delimiter)
    return columns


def plain_cells(columns: Mapping[str, Iterable[str]], delimiter: str) -> dict[str, list[str]]:
    """The cells of a delimited file as they are meant: without guards of formulas, and with points in numbers."""
    plain = {}
    for column, values in columns.items():
        cells = list(values)
        plain[unguarded_cell(column).strip()] = list(map(unguarded_cell, cells)) if "'" in "".join(cells) else cells
    if delimiter == ";":
        # Programs that write semicolons between fields write commas in numbers.
        for values in plain.values():
            values[:] = [value.replace(",", ".") if _DECIMAL_COMMA.fullmatch(value) else value for value in values]
    return plain


def columns_under_header(
    document: Document, records: Iterator[tuple[int, list[Value]]], problems: Problems
) -> Columns | None:
    """A table whose first record is the header; records of another length are reported."""
    name = document.name
    header = ["" if column is None else str(column).strip() for column in next(records, (1, []))[1]]
    if doubled := [column for column, times in Counter(map(unguarded_cell, header)).items() if times > 1]:
        found = f"several columns called {', '.join(sorted(map(repr, doubled)))}"
        problems.add("columns", found, file=name, line=1, what="columns of different names")
        return None
    columns: list[list[Value]] = [[] for _ in header]
    kept: list[list[Value]] = []
    numbers: list[int | None] = []
    for number, row in records:
        if len(row) == len(header):
            kept.append(row)
            numbers.append(number)
            if len(kept) == ROWS_AT_ONCE:
                _add_rows(columns, kept)
        else:
            found, what = counted(len(row), "field"), f"{len(header)} as in the header"
            problems.add("columns", found, file=name, line=number, column=1, what=what)
    _add_rows(columns, kept)
    return Columns(document.source, dict(zip(header, columns, strict=True)), numbers)


def _add_rows(columns: list[list[Value]], rows: list[list[Value]]) -> None:
    """Move rows into columns, some at a time: many lists make the collection of garbage slow."""
    for column, cells in zip(columns, zip(*rows, strict=True), strict=False):
        column += cells
    rows.clear()


def _csv_records(name: str, lines: list[str], delimiter: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Quoted records, each with the line on which it begins; a record may span several lines."""
    reader = csv.reader((line + "\n" for line in lines), strict=True, delimiter=delimiter)
    empty: list[int] = []
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            problems.add("quoting", csv_error(error, reader.line_num), file=name, line=start, column=1)
            if reader.line_num > start:  # the quote is never closed: what follows may be inside it
                return
            continue
        if row:
            yield start, row
        else:
            empty.append(start)
    report_empty(name, empty, _last_filled(lines), problems)


def csv_error(error: csv.Error, line: int) -> str:
    """What is wrong with quotes, in words; `line` is the last one that was read."""
    if "field limit" in str(error):
        return f"a field of more than {csv.field_size_limit():,} characters, or a quote never closed"
    if "end of data" in str(error):
        return f"a quote that is not closed by the end of the file, line {line}"
    return "text after a closing quote"


def report_empty_lines(name: str, lines: list[str], problems: Problems) -> None:
    """Report the empty lines of a file."""
    empty = [number for number, line in enumerate(lines, 1) if not line.strip()]
    report_empty(name, empty, _last_filled(lines), problems)


def _last_filled(lines: list[str]) -> int:
    return next((number for number in range(len(lines), 0, -1) if lines[number - 1].strip()), 0)


def report_empty(name: str, empty: Sequence[int], last: int, problems: Problems) -> None:
    """Report empty lines: an error before the `last` line with content, a warning after it."""
    for number in empty:
        code = "empty-line" if number < last else "empty-line-at-end"
        problems.add(code, "an empty line", file=name, line=number)


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
    rest: bool = False,
) -> None:
    """Register a table; `cells` are written, `finish` works on several columns, and `rest` keeps the others."""

    def write(noun: Any, suffix: str = ".tsv") -> bytes:
        assert cells is not None
        return write_rows(cells(noun), suffix)

    @formats.register("table", sniff=sniff, write=cells and write, what=what)
    def read(document: Document, _: object, problems: Problems) -> Columns | None:
        rows = read_rows(document, problems)
        taken = None if rows is None else take_columns(rows, columns, problems)
        if rows is not None and taken is not None and rest:
            taken.facts = {"attributes": _rest(rows, columns, problems)}
        if taken is not None and finish is not None:
            finish(taken, problems)
        return taken


def _rest(rows: Columns, columns: Mapping[str, Col], problems: Problems) -> dict[str, list[str]]:
    """The columns that are not declared; two columns of one role, neither of which can be among these, are reported."""
    for role, column in columns.items():
        if len(played := [name for name in column.names if name in rows.values]) > 1:
            found, what = f"columns {' and '.join(played)}", f"one column that is the {role}"
            problems.add("columns", found, file=rows.file, line=1, what=what)
    declared = {name for column in columns.values() for name in column.names}
    return {name: texts_of(rows, name) for name in rows.values if name not in declared}


def certain_of(*needed: Col) -> Sniff:
    """Certain of files with all of these columns; the columns of Parquet are not known in advance."""
    return has_columns(*(column.names for column in needed), parquet=Fit.POSSIBLE)


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
