"""Documents: the bytes of a file, unpacked and limited in size, before a format reads them."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from karat.data.provenance import SHEET, Source
from karat.errors import Problems, counted
from karat.files import is_folder, read_bytes
from karat.formats.folders import files_in

FilePath = str | PathLike[str]
FilePaths = FilePath | Annotated[Iterable[FilePath], Meta(min_length=1)]
"""A path, or several."""

MAX_BYTES = 1 << 30
"""The largest file that is read, after unpacking."""
MAX_GZIP_RATIO = 200
"""How many times its size a gzip file may grow; text grows at most 30 times."""
GZIP_RATIO_FROM = 16 << 20
"""Below this size a high ratio is harmless."""
MAX_LINE = 1 << 20
"""The longest line of a text file, in characters."""
HEAD_BYTES = 1 << 16
"""The part of a file by which formats are recognised."""
GZIP_PIECE = 1 << 20
"""Bytes of a gzip file unpacked at a time."""
SEPARATORS = b"\x0b\x0c\x1c\x1d\x1e\x1f"
"""White space or line breaks to Python, but not in any format."""
ZIP = b"PK\x03\x04"
"""How zip files begin, and so Excel workbooks."""
MARKS = ",;|"
"""What separates the fields of a table, unless it is a tab."""
QUOTED_FIELD = re.compile(rf'(?:^|(?<=[\t{MARKS}]))"(?:[^"]|"")*"(?=[\t{MARKS}]|$)')
"""A field in quotes, in which tabs, commas, semicolons and bars separate nothing."""
WRAPPERS = frozenset("data examples instances items predictions records results rows".split())
"""Names under which a JSON object may contain the rows."""
TABLE_OF_MARKDOWN = re.compile(rb"\s*\|[^\n]*\|[ \t\r]*\n\s*\|[-:| \t]+\|[ \t\r]*\n")
"""A header between bars, and a line of dashes."""
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def readable_size(size: int) -> str:
    """A number of bytes or characters in words."""
    return f"{size >> 30} GiB" if size >= 1 << 30 else f"{size >> 20} MiB" if size >= 1 << 20 else f"{size:,}"


@dataclass(frozen=True, eq=False)
class Document:
    """The unpacked bytes of a file, and its name as given by the user."""

    name: str
    data: bytes
    source: Source
    of_key: bool = False
    """Whether a file of runs is the key's own."""

    @cached_property
    def head(self) -> Head:
        """The beginning of the file, including the whole first line."""
        long = b"\n" not in self.data[:HEAD_BYTES].strip()
        end = self.data.find(b"\n", HEAD_BYTES, MAX_LINE) if long else -1
        return Head(self.name.removesuffix(".gz"), self.data[: max(end, HEAD_BYTES)])

    def text(self, problems: Problems) -> str | None:
        """The bytes decoded as UTF-8; None if they are not text, which is reported."""
        data = self.data
        if data.startswith(UTF_16):
            problems.add("encoding", "UTF-16", file=self.name, line=1, column=1, encoding="UTF-16")
            return None
        data = data.removeprefix(codecs.BOM_UTF8)
        if b"\0" in data:
            line, column = place_of(data, data.index(b"\0"))
            problems.add("nul", f"NUL bytes ({data.count(0):,})", file=self.name, line=line, column=column)
            return None
        if stray := [byte for byte in SEPARATORS if byte in data]:
            line, column = place_of(data, data.index(stray[0]))
            found = f"the control character 0x{stray[0]:02x}"
            problems.add("control-character", found, file=self.name, line=line, column=column)
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line, column = place_of(data, error.start)
            found = f"byte 0x{data[error.start]:02x} that is no UTF-8"
            problems.add("encoding", found, file=self.name, line=line, column=column, encoding=_old_encoding(data))
            return None

    def lines(self, problems: Problems) -> list[str] | None:
        """The lines without line ends; None if the file is not text or a line is too long."""
        text = self.text(problems)
        if text is None:
            return None
        text = text.replace("\r\n", "\n")
        if alone := text.count("\r"):
            first = text.count("\n", 0, text.index("\r")) + 1
            found = f"{counted(alone, 'carriage return')} without a line feed"
            problems.add("carriage-return", found, file=self.name, line=first)
            text = text.replace("\r", "\n")
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        elif text:
            problems.add("no-final-newline", "a last line that does not end", file=self.name, line=len(lines))
        longest = max(map(len, lines), default=0)
        if longest > MAX_LINE:
            for number, line in enumerate(lines, 1):
                if len(line) > MAX_LINE:
                    limit = f"{MAX_LINE:,} characters"
                    found = f"a line of {len(line):,} characters"
                    problems.add("line-too-long", found, file=self.name, line=number, limit=limit)
            return None
        return lines


@dataclass(frozen=True, eq=False)
class Head:
    """The beginning of a file, by which its format is recognised."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The suffix of the name, ignoring .gz."""
        return Path(self.name).suffix.lower()

    @cached_property
    def text(self) -> str:
        """The beginning as text; invalid bytes are replaced."""
        encoding = "utf-16" if self.data.startswith(UTF_16) else "utf-8-sig"
        return self.data.decode(encoding, errors="replace").replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def first_line(self) -> str:
        """The first line that is not empty."""
        return self._filled[0]

    @property
    def second_line(self) -> str:
        """The second line that is not empty."""
        return self._filled[1]

    @cached_property
    def _filled(self) -> list[str]:
        filled = (line for line in self.text.split("\n") if line.strip())
        return [*islice(filled, 2), "", ""][:2]

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of the columns: the keys of the first JSON line, or the header of a delimited file."""
        if self.is_xml or self.is_parquet or self.is_zip or self.json_object:
            inside = [self.json_object[name] for name in WRAPPERS & self.json_object.keys()]
            rows = [one[0] for one in inside if isinstance(one, list) and one]
            first = [next(iter(self.json_object.values()), None), *rows]
            keys = (key for one in first if isinstance(one, dict) for key in one)
            names = [*self.json_object, *self._split_columns, *keys]
        else:
            names = [name.strip() for name in self._cut(self.delimiter, 1)[0]]
        return frozenset([*names, *(name.casefold().replace(" ", "_") for name in names)])

    @property
    def is_delimited(self) -> bool:
        """Whether the first line has several fields, as the header of a table has."""
        other = self.is_xml or self.is_parquet or self.is_zip or self.is_json_array or self.json_object
        return not other and self.delimiter in self.first_line

    @property
    def _split_columns(self) -> list[str]:
        """The names of columns that stand in a list beside the rows."""
        found = re.search(r'"columns"\s*:\s*(\[[^\[\]]*\])', self.text) if "data" in self.json_object else None
        try:
            return list(map(str, json.loads(found[1]))) if found else []
        except ValueError:
            return []

    @cached_property
    def json_object(self) -> dict[str, Any]:
        """The first JSON object: the first line, or the first element of an array; empty if there is none."""
        text = self.text.lstrip()[1:].lstrip() if self.is_json_array else self.first_line.lstrip()
        if not self.is_json_array and text.startswith("{") and text.rstrip().endswith(("{", "[")):  # on many lines
            text = self.text.lstrip()
        if not text.startswith("{"):
            return {}
        try:
            value, _ = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            # The object may be longer than the head; its keys can be read without its end.
            return dict.fromkeys(re.findall(r'"([\w ]+)"\s*:', text))
        return dict(value)

    @property
    def is_json_array(self) -> bool:
        """Whether the file begins like a JSON array of objects."""
        return re.match(r"\s*\[\s*(\{|\]|\Z)", self.text) is not None

    @cached_property
    def delimiter(self) -> str:
        """A tab if the header has one outside quotes; else of the comma, semicolon and bar that it has, the one that
        cuts the most rows into as many fields as the header, and then the most frequent one."""
        header = QUOTED_FIELD.sub("", self.first_line)
        if "\t" in header:
            return "\t"
        marks = [mark for mark in MARKS if mark in header] or [MARKS[0]]
        return max(marks, key=lambda mark: (self._as_wide(mark), header.count(mark))) if marks[1:] else marks[0]

    def _as_wide(self, mark: str) -> float:
        """The share of rows with as many fields as the header."""
        header, *rows = self._cut(mark)
        return sum(len(row) == len(header) for row in rows) / max(len(rows), 1)

    def _cut(self, mark: str, most: int | None = None) -> list[list[str]]:
        """The fields of the rows in the head, but of the last if the head cuts it; at least the header."""
        lines = list(io.StringIO(self.text.lstrip()))
        if mark == "\t" or not lines:
            return [[name.strip('"') for name in self.first_line.split("\t")]]
        cut = len(self.data) >= HEAD_BYTES and len(lines) > 1
        reader = csv.reader(lines[:-1] if cut else lines, delimiter=mark)
        try:
            return list(islice((row for row in reader if row), most)) or [[]]
        except csv.Error:  # a field longer than any table has
            return [self.first_line.split(mark)]

    @property
    def is_xml(self) -> bool:
        """Whether the file begins like XML."""
        return self.text.lstrip().startswith("<")

    @property
    def is_zip(self) -> bool:
        """Whether the file begins like a zip file, as Excel workbooks do."""
        return self.data.startswith(ZIP)

    @property
    def is_parquet(self) -> bool:
        """Whether the file begins like Parquet."""
        return self.data.startswith(b"PAR1")


def _old_encoding(data: bytes) -> str:
    """The encoding that a European text probably has: that of Windows uses bytes that Latin 1 does not."""
    return "WINDOWS-1252" if any(0x80 <= byte < 0xA0 for byte in data) else "LATIN1"


def place_of(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column of a byte, both counted from 1; columns are characters."""
    start = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[start:offset].decode("utf-8", errors="replace")) + 1


def listed(paths: FilePath | Iterable[FilePath]) -> list[FilePath]:
    """One path or several as a list."""
    return [paths] if isinstance(paths, str | PathLike) else list(paths)


def read_document(path: FilePath, problems: Problems) -> Document | None:
    """The file at `path` ("-" is standard input), unpacked if it is gzip; None if it cannot be read.

    After the name of a workbook and # may stand that of one of its sheets.
    """
    name = fspath(path)
    of_sheet = SHEET.fullmatch(name)
    try:
        raw = read_bytes(of_sheet[1] if of_sheet else name, MAX_BYTES)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        problems.add("unreadable", getattr(error, "strerror", None) or str(error), file=name)
        return None
    return document_of(name, raw, problems)


def read_documents(
    paths: FilePath | Iterable[FilePath], problems: Problems, sources: list[Source] | None = None, scored: bool = False
) -> Iterator[Document]:
    """The documents at paths, in a folder sorted by name; unreadable files are reported, sources of others listed.

    If `scored`, folders of logs stand for their files of scores, and not of answers.
    """
    files: list[FilePath] = []
    for path in listed(paths):
        if path != "-" and is_folder(path):
            files += files_in(Path(path), problems, scored)
        else:
            files.append(path)
    for file in files:
        document = read_document(file, problems)
        if document is not None:
            if sources is not None:
                sources.append(document.source)
            yield document


def _looks_like(raw: bytes) -> str:
    """The kind of a file that karat does not read, by its first bytes, as advice for the user."""
    line = raw.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0][:1000]
    if raw.startswith(b"\xd0\xcf\x11\xe0"):
        return "an old Excel workbook (.xls): save it as .xlsx or CSV"
    if raw.startswith(ZIP):
        return "an Excel workbook or another zip file"
    if line.lower().startswith(b"sep="):
        return "a CSV file with an instruction to Excel: remove its first line, sep="
    if re.fullmatch(rb'"[^"]*"( "[^"]*")+\r?', line):
        return "fields with blanks between them, as R's write.table writes: use write.csv"
    if TABLE_OF_MARKDOWN.match(raw):
        return "a table in Markdown: write it as CSV, without the bars at both ends and the line of dashes"
    if line.startswith(b"<"):
        return "an XML or HTML file"
    if re.match(rb"\[\s*\[", line):
        return "rows without the names of columns: in pandas, write to_json(orient='records')"
    if line.startswith(b"["):
        return "a JSON array"
    return "JSON over several lines" if line.rstrip() == b"{" else ""


def document_of(name: str, raw: bytes, problems: Problems, most: int | None = None) -> Document | None:
    """A document from bytes, unpacked if they are gzip, with at most `most` bytes, by default `MAX_BYTES`."""
    most = MAX_BYTES if most is None else most
    problems.suspect(name, _looks_like(raw))
    if len(raw) > most:
        limit = readable_size(most)
        problems.add("too-large", f"more than {limit}", file=name, limit=limit)
        return None
    data = _unpack(raw, name, problems, most) if raw.startswith(b"\x1f\x8b") else raw
    if data is not None and data.startswith(UTF_16):
        data = _as_utf_8(data)
    return None if data is None else Document(name, data, Source.of_bytes(name, raw))


def _as_utf_8(data: bytes) -> bytes:
    """A text in UTF-16, as Excel and Windows write it, in UTF-8; XML, which names its encoding, and others stay."""
    try:
        text = data.decode("utf-16")
    except UnicodeDecodeError:
        return data
    return data if text.lstrip().startswith("<") else text.encode()


def most_unpacked(raw: bytes, most: int = MAX_BYTES) -> int:
    """How many bytes a packed file may unpack to: more would be a bomb."""
    return min(most, max(GZIP_RATIO_FROM, MAX_GZIP_RATIO * len(raw)))


def _unpack(raw: bytes, name: str, problems: Problems, most: int) -> bytes | None:
    """Unpack gzip piece by piece, so that a bomb reaches the limit before it fills the memory."""
    limit = most_unpacked(raw, most)
    unpacked = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            while piece := stream.read(GZIP_PIECE):
                unpacked.write(piece)
                if unpacked.tell() > limit:
                    found = f"more than {readable_size(limit)} unpacked"
                    problems.add("gzip-bomb", found, file=name, limit=readable_size(limit))
                    return None
    except EOFError:
        problems.add("gzip", "a gzip file that is cut off", file=name)
        return None
    except (OSError, zlib.error) as error:
        problems.add("gzip", f"damaged gzip data ({error})", file=name)
        return None
    return unpacked.getvalue()
