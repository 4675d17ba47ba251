"""Files and their cells.

Files are read up to a limit, written completely or not at all, and never over one that this command used. Cells are
read as numbers only if every program would, and are not written as formulas.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO

from karat.errors import UsageError, spelled_out

PathLike = str | os.PathLike[str]
NEW_FILE_MODE = 0o666
"""The mode of a new file, before the user's mask."""
SHELL_PIPES = ("/dev/fd/", "/proc/self/fd/")
"""Where a shell puts the pipe for `<(command)`."""
DROPPED = r"""'"\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff"""
"""Characters that a spreadsheet may remove or hide at the beginning of a cell."""
SEPARATOR = re.compile(r"[;|\t]")
"""What a reader of CSV may take for the separator of fields."""
FORMULA = re.compile(rf"[{DROPPED}]*[=+\-@＝＋－＠]|['\"]*[\t\r\n]")
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

_met: ContextVar[set[tuple[int, int]] | None] = ContextVar("_met", default=None)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Inside, a file that was read or written cannot be overwritten, so that a slip destroys no key and no result."""
    token = _met.set(set())
    try:
        yield
    finally:
        _met.reset(token)


def is_folder(path: PathLike) -> bool:
    """Whether the folder exists; False for an impossible name, where `Path` would raise."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises


def is_file(path: PathLike) -> bool:
    """Whether the file exists; False for an impossible name."""
    return os.path.isfile(path)  # noqa: PTH113 - `Path.is_file` raises


def read_bytes(path: PathLike, limit: int) -> bytes:
    """The content of a file ("-" is standard input), up to one byte more than the limit; raises `OSError` if missing.

    Devices may never end and pipes may never begin, so only pipes that the shell put in place of a file are read.
    """
    if path == "-":
        if sys.stdin is None:
            raise OSError(None, "standard input is closed")
        return sys.stdin.buffer.read(limit + 1)
    with open_file(path) as file:
        return file.read(limit + 1)


def was_used(path: PathLike) -> bool:
    """Whether a file was read or written here, which must not be overwritten."""
    if not is_file(path):
        return False
    facts = os.stat(path)  # noqa: PTH116 - a path of any kind
    return (facts.st_dev, facts.st_ino) in (_met.get() or ())


def open_file(path: PathLike) -> io.BufferedReader:
    """A file to read from, never a device or a pipe, which may have no end; raises `OSError` if it is missing."""
    file = open(path, "rb", opener=_opened)  # noqa: SIM115 - the caller closes it; a Path takes no opener
    _meet(os.fstat(file.fileno()))
    return file


def _meet(facts: os.stat_result) -> None:
    met = _met.get()
    if met is not None:
        met.add((facts.st_dev, facts.st_ino))


def _opened(path: str, flags: int) -> int:
    """Open without waiting for a writer."""
    opened = os.open(path, flags | os.O_NONBLOCK)
    regular = stat.S_ISREG(os.fstat(opened).st_mode)
    if stat.S_ISDIR(os.fstat(opened).st_mode) or regular or path.startswith(SHELL_PIPES):
        os.set_blocking(opened, True)
        return opened
    os.close(opened)
    raise OSError(None, "a device or a pipe, not a file", path)


def write_out(data: bytes) -> None:
    """Write bytes to standard output, so that ⊢ and – reach a pipe whatever the locale.

    A pipe or a file gets them unchanged; on a terminal control characters are spelled out.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed: name a file, -o FILE")
    if sys.stdout.isatty():
        lines = data.decode("utf-8", "backslashreplace").split("\n")
        data = "\n".join("\t".join(map(spelled_out, line.split("\t"))) for line in lines).encode()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def write_whole(path: PathLike, data: bytes | BinaryIO) -> None:
    """Write a new file beside the old one and then replace it.

    If the disk is full or the program is stopped, the old file stays as it was; its mode is kept. The temporary name
    cannot be guessed and is never an existing link. A pipe or a terminal is written to directly. Of an open file, what
    is left to read of it is written.
    """
    source = io.BytesIO(data) if isinstance(data, bytes) else data
    target = Path(os.path.realpath(path))
    try:
        there = target.stat() if target.exists() else None
        if there is not None and (there.st_dev, there.st_ino) in (_met.get() or ()):
            raise UsageError(
                f"cannot write {path}: it is one of the files that were read or written; name another file"
            )
        if there is not None and not stat.S_ISREG(there.st_mode):
            with target.open("wb") as file:
                shutil.copyfileobj(source, file)
        else:
            _replace(target, source, new_mode() if there is None else stat.S_IMODE(there.st_mode))
            _meet(target.stat())
    except (OSError, ValueError) as error:  # ValueError: an impossible name
        raise UsageError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _replace(target: Path, source: BinaryIO, mode: int) -> None:
    import tempfile  # here: `karat --help` writes nothing

    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=".karat-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(mode)
        Path(beside).replace(target)
    finally:
        Path(beside).unlink(missing_ok=True)


def new_mode() -> int:
    """The mode of a new file; the mask can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return NEW_FILE_MODE & ~mask


def check_folder(path: PathLike) -> None:
    """Raise an error if a file cannot be written, before long work instead of after it."""
    folder = Path(os.path.realpath(path)).parent
    if not is_folder(folder):
        raise UsageError(f"cannot write {path}: {folder} is not a folder; create it first, or name another")
    if is_folder(path):
        raise UsageError(f"cannot write {path}: it is a folder; name a file in it")


def counting_number(text: str) -> int | None:
    """The whole number from 1 that a text is; None if it is anything else, or longer than anything that is counted."""
    return int(text) or None if text.isascii() and text.isdecimal() and len(text) < 10 else None


def as_number(value: object) -> float:
    """A cell as a number, or NaN if it is not one; `1_0`, `٣` and `true` are numbers only to Python."""
    if isinstance(value, bool) or (isinstance(value, str) and ("_" in value or not value.isascii())):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def whole_number(name: str) -> str | None:
    """A whole number without zeros before it and after its decimal point, `8` for `08` and `8.0`; else None."""
    whole, _, decimals = name.strip().partition(".")
    return whole.lstrip("0") or "0" if whole.isdecimal() and not decimals.strip("0") else None


def guarded_cell(value: Any) -> Any:
    """A value as a cell of CSV or TSV, with an apostrophe before formulas; numbers are unchanged.

    A carriage return becomes a line feed: some readers take it for the end of a row, and the next row could begin with
    a formula.
    """
    if not isinstance(value, str):
        return value
    value = value.replace("\r\n", "\n").replace("\r", "\n") if "\r" in value else value
    return "'" + value if is_formula(value) else value


def unguarded_cell(cell: str) -> str:
    """The text of a cell without an apostrophe added by `guarded_cell`."""
    return cell[1:] if cell[:1] == "'" and is_formula(cell[1:]) else cell


def is_formula(text: str) -> bool:
    """Whether a spreadsheet could run a text as a formula: `-1.5+3` is one; `-1.5` is a number, and `-` no label.

    A formula after apostrophes is one too, so that `unguarded_cell` removes exactly what `guarded_cell` added.
    """
    return text != "-" and FORMULA.match(text) is not None and NUMBER.fullmatch(text) is None


def csv_text(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Rows of guarded cells under a header whose names are quoted if a reader could take a part for a separator."""
    text = io.StringIO()
    names = list(map(guarded_cell, header))
    special = any(SEPARATOR.search(name) for name in names)
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if special else csv.QUOTE_MINIMAL).writerow(names)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
