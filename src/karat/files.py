"""Files: written whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from karat.errors import UsageError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file beside the one that is there, and put it in its place when it is done.

    What was there stays as it was where the disk is full, or the program is stopped. What is no file of its own, a
    pipe or a terminal, is written to as it is.
    """
    target = Path(os.path.realpath(path))
    special = target.exists() and not target.is_file()
    beside = target if special else target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        beside.write_bytes(data)
        if not special:
            beside.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    finally:
        if not special:
            beside.unlink(missing_ok=True)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Whether a file could be written: told before long work, and not after it."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(f"cannot write {path}: {folder} is no folder; make it first, or name another")
    if Path(path).is_dir():
        raise UsageError(f"cannot write {path}: it is a folder; name a file in it")


def refuse_input(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Whether a file that was read would be written over."""
    target = os.path.realpath(path)
    if any(name and os.path.realpath(name) == target for name in inputs):
        raise UsageError(f"cannot write {path}: it is one of the files that were read; name another")
