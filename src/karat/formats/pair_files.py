"""Pairs in files of any size, read a piece at a time as somebody asks for them.

JSON lines, CSV, TSV and Parquet are read so. A row that is no pair is set aside with what is wrong with it. Anything
else is one document and read whole, as `read_pairs` reads it: XML, workbooks, logs, and tables whose rows depend on
each other (one row per run and pair; parts that name the pair that they were made from).
"""

from __future__ import annotations

import gzip
import hashlib
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from os import fspath
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from karat.align.columns import Columns
from karat.align.pairs import known_labels
from karat.data.pairs import Pairs
from karat.data.parameters import checked_noun, takes
from karat.data.provenance import AS_IS, Reading, Source
from karat.errors import Problem, Problems, UsageError
from karat.files import is_file
from karat.formats.documents import (
    HEAD_BYTES,
    MAX_LINE,
    UTF_16,
    Document,
    FilePath,
    FilePaths,
    listed,
    read_document,
)
from karat.formats.known_ids import KnownIds
from karat.formats.pair_table import LAYOUTS, PairLayout, read_table
from karat.formats.pairs import named_format, parse_pairs
from karat.formats.parquet import parquet_pieces
from karat.formats.registry import find_format, pair_formats
from karat.formats.row_stream import ReadRow, TextLines, columns_of_rows, fields_in, file_error, objects_in
from karat.formats.rows import RUN_NAMES
from karat.formats.writing import quotes
from karat.labels import Spellings, Way, way_of

PIECE = 4000
"""Rows read at once. A change of it changes no answer, but what is a column of a piece is found piece by piece."""
DEPENDENT = frozenset((*RUN_NAMES, "original"))
"""Columns of tables whose rows cannot be read one by one."""
GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class BadPair:
    """A row that is no pair, and what is wrong with it."""

    file: str
    line: int | None
    id: str
    reason: str


@dataclass(frozen=True, eq=False)
class Piece:
    """Some pairs and, by their numbers among all rows of all files, the rows that they and bad pairs are."""

    pairs: Pairs
    places: Sequence[int]
    bad: Sequence[tuple[int, BadPair]]
    way: Way | None
    """The labels that the pairs have, if they have any."""
    read: int
    """Bytes that are read by now."""
    warnings: tuple[Problem, ...] = ()


@checked_noun
@dataclass(frozen=True, eq=False)
class PairFiles:
    """Files of pairs that are read as they are needed, in this order."""

    paths: tuple[str, ...]
    reading: Reading = AS_IS
    _read_whole: dict[str, Source] = field(default_factory=dict, repr=False)
    """The sources of what was read whole, which may be standard input."""

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Each file with the hash of its content."""
        return tuple(self._read_whole.get(path) or _source(path) for path in self.paths)

    @cached_property
    def size(self) -> int:
        """Bytes of all files, as far as they are known."""
        return sum(Path(path).stat().st_size for path in self.paths if is_file(path))

    def pieces(self) -> Iterator[Piece]:
        """The pairs, some thousands at a time; raises what is wrong with a file as a whole."""
        state = _State(self.reading)
        for path in self.paths:
            head = _head(path)
            layout = None if head is None else _layout(head, self.reading)
            if head is None or layout is None:
                piece = state.whole(path)
                self._read_whole[path] = piece.pairs.source
                yield piece
            elif head.head.is_parquet:
                yield from state.parquet(head, layout)
            else:
                yield from state.text(head, layout)
            state.before += Path(path).stat().st_size if is_file(path) else 0


@takes(Reading)
def pair_files(paths: FilePaths, reading: Reading) -> PairFiles:
    """Files of pairs for `run`, which answers them as they are read: `run(engine, pair_files("many.jsonl"), …)`."""
    return PairFiles(tuple(fspath(path) for path in listed(cast(FilePath, paths))), reading)


def _source(path: str) -> Source:
    with Path(path).open("rb") as file:
        return Source(path, hashlib.file_digest(file, "sha256").hexdigest())


def _head(path: str) -> Document | None:
    """The beginning of a regular file; None for what is read whole or is not there."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return None
        with Path(path).open("rb") as raw:
            file = _unpacked(raw)
            data = file.read(HEAD_BYTES)
            data += b"" if b"\n" in data.strip() else file.readline(MAX_LINE)
    except (OSError, ValueError, EOFError):
        return None
    return Document(path, data, Source(path, ""))


def _unpacked(raw: IO[bytes]) -> IO[bytes]:
    """A file, or what gzip packed in it."""
    packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    return cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw


def _layout(document: Document, reading: Reading) -> PairLayout | None:
    """The layout of a table that can be read in pieces; None for anything else."""
    head = document.head
    lines = not (head.is_xml or head.is_zip or head.is_json_array or head.data.startswith(UTF_16))
    on_one_line = head.suffix != ".json" and not head.first_line.rstrip().endswith(("{", "["))
    if not (lines and on_one_line) or not head.fields.isdisjoint(DEPENDENT):
        return None
    found = find_format(pair_formats, document, named_format(document, reading), Problems())
    return None if found is None else LAYOUTS.get(found.name)


@dataclass
class _State:
    """What reading one piece has to know of those before it."""

    reading: Reading
    before: int = 0
    """Bytes of the files that are read."""
    row: int = 0
    """Rows read so far."""
    ids: KnownIds = field(default_factory=KnownIds)

    def whole(self, path: str) -> Piece:
        """A file as one piece."""
        problems = Problems()
        document = read_document(path, problems)
        pairs = None if document is None else parse_pairs(document, self.reading, problems)
        problems.raise_errors()
        assert pairs is not None
        pairs.need_texts("an engine")
        columns = Columns(pairs.source, {"id": pairs.ids, "text": pairs.texts, "hypothesis": pairs.hypotheses}, [])
        blank = frozenset(row for row, text in enumerate(pairs.hypotheses) if not text)
        at = [None] * len(pairs)
        size = Path(path).stat().st_size if is_file(path) else 0
        return self._piece(columns, pairs.attributes, at, [], problems, size, pairs.way, blank)

    def parquet(self, head: Document, layout: PairLayout) -> Iterator[Piece]:
        """A Parquet file."""
        problems = Problems()
        size, begun = Path(head.name).stat().st_size, False
        for columns in parquet_pieces(head.name, PIECE, problems):
            many = len(next(iter(columns.values()), ()))
            rows = Columns(head.source, columns, [None] * many)
            yield self._read(head, layout, rows, [], Problems(), size, begun)
            begun = True
        problems.raise_errors()
        if not begun:
            self._empty(head)

    def text(self, head: Document, layout: PairLayout) -> Iterator[Piece]:
        """JSON lines, or a delimited file."""
        try:
            with Path(head.name).open("rb") as raw:
                yield from self._rows(head, layout, _unpacked(raw), raw)
        except EOFError:
            raise file_error(head.name, "gzip", "a gzip file that is cut off") from None
        except gzip.BadGzipFile as error:
            raise file_error(head.name, "gzip", f"damaged gzip data ({error})") from None
        except OSError as error:
            raise file_error(head.name, "unreadable", error.strerror or str(error)) from None

    def _rows(self, head: Document, layout: PairLayout, file: Any, raw: IO[bytes]) -> Iterator[Piece]:
        lines = TextLines(head.name, file)
        header: list[str] | None = None
        records: Iterator[ReadRow]
        if head.head.json_object or head.head.suffix in (".jsonl", ".ndjson"):
            records = objects_in(lines)
        else:
            delimiter = head.head.delimiter
            shown = head.head.text.split("\n")[:-1] or [head.head.text]
            records = fields_in(lines, "" if delimiter == "\t" and not quotes(shown) else delimiter)
            first = next(records, None)
            header = [cell.strip() for cell in first.cells] if first and first.cells else None
            if header is None or len(set(header)) < len(header):
                raise file_error(
                    head.name, "columns", "no header, or one with a name twice", "columns of different names"
                )
        begun = False
        while piece := list(islice(records, PIECE)):
            problems = Problems()
            rows, wrong = columns_of_rows(head, header, piece, lines)
            if not lines.ended:
                problems.add("no-final-newline", "a last line that does not end", file=head.name, line=lines.number)
            yield self._read(head, layout, rows, wrong, problems, raw.tell(), begun)
            begun = True
        if not begun:
            self._empty(head)

    def _empty(self, head: Document) -> None:
        raise file_error(head.name, "empty-file", "no pairs", "at least one pair")

    def _read(
        self,
        head: Document,
        layout: PairLayout,
        rows: Columns,
        wrong: list[tuple[int, ReadRow]],
        problems: Problems,
        read: int,
        begun: bool,
    ) -> Piece:
        """The pairs in some rows; what is wrong with all rows of a file is raised."""
        mine = Problems()
        mine.recognise(head.name)
        numbered = [None] * len(rows) if not rows.values else rows.lines
        many = len(rows) + len(wrong)
        columns = read_table(rows, layout, head, self.reading, mine, self.row)
        if not columns.values and len(rows):
            if not begun:
                mine.raise_errors()
            told = next((one.found for one in mine), "no such columns as other rows have")
            wrong = sorted([*wrong, *((at, ReadRow(line, None, told)) for at, line in _numbered(rows, wrong, many))])
            columns, numbered = Columns(head.source, {"id": [], "text": [], "hypothesis": []}, []), []
        if columns.facts.get("textless"):
            raise UsageError(
                f"{head.name} has no texts, and an engine reads them: give a test set with a text and a hypothesis for "
                "every pair (--column text=NAME --column hypothesis=NAME names their columns)"
            )
        for one in mine.warnings:
            if not begun:
                problems.add(one.code, one.found, file=one.file, line=one.line, option="--column")
        spellings = Spellings(self.reading.label)
        known = known_labels(columns, spellings) if columns.values.get("label") else set()
        attributes = columns.facts.get("attributes", {})
        way = way_of(known) if known else None
        return self._piece(columns, attributes, numbered, wrong, problems, read, way)

    def _piece(
        self,
        columns: Columns,
        attributes: Any,
        lines: Sequence[int | None],
        wrong: list[tuple[int, ReadRow]],
        problems: Problems,
        read: int,
        way: Way | None,
        blank: frozenset[int] = frozenset(),
    ) -> Piece:
        """The rows that are pairs, apart from those that are none; `blank` ones need no hypothesis."""
        ids, texts, hypotheses = columns["id"], columns["text"], columns["hypothesis"]
        again = self.ids.again(ids)
        taken = {at for at, _ in wrong}
        free = [at for at in range(len(ids) + len(wrong)) if at not in taken] if wrong else range(len(ids))
        kept, bad = [], [(self.row + at, BadPair(columns.file, row.line, "", row.wrong)) for at, row in wrong]
        for row, (name, text, hypothesis, twice) in enumerate(zip(ids, texts, hypotheses, again, strict=True)):
            if name and text and (hypothesis or row in blank) and not twice:
                kept.append(row)
                continue
            empty = "text" if not text else "hypothesis"
            told = f"pair {name!r} again" if twice and name else f"an empty {empty} in pair {name!r}"
            told = told if name else "a pair without id"
            bad.append((self.row + free[row], BadPair(columns.file, lines[row], name, told)))
        all_kept = len(kept) == len(ids)
        some = tuple if all_kept else (lambda column: tuple(column[row] for row in kept))
        pairs = Pairs(
            ids=some(ids),
            texts=some(texts),
            hypotheses=some(hypotheses),
            labels=np.full(len(kept), -1, dtype=np.int8),
            way=None,
            source=columns.source,
            attributes={name: some(values) for name, values in attributes.items()},
        )
        places = [self.row + free[row] for row in kept]
        self.row += len(ids) + len(wrong)
        return Piece(pairs, places, sorted(bad, key=lambda one: one[0]), way, self.before + read, problems.warnings)


def _numbered(rows: Columns, wrong: Sequence[tuple[int, ReadRow]], many: int) -> Iterator[tuple[int, int | None]]:
    taken = {at for at, _ in wrong}
    return zip((at for at in range(many) if at not in taken), rows.lines, strict=True)
