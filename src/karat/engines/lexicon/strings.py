"""Strings in flat arrays, found by hash: nothing is built when they are loaded."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FREE = -1


@dataclass(frozen=True, eq=False)
class StringArrays:
    """Strings end to end, where each starts, and an open-addressed table of their numbers."""

    text: NDArray[np.uint8]
    starts: NDArray[np.int32]
    slots: NDArray[np.int32]


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
