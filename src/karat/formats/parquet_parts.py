"""Parquet too large to hold: read part by part, some rows at a time, from a separate process.

As in `parquet.py` the decoder runs elsewhere, since a damaged file can crash it, hang it or flood it. What it sends are
plain arrays and texts. However long a file is, a part takes the same memory; the decoder holds a few row groups of the
file, so a file that is one huge row group is refused, with the advice to write smaller ones.
"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.arrays import Int32s
from karat.data.provenance import Source
from karat.errors import DataError, Problems, UsageError
from karat.files import is_file, open_file
from karat.formats.documents import FilePath, readable_size
from karat.formats.parquet import NEEDS_POLARS

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
WORKER = Path(__file__).with_name("parquet_parts_worker.py")
MAGIC = b"PAR1"
BLOCK = 1 << 22
_FRAME = struct.Struct(">Q")


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
    path: str
    source: Source
    rows: int
    columns: dict[str, str]

    @property
    def cells(self) -> int:
        """Rows times columns."""
        return self.rows * len(self.columns)

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
        asked = {"texts": list(texts), "hashed": list(hashed), "numbers": list(numbers), "rows": rows}
        with _Decoder(self.path, self.name, asked) as decoder:
            decoder.header("rows")
            while size := decoder.header("part")["part"]:
                words = decoder.last["words"]
                coded = {name: (decoder.array(np.int32, size), words[name]) for name in texts}
                codes = {name: decoder.array(np.uint64, size) for name in hashed}
                kind = np.int8 if decoder.last["one_byte"] else np.float64
                values = decoder.array(kind, size * len(numbers)) if numbers else np.empty(0, np.int8)
                if any(not 0 <= places.min() <= places.max() < len(said) for places, said in coded.values()):
                    raise decoder.gone()
                yield TablePart(size, coded, codes, values.reshape(len(numbers), size if numbers else 0))


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
            if find_spec("polars") is None:
                raise UsageError(NEEDS_POLARS)
            asked: dict[str, Any] = {"texts": [], "hashed": [], "numbers": [], "rows": 0}
            with _Decoder(name, name, asked) as decoder:
                said = decoder.header("rows")
            if said["rows"] * len(said["columns"]) <= least:
                return None
            file.seek(0)
            return ParquetParts(name, name, _source(name, file), said["rows"], dict(said["columns"]))
    except (OSError, ValueError, DataError):
        return None  # whoever reads it whole says what is wrong with it


def _source(name: str, file: IO[bytes]) -> Source:
    digest = hashlib.sha256()
    while block := file.read(BLOCK):
        digest.update(block)
    return Source(name, digest.hexdigest())


class _Decoder:
    """The process, which is asked once."""

    def __init__(self, path: str, name: str, asked: dict[str, Any]) -> None:
        self.name = name
        seconds = DECODING_SECONDS + Path(path).stat().st_size // BYTES_PER_SECOND
        found = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "2"}
        self._worker = subprocess.Popen(
            [sys.executable, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | found,
        )
        limits = {"path": str(Path(path).resolve()), "memory": DECODER_MEMORY, "seconds": seconds}
        assert self._worker.stdin is not None
        self._worker.stdin.write(msgspec.msgpack.encode(limits | asked))
        self._worker.stdin.close()
        self.last: dict[str, Any] = {}

    def __enter__(self) -> _Decoder:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.kill()
        assert self._worker.stdout is not None
        self._worker.stdout.close()
        self._worker.wait()

    def header(self, wanted: str) -> dict[str, Any]:
        """The next header; an error if the process says that it cannot go on, or stops."""
        try:
            self.last = msgspec.msgpack.decode(self._frame())
        except (msgspec.DecodeError, MemoryError):
            raise self.gone() from None
        if wanted not in self.last:
            raise self.gone(str(self.last.get("damaged", "")))
        return self.last

    def array(self, kind: type[np.generic], size: int) -> NDArray[Any]:
        """The next array."""
        payload = self._frame()
        if len(payload) != size * np.dtype(kind).itemsize:
            raise self.gone()
        return np.frombuffer(payload, dtype=kind)

    def _frame(self) -> bytes:
        assert self._worker.stdout is not None
        length = self._worker.stdout.read(_FRAME.size)
        size = _FRAME.unpack(length)[0] if len(length) == _FRAME.size else DECODER_MEMORY + 1
        payload = self._worker.stdout.read(size) if size <= DECODER_MEMORY else b""
        if len(payload) < size:
            raise self.gone()
        return payload

    def gone(self, said: str = "") -> DataError:
        """The error that the file cannot be decoded."""
        problems = Problems()
        why = (
            said
            if said and "panic" not in said.lower() and "unwrap()" not in said
            else (
                f"it breaks the decoder, takes too long, or needs more than {readable_size(DECODER_MEMORY)} of memory, "
                "as a row group of many rows does"
            )
        )
        problems.add("parquet", f"a Parquet file that cannot be decoded ({why})", file=self.name)
        return DataError(problems)
