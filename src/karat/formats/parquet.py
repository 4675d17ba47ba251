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
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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
_ASKED, _FRAME = struct.Struct(">5Q"), struct.Struct(">Q")

_idle: list[subprocess.Popen[bytes]] = []
"""Processes waiting for a file."""


def read_parquet(document: Document, problems: Problems) -> dict[str, list[Any]] | None:
    """The columns of a Parquet file; None if it cannot be read, which is reported."""
    if find_spec("polars") is None:
        raise UsageError(NEEDS_POLARS)
    worker = _idle.pop() if _idle else _start()
    if worker.poll() is not None:  # killed while it waited
        _end(worker)
        worker = _start()
    size = len(document.data)
    allowed = max(VALUE_BYTES, VALUE_BYTES_PER_BYTE * size)
    limits = MAX_TABLE_CELLS, allowed, EXTRA_MEMORY + allowed, DECODING_SECONDS + size // BYTES_PER_SECOND
    again = False
    try:
        answer, columns, received = _ask(worker, document.data, limits)
        again = not ("too_large" in answer or answer.get("panicked")) and max(size, received) < REUSED_BELOW
    except (OSError, EOFError, ValueError):
        answer, columns = {"damaged": _why_gone(worker, limits)}, {}
    finally:
        if again:
            _idle.append(worker)
        else:
            _end(worker)
    _report(answer, document.name, allowed, problems)
    return columns if "names" in answer else None


def _report(answer: dict[str, Any], name: str, allowed: int, problems: Problems) -> None:
    """Report what the process said was wrong with a file."""
    if "too_large" in answer:
        limit = f"{MAX_TABLE_CELLS:,} cells, and {readable_size(allowed)} in memory"
        problems.add("too-large", answer["too_large"], file=name, limit=limit)
    elif "damaged" in answer:
        said = str(answer["damaged"])  # messages of a crash are of no use to users
        why = "" if "panic" in said.lower() or "unwrap()" in said else f" ({said})"
        problems.add("parquet", f"a Parquet file that cannot be decoded{why}", file=name)


def parquet_pieces(path: str, rows: int, problems: Problems) -> Iterator[dict[str, list[Any]]]:
    """The columns of a file, so many rows at a time; it ends early, with a problem, where the file cannot be read."""
    if find_spec("polars") is None:
        raise UsageError(NEEDS_POLARS)
    limits = MAX_TABLE_CELLS, VALUE_BYTES, EXTRA_MEMORY + VALUE_BYTES, DECODING_SECONDS
    worker = _start(path, str(rows), *map(str, limits[1:]))
    try:
        answer, _ = _frame(worker, VALUE_BYTES)
        done = 0
        while "names" in answer and done < answer["rows"]:
            columns, _ = _frame(worker, VALUE_BYTES)
            if isinstance(columns, dict):
                answer = columns
                break
            yield dict(zip(answer["names"], columns, strict=True))
            done += len(columns[0])
    except (OSError, EOFError, ValueError):
        answer = {"damaged": _why_gone(worker, limits)}
    finally:
        _end(worker)
    _report(answer, path, VALUE_BYTES, problems)


def _start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start a process with the same packages as this one; its error output is discarded."""
    found = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "POLARS_MAX_THREADS": "2"}
    return subprocess.Popen(
        [sys.executable, "-P", str(WORKER), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | found,
    )


def _ask(
    worker: subprocess.Popen[bytes], data: bytes, limits: tuple[int, int, int, int]
) -> tuple[dict[str, Any], dict[str, list[Any]], int]:
    """The first answer, the columns, and the bytes received; an error if the process stops early."""
    assert worker.stdin is not None
    worker.stdin.write(_ASKED.pack(len(data), *limits))
    worker.stdin.write(data)
    worker.stdin.flush()
    answer, received = _frame(worker, limits[1])
    columns: dict[str, list[Any]] = {}
    for name in answer.get("names", ()):
        column = columns[name] = []
        while len(column) < answer["rows"]:
            values, size = _frame(worker, limits[1] - received)
            received += size
            column += values
    return answer, columns, received


def _frame(worker: subprocess.Popen[bytes], most: int) -> tuple[Any, int]:
    assert worker.stdout is not None
    length = worker.stdout.read(_FRAME.size)
    size = _FRAME.unpack(length)[0] if len(length) == _FRAME.size else most + 1
    if size > most:
        raise EOFError
    payload = worker.stdout.read(size)
    if len(payload) < size:
        raise EOFError
    return msgspec.msgpack.decode(payload), size


def _why_gone(worker: subprocess.Popen[bytes], limits: tuple[int, int, int, int]) -> str:
    _end(worker)
    if worker.returncode == -getattr(signal, "SIGALRM", 0):
        return f"it takes longer than {limits[3]} seconds"
    return f"it breaks the decoder, or needs more than {readable_size(limits[2])} of memory"


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
