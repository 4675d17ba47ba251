"""Parquet, decoded in a separate process, because a damaged file can crash, hang or flood its decoder.

The process has limits on memory and time that grow with the file, and on the size of its answer. One process decodes
many small files; after a large file or a failure of the decoder, a new one is started.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from karat.align.columns import MAX_TABLE_CELLS
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, readable_size

VALUE_BYTES, VALUE_BYTES_PER_BYTE = 512 << 20, 64
"""Bytes allowed for the values as Python objects: in any file, and for each byte of a large one."""
EXTRA_MEMORY = 512 << 20
"""Memory of the process in addition to its values."""
DECODING_SECONDS, BYTES_PER_SECOND = 20, 1 << 20
"""The time allowed for decoding, and the size of file that adds one second."""
REUSED_BELOW = 1 << 20
"""A process is used again after files and answers smaller than this."""
WORKER = Path(__file__).with_name("parquet_worker.py")
NEEDS_POLARS = "Parquet needs polars: pip install 'karat[tables]'"
PIECES_AT_ONCE = 32
"""Pieces of a file decoded at once, where its values are not wanted all together."""
_FRAME = struct.Struct(">Q")

_idle: list[subprocess.Popen[bytes]] = []
"""Processes waiting for a file."""


class Limits(NamedTuple):
    """What decoding a file may take."""

    cells: int
    """Rows times columns; 0 means any number."""
    allowed: int
    """Bytes of the values as Python objects, where they are decoded together, and bytes of a frame."""
    memory: int
    seconds: int
    """The time until the next part is there."""
    hint: str = ""
    """What may need that much memory."""


class NotDecodedError(Exception):
    """A file that cannot be decoded: the code of the problem, what was found, and the limit that it is above."""

    def report(self, problems: Problems, name: str) -> None:
        """Add it to the problems of the file."""
        code, found, limit = self.args
        problems.add(code, found, file=name, limit=limit)


class Decoder:
    """A process that decodes one file, given as bytes or by its path, and sends it part by part."""

    def __init__(
        self, file: bytes | str, limits: Limits, *, rows: int | None = 0, batch: int = 0, **arrays: Sequence[str]
    ) -> None:
        """Parts have so many `rows` (0: as it sees fit; None: no parts) of all values, or `arrays` of named columns."""
        if find_spec("polars") is None:
            raise UsageError(NEEDS_POLARS)
        data, path = (file, "") if isinstance(file, bytes) else (b"", str(Path(file).resolve()))
        self.limits, self.received, self._again = limits, 0, False
        self._size = len(data) if not path else Path(path).stat().st_size
        self._worker = _idle.pop() if _idle else _start()
        if self._worker.poll() is not None:  # killed while it waited
            _end(self._worker)
            self._worker = _start()
        asked = {"path": path, "size": len(data), "rows": rows, "batch": batch, **arrays}
        request = msgspec.msgpack.encode(limits._asdict() | asked)
        assert self._worker.stdin is not None
        with contextlib.suppress(OSError):  # the answer says what became of it
            self._worker.stdin.write(_FRAME.pack(len(request)) + request)
            self._worker.stdin.write(data)
            self._worker.stdin.flush()

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._again:
            _idle.append(self._worker)
        else:
            _end(self._worker)

    def header(self) -> dict[str, Any]:
        """The number of rows of the file, and its columns, each with its kind."""
        return self._message("columns")

    def parts(self, rows: int) -> Iterator[dict[str, Any]]:
        """The header of one part after another, until all rows are there."""
        while size := (part := self._message("part"))["part"]:
            rows -= size
            yield part
        if rows:
            raise self.gone()
        self._again = max(self._size, self.received) < REUSED_BELOW

    def frame(self) -> bytes:
        """What the process sends next."""
        assert self._worker.stdout is not None
        with contextlib.suppress(OSError):
            length = self._worker.stdout.read(_FRAME.size)
            size = _FRAME.unpack(length)[0] if len(length) == _FRAME.size else self.limits.allowed + 1
            payload = self._worker.stdout.read(size) if size <= self.limits.allowed else b""
            self.received += size
            if len(payload) == size:
                return payload
        raise self.gone()

    def values(self) -> Any:
        """The next column of a part."""
        try:
            return msgspec.msgpack.decode(self.frame())
        except (ValueError, MemoryError):
            raise self.gone() from None

    def _message(self, wanted: str) -> dict[str, Any]:
        answer = self.values()
        if not isinstance(answer, dict) or not answer.keys() & {wanted, "too_large", "damaged"}:
            raise self.gone()
        if "too_large" in answer:
            limit = f"{MAX_TABLE_CELLS:,} cells, and {readable_size(self.limits.allowed)} in memory"
            raise NotDecodedError("too-large", answer["too_large"], limit)
        if "damaged" in answer:
            self._again = not answer.get("panicked") and self._size < REUSED_BELOW
            said = str(answer["damaged"])  # messages of a crash are of no use to users
            raise _not_decoded("" if "panic" in said.lower() or "unwrap()" in said else said)
        return answer

    def gone(self) -> NotDecodedError:
        """The error that the process stopped early, or sends what makes no sense."""
        self._again = False
        _end(self._worker)
        if self._worker.returncode == -getattr(signal, "SIGALRM", 0):
            return _not_decoded(f"it takes longer than {self.limits.seconds} seconds")
        memory = f"{readable_size(self.limits.memory)} of memory{self.limits.hint}"
        return _not_decoded(f"it breaks the decoder, or needs more than {memory}")


def _not_decoded(why: str) -> NotDecodedError:
    return NotDecodedError("parquet", f"a Parquet file that cannot be decoded{why and f' ({why})'}", "")


def read_parquet(document: Document, problems: Problems) -> dict[str, list[Any]] | None:
    """The columns of a Parquet file; None if it cannot be read, which is reported."""
    size = len(document.data)
    allowed = max(VALUE_BYTES, VALUE_BYTES_PER_BYTE * size)
    seconds = DECODING_SECONDS + size // BYTES_PER_SECOND
    limits = Limits(MAX_TABLE_CELLS, allowed, EXTRA_MEMORY + allowed, seconds)
    columns: dict[str, list[Any]] = {}
    try:
        with Decoder(document.data, limits) as decoder:
            header = decoder.header()
            columns = {name: [] for name, _ in header["columns"]}
            for _ in decoder.parts(header["rows"]):
                for column in columns.values():
                    column += decoder.values()
                    if decoder.received > allowed:
                        raise decoder.gone()
    except NotDecodedError as error:
        error.report(problems, document.name)
        return None
    return columns


def parquet_pieces(path: str, rows: int, problems: Problems) -> Iterator[dict[str, list[Any]]]:
    """The columns of a file, so many rows at a time; it ends early, with a problem, where the file cannot be read."""
    limits = Limits(0, VALUE_BYTES, EXTRA_MEMORY + VALUE_BYTES, DECODING_SECONDS)
    try:
        with Decoder(path, limits, rows=rows, batch=rows * PIECES_AT_ONCE) as decoder:
            header = decoder.header()
            names = [name for name, _ in header["columns"]]
            for _ in decoder.parts(header["rows"]):
                yield {name: decoder.values() for name in names}
    except NotDecodedError as error:
        error.report(problems, path)


def _start() -> subprocess.Popen[bytes]:
    """Start a process with the same packages as this one; its error output is discarded."""
    found = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "2"}
    return subprocess.Popen(
        [sys.executable, "-P", str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | found,
    )


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait for it, so that its status is known."""
    with contextlib.suppress(OSError), worker:
        worker.kill()


@atexit.register
def _end_all() -> None:
    while _idle:
        _end(_idle.pop())


def _forget_all() -> None:
    """After a fork, leave the processes to the parent."""
    for worker in _idle:
        worker.returncode = 0
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
