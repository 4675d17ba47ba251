"""Rows with named columns, whatever carries them: CSV, TSV, JSON lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from karat.align.columns import Columns
from karat.data.cells import guarded, unguarded
from karat.errors import Problems, UsageError, printable
from karat.formats.documents import Document
from karat.formats.parquet import MAX_CELLS, NEEDED, read_columns

SPARSE, SPARSE_FROM = 2, 1 << 20
"""Cells of a table for each byte of a file in which a row names its columns; so many are harmless in any file."""
Value = Any
"""A JSON value; delimited files hold strings only."""


IDS = ("id", "pair_id", "pairID", "pair_ID", "uid", "index", "idx", "", "Unnamed: 0")
"""What ids are called; the last two are an index that pandas wrote beside the columns."""


def find_column(
    rows: Columns, role: str, names: Sequence[str], problems: Problems, option: str | None = None
) -> str | None:
    """The first of some names that is a column; where there is none and an `option` could name it, a problem."""
    name = next((name for name in names if name in rows.values), None)
    if name:
        problems.recognise(rows.file)
    if name is None and option:
        has, what = lacking(rows, names)
        problems.add("no-column", has, file=rows.file, line=1, what=what, role=role, option=option)
    return name


def lacking(rows: Columns, names: Sequence[str]) -> tuple[str, str]:
    """The columns that a file has, and those of which it should have one, in words."""
    return f"columns {', '.join(rows.values) or 'none'}", f"a column {' or '.join(filter(None, names))}"


def texts_of(rows: Columns, name: str) -> list[str]:
    """A column as text without blanks around it."""
    return [cell_text(value) for value in rows.values[name]]


def read_rows(document: Document, problems: Problems) -> Columns | None:
    """The rows of a file, or None where it cannot be read at all."""
    if document.head.is_parquet:
        return _parquet(document, problems)
    lines = document.lines(problems)
    if lines is None:
        return None
    if document.head.json_object or document.head.suffix in (".jsonl", ".ndjson"):
        return _json_lines(document, lines, problems)
    return _delimited(document, lines, problems)


def _json_lines(document: Document, lines: list[str], problems: Problems) -> Columns | None:
    """One JSON object a line; every line that is none is a problem."""
    name = document.name
    decode = msgspec.json.Decoder().decode
    objects: list[dict[str, Value]] = []
    numbers: list[int | None] = []
    tell_empty_lines(name, lines, problems)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = decode(line)
            if not isinstance(value, dict) or not _surely_unique(line, value):
                check_keys(line)
        except (ValueError, RecursionError) as error:  # ValueError: msgspec's own, and numbers beyond all measure
            problems.add("json", f"no usable JSON ({error})", file=name, line=number, column=1)
            continue
        if isinstance(value, dict):
            objects.append(value)
            numbers.append(number)
        else:
            problems.add("json", f"JSON that is no object: {line[:40]!r}", file=name, line=number, column=1)
    header = list(dict.fromkeys(key for value in objects for key in value))
    if too_sparse(document, len(objects), len(header), "different keys", problems):
        return None
    return Columns(document.source, {key: [value.get(key) for value in objects] for key in header}, numbers)


def too_sparse(document: Document, rows: int, columns: int, what: str, problems: Problems) -> bool:
    """Whether rows that each name columns of their own would make a table much larger than their file; told if so."""
    limit = min(MAX_CELLS, max(SPARSE_FROM, SPARSE * len(document.data)))
    if rows * columns > limit:
        found = f"{rows:,} rows with {columns:,} {what} make {rows * columns:,} cells"
        problems.add("too-large", found, file=document.name, limit=f"{limit:,} cells, or the same columns in every row")
    return rows * columns > limit


def check_keys(text: str) -> None:
    """A `ValueError` where an object in some JSON has a key twice: of its values a reader takes the last in silence."""
    json.loads(text, object_pairs_hook=_unique)


def _surely_unique(line: str, value: dict[str, Value]) -> bool:
    """Whether no key can be there twice, told fast: a colon a key; or one object, and each key once between quotes."""
    if line.count(":") == len(value):
        return True
    return line.count("{") == 1 and "\\" not in line and all(line.count(f'"{key}"') == 1 for key in value)


def _unique(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    held = dict(pairs)
    if len(held) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {printable(twice)!r} twice")
    return held


def _delimited(document: Document, lines: list[str], problems: Problems) -> Columns | None:
    """A header and rows as wide as it. Tab-separated files of this field never quote; comma-separated ones do."""
    records: Iterable[tuple[int, list[str]]]
    name = document.name
    if document.head.delimiter == "\t":
        tell_empty_lines(name, lines, problems)
        records = ((number, line.split("\t")) for number, line in enumerate(lines, 1) if line.strip())
    else:
        records = _csv_records(name, lines, problems)
    rows = iter(records)
    header = [unguarded(column).strip() for column in next(rows, (1, []))[1]]
    if doubled := [column for column, times in Counter(header).items() if times > 1]:
        found = f"several columns called {', '.join(sorted(map(repr, doubled)))}"
        problems.add("columns", found, file=name, line=1, what="columns of different names")
        return None
    kept, numbers = [], []
    for number, row in rows:
        if len(row) == len(header):
            kept.append(row)
            numbers.append(number)
        else:
            found, what = f"{len(row)} fields", f"{len(header)} as in the header"
            problems.add("columns", found, file=name, line=number, column=1, what=what)
    cells = zip(*kept, strict=True) if kept else [()] * len(header)
    columns = {column: list(map(unguarded, values)) for column, values in zip(header, cells, strict=True)}
    return Columns(document.source, columns, numbers)


def _csv_records(name: str, lines: list[str], problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Quoted records with the line each begins on; a record may span lines."""
    reader = csv.reader((line + "\n" for line in lines), strict=True)
    empty: list[int] = []
    while True:
        start = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            problems.add("quoting", _in_words(error, reader.line_num), file=name, line=start, column=1)
            if reader.line_num > start:  # the quote is never closed: what follows is inside it, or is not
                return
            continue
        if row:
            yield start, row
        else:
            empty.append(start)
    _tell_empty(name, lines, empty, problems)


def _in_words(error: csv.Error, line: int) -> str:
    """What the CSV module says, for people."""
    if "field limit" in str(error):
        return f"a field of more than {csv.field_size_limit():,} characters, or a quote never closed"
    if "end of data" in str(error):
        return f"a quote that is not closed by the end of the file, line {line}"
    return "text after a closing quote"


def tell_empty_lines(name: str, lines: list[str], problems: Problems) -> None:
    """An empty line inside is an error, at the end a warning."""
    _tell_empty(name, lines, [number for number, line in enumerate(lines, 1) if not line.strip()], problems)


def _tell_empty(name: str, lines: list[str], empty: list[int], problems: Problems) -> None:
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    for number in empty:
        code = "empty-line" if number < last else "empty-line-at-end"
        problems.add(code, "an empty line", file=name, line=number)


def _parquet(document: Document, problems: Problems) -> Columns | None:
    columns = read_columns(document, problems)
    if columns is None:
        return None
    return Columns(document.source, columns, [None] * len(next(iter(columns.values()), [])))


def write_rows(columns: Mapping[str, Sequence[Value]], suffix: str) -> bytes:
    """Columns as CSV, TSV, JSON lines or Parquet, by the suffix of the file."""
    if suffix == ".parquet":
        try:
            import polars  # here: it takes longer to load than most commands to run
        except ImportError:
            raise UsageError(NEEDED) from None
        buffer = io.BytesIO()
        polars.DataFrame({name: list(values) for name, values in columns.items()}).write_parquet(buffer)
        return buffer.getvalue()
    rows = zip(*columns.values(), strict=True)
    if suffix in (".jsonl", ".ndjson"):
        lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)
        return "".join(lines).encode()
    if suffix == ".csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows(map(guarded, row) for row in (columns, *rows))
        return text.getvalue().encode()
    if suffix in (".tsv", ".txt"):
        return "".join("\t".join(map(_cell, row)) + "\n" for row in (columns, *rows)).encode()
    raise UsageError(f"cannot write {suffix or 'a file without suffix'}: use .csv, .tsv, .jsonl or .parquet")


def _cell(value: Value) -> str:
    """A value in a tab-separated line, which has no way to hold a tab or a line break."""
    return "" if value is None else str(guarded(re.sub(r"[\t\r\n]+", " ", value) if isinstance(value, str) else value))


def cell_text(value: Value) -> str:
    """A value as text without blanks around it; nothing is empty."""
    return (text_of(value) or "").strip()


def text_of(value: Value) -> str | None:
    """A value as an attribute: words stay, lists of words are joined, nothing stays nothing."""
    match value:
        case None:
            return None
        case str():
            return value
        case list() if not any(isinstance(part, list | dict) for part in value):
            return "; ".join(text_of(part) or "" for part in value)
        case bool() | dict() | list():
            return msgspec.json.encode(value, enc_hook=str).decode()
        case float() if value.is_integer():
            return str(int(value))
    return str(value)
