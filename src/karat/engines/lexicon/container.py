"""Named arrays and strings in one file that is mapped into memory, and is either whole or not believed."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Int32s

FREE = -1


@dataclass(frozen=True, eq=False)
class StringArrays:
    """Strings end to end, where each starts, and an open-addressed table of their numbers."""

    text: NDArray[np.uint8]
    starts: Int32s
    slots: Int32s


def string_arrays(strings: Sequence[str]) -> StringArrays:
    """The arrays of different strings, numbered as they come."""
    encoded = [string.encode() for string in strings]
    starts = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([len(one) for one in encoded], out=starts[1:])
    # At most a third full, so that a look-up seldom takes a second step.
    size = 1 << max(3 * len(encoded), 1).bit_length()
    slots = [FREE] * size
    for number, one in enumerate(encoded):
        slot = zlib.crc32(one) & (size - 1)
        while slots[slot] != FREE:
            slot = (slot + 1) & (size - 1)
        slots[slot] = number
    return StringArrays(np.frombuffer(b"".join(encoded), np.uint8), starts, np.array(slots, np.int32))


class StringTable:
    """Numbers of strings, and strings of numbers."""

    def __init__(self, arrays: StringArrays) -> None:
        # Memory views give plain integers and bytes, several times faster than scalars of numpy.
        self._text = arrays.text.data
        self._starts = arrays.starts.data
        self._slots = arrays.slots.data
        self._mask = len(arrays.slots) - 1

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < len(self):
            raise IndexError(number)
        return str(self._text[self._starts[number] : self._starts[number + 1]], "utf-8")

    def find(self, string: str) -> int:
        """The number of a string, -1 where it is not there."""
        sought = string.encode("utf-8", "surrogatepass")
        slot = zlib.crc32(sought) & self._mask
        while (number := self._slots[slot]) != FREE:
            if self._text[self._starts[number] : self._starts[number + 1]] == sought:
                return number
            slot = (slot + 1) & self._mask
        return FREE


Array = NDArray[Any]
MAGIC = b"karat arrays 1\n"
ALIGNED = 64
HEAD = len(MAGIC) + 20
"""The magic line, the length of the description (8), of the whole (8), and the checksum of all that follows (4)."""
UNFINISHED = ".part"
ABANDONED = 3600
"""Seconds after which an unfinished file is no longer being written: its process was killed."""


def write_arrays(path: Path, facts: Mapping[str, object], arrays: Mapping[str, Array]) -> None:
    """Write a file that appears whole or not at all, whoever else writes it and whenever this is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _tidy(path.parent)
    content = pack(facts, arrays)
    handle, name = tempfile.mkstemp(prefix=path.stem + "-", suffix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # Made for this user alone, as temporary files are; a cache that several share is there to be read.
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Array]] | None:
    """The facts and the arrays, mapped and read-only; none where the file is absent, cut short or damaged."""
    try:
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return unpack(content)


def pack(facts: Mapping[str, object], arrays: Mapping[str, Array]) -> bytes:
    """Facts and arrays as the bytes of a file."""
    places: dict[str, tuple[str, tuple[int, ...], int]] = {}
    pieces: list[bytes] = []
    at = 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        places[name] = (array.dtype.str, array.shape, at)
        padding = -len(data) % ALIGNED
        pieces += [data, bytes(padding)]
        at += len(data) + padding
    described = json.dumps({"facts": dict(facts), "arrays": places}).encode()
    described += b" " * (-(HEAD + len(described)) % ALIGNED)
    body = b"".join([described, *pieces])
    sizes = len(described).to_bytes(8, "little") + (HEAD + len(body)).to_bytes(8, "little")
    return MAGIC + sizes + zlib.crc32(sizes + body).to_bytes(4, "little") + body


def unpack(content: bytes | mmap.mmap) -> tuple[dict[str, Any], dict[str, Array]] | None:
    """What `pack` made, without a copy; none where the bytes are not exactly what it made."""
    view = memoryview(content)
    if len(view) < HEAD or view[: len(MAGIC)] != MAGIC:
        return None
    sizes = view[len(MAGIC) : len(MAGIC) + 16]
    described, whole = int.from_bytes(sizes[:8], "little"), int.from_bytes(sizes[8:], "little")
    checksum = int.from_bytes(view[HEAD - 4 : HEAD], "little")
    if whole != len(view) or zlib.crc32(view[HEAD:], zlib.crc32(sizes)) != checksum:
        return None
    head = json.loads(bytes(view[HEAD : HEAD + described]))
    start = HEAD + described
    arrays = {
        name: np.frombuffer(content, dtype, count=int(np.prod(shape)), offset=start + at).reshape(shape)
        for name, (dtype, shape, at) in head["arrays"].items()
    }
    return head["facts"], arrays


def _tidy(folder: Path) -> None:
    """Remove what killed processes left."""
    for left in folder.glob(f"*{UNFINISHED}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()
