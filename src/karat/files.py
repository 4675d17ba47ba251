"""Files: read up to a limit, written whole or not at all, never over one that the command has read or written."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from karat.errors import UsageError, spelled_out

PathLike = str | os.PathLike[str]
NEW = 0o666
"""The mode of a new file, before the user's mask."""
GIVEN = ("/dev/fd/", "/proc/self/fd/")
"""Where a shell puts the pipe that it was asked to give as a file, `<(command)`."""

_met: ContextVar[set[tuple[int, int]] | None] = ContextVar("_met", default=None)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Inside, no file can be written that was read or written before: a slip must not cost a key, or a result."""
    token = _met.set(set())
    try:
        yield
    finally:
        _met.reset(token)


def is_folder(path: PathLike) -> bool:
    """Whether there is such a folder; a name that no file can have is none, where `Path` would raise."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises


def is_file(path: PathLike) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    return os.path.isfile(path)  # noqa: PTH113 - `Path.is_file` raises


def read_bytes(path: PathLike, limit: int) -> bytes:
    """What a file holds ("-" is standard input), up to one byte more than the limit; an `OSError` where there is none.

    Devices never end and pipes may never begin: only what a shell itself put in place of a file is read from.
    """
    if path == "-":
        if sys.stdin is None:
            raise OSError(None, "standard input is closed")
        return sys.stdin.buffer.read(limit + 1)
    with open(path, "rb", opener=_opened) as file:  # a Path takes no opener
        _meet(os.fstat(file.fileno()))
        return file.read(limit + 1)


def _meet(facts: os.stat_result) -> None:
    met = _met.get()
    if met is not None:
        met.add((facts.st_dev, facts.st_ino))


def _opened(path: str, flags: int) -> int:
    """Opened without waiting for somebody to write to it."""
    opened = os.open(path, flags | os.O_NONBLOCK)
    regular = stat.S_ISREG(os.fstat(opened).st_mode)
    if stat.S_ISDIR(os.fstat(opened).st_mode) or regular or path.startswith(GIVEN):
        os.set_blocking(opened, True)
        return opened
    os.close(opened)
    raise OSError(None, "a device or a pipe, not a file", path)


def write_out(data: bytes) -> None:
    """Bytes to standard output, so that ⊢ and – reach a pipe whatever the locale says.

    A pipe or a file gets them as they are; a terminal, which would obey some of them, in letters where it would.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed: name a file, -o FILE")
    if sys.stdout.isatty():
        lines = data.decode("utf-8", "backslashreplace").split("\n")
        data = "\n".join("\t".join(map(spelled_out, line.split("\t"))) for line in lines).encode()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def write_whole(path: PathLike, data: bytes) -> None:
    """Write a file beside the one that is there, and put it in its place when it is done.

    What was there stays as it was where the disk is full or the program is stopped, and hands on its mode. The name
    beside it cannot be guessed, and is never a link that somebody laid there. What is no file of its own, a pipe or a
    terminal, is written to as it is.
    """
    target = Path(os.path.realpath(path))
    try:
        there = target.stat() if target.exists() else None
        if there is not None and (there.st_dev, there.st_ino) in (_met.get() or ()):
            raise UsageError(f"cannot write {path}: it is one of the files that were read or written; name another")
        if there is not None and not stat.S_ISREG(there.st_mode):
            target.write_bytes(data)
        else:
            _replace(target, data, _mode() if there is None else stat.S_IMODE(there.st_mode))
            _meet(target.stat())
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UsageError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _replace(target: Path, data: bytes, mode: int) -> None:
    import tempfile  # here: `karat --help` writes nothing

    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=".karat-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(mode)
        Path(beside).replace(target)
    finally:
        Path(beside).unlink(missing_ok=True)


def _mode() -> int:
    """That of a new file; the mask can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return NEW & ~mask


def check_folder(path: PathLike) -> None:
    """Whether a file could be written: told before long work, and not after it."""
    folder = Path(os.path.realpath(path)).parent
    if not is_folder(folder):
        raise UsageError(f"cannot write {path}: {folder} is no folder; make it first, or name another")
    if is_folder(path):
        raise UsageError(f"cannot write {path}: it is a folder; name a file in it")
