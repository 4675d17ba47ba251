"""Parquet too large to hold: read part by part, some rows at a time, from a separate process.

The process is that of `parquet.py`; what it sends here are plain arrays and texts. However long a file is, a part takes
the same memory; the decoder holds a few row groups of the file, so a file that is one huge row group is refused, with
the advice to write smaller ones.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Int32s
from karat.data.provenance import Source
from karat.errors import Problems, counted
from karat.files import is_file, open_file
from karat.formats.documents import FilePath
from karat.formats.parquet import Decoder, Limits, NotDecodedError

LARGE = 1 << 22
"""Tables of more cells are read in parts."""
CELLS_PER_BYTE = 8
"""A file with fewer bytes than that is small, whatever it says."""
PART_CELLS = 1 << 24
"""The most cells of a part."""
MOST_ROWS = 1 << 20
"""The most rows of a part."""
DECODER_MEMORY = 4 << 30
"""Memory of the decoder, which holds row groups of the file, some at a time."""
DECODING_SECONDS, BYTES_PER_SECOND = 60, 1 << 20
"""The time for decoding a part, and the size of file that adds one second to it."""
HINT = ", as a row group of many rows does"
MAGIC = b"PAR1"


@dataclass(frozen=True, eq=False)
class TablePart:
    """Some rows of a table."""

    rows: int
    texts: Mapping[str, tuple[Int32s, list[str]]]
    """Columns of texts: the place of each cell among the different ones, and these in order of appearance."""
    hashed: Mapping[str, NDArray[np.uint64]]
    """Columns of which only a hash of each cell is known."""
    numbers: NDArray[Any]
    """Columns of numbers (columns, rows): int8 if all are that small and none is missing, else doubles with NaN."""


@dataclass(frozen=True, eq=False)
class ParquetParts:
    """A large Parquet file: how many rows it has, and which columns, and of which kind each is."""

    name: str
    source: Source
    rows: int
    columns: dict[str, str]

    def parts(
        self,
        texts: Sequence[str] = (),
        hashed: Sequence[str] = (),
        numbers: Sequence[str] = (),
        rows_at_once: int | None = None,
    ) -> Iterator[TablePart]:
        """The rows of some columns, part by part, in the order of the file."""
        width = max(1, len(texts) + len(hashed) + len(numbers))
        rows = rows_at_once or max(1, min(MOST_ROWS, PART_CELLS // width))
        asked = {"texts": list(texts), "hashed": list(hashed), "numbers": list(numbers)}
        try:
            with _decoder(self.name, rows=rows, **asked) as decoder:
                for part in decoder.parts(decoder.header()["rows"]):
                    size, words = part["part"], part["words"]
                    coded = {name: (_array(decoder, np.int32, size), words[name]) for name in texts}
                    codes = {name: _array(decoder, np.uint64, size) for name in hashed}
                    kind = np.int8 if part["one_byte"] else np.float64
                    values = _array(decoder, kind, size * len(numbers)) if numbers else np.empty(0, np.int8)
                    if any(not 0 <= places.min() <= places.max() < len(said) for places, said in coded.values()):
                        raise decoder.gone()
                    yield TablePart(size, coded, codes, values.reshape(len(numbers), size if numbers else 0))
        except NotDecodedError as error:
            problems = Problems()
            error.report(problems, self.name)
            problems.raise_errors()

    def refuse_repeated(self, hashes: Sequence[NDArray[np.uint64]], what: str, column: str) -> None:
        """Raise an error if something occurs twice, by the hashes of a column in all parts."""
        every = np.sort(np.concatenate(hashes)) if hashes else np.empty(0, dtype=np.uint64)
        if again := int((every[1:] == every[:-1]).sum()):
            problems = Problems()
            problems.add("duplicate-id", f"{counted(again, what)} again in the column {column}", file=self.name)
            problems.raise_errors()


def large_parquet(path: FilePath, least: int = LARGE) -> ParquetParts | None:
    """A Parquet file of more than `least` cells, to be read in parts; None for every other file."""
    name = os.fspath(path)
    if name == "-" or not is_file(name):
        return None
    try:
        if Path(name).stat().st_size < least // CELLS_PER_BYTE:
            return None
        with open_file(name) as file:
            if file.read(len(MAGIC)) != MAGIC:
                return None
            with _decoder(name, rows=None) as decoder:
                said = decoder.header()
            if said["rows"] * len(said["columns"]) <= least:
                return None
            file.seek(0)
            source = Source(name, hashlib.file_digest(file, "sha256").hexdigest())
            return ParquetParts(name, source, said["rows"], dict(said["columns"]))
    except (OSError, ValueError, NotDecodedError):
        return None  # whoever reads it whole says what is wrong with it


def _decoder(path: str, **asked: Any) -> Decoder:
    seconds = DECODING_SECONDS + Path(path).stat().st_size // BYTES_PER_SECOND
    return Decoder(path, Limits(0, DECODER_MEMORY, DECODER_MEMORY, seconds, HINT), **asked)


def _array(decoder: Decoder, kind: type[np.generic], size: int) -> NDArray[Any]:
    """The next array."""
    payload = decoder.frame()
    if len(payload) != size * np.dtype(kind).itemsize:
        raise decoder.gone()
    return np.frombuffer(payload, dtype=kind)
