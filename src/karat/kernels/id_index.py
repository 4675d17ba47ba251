"""Words within bytes, found and looked up without making a string of each.

Two words are compared by their lengths and by their bytes, eight at a time, so equality is exact; the hash only
decides where to look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Ints

Chunks = NDArray[np.uint64]

BYTES_AT_A_TIME = 8
LONGEST_WORD = 64
"""Longer words are looked up in a dictionary of strings instead."""
WORDS_AT_A_TIME = 1 << 16
"""Words looked up at a time, so that the work fits into the processor's cache."""
_MASKS = np.array([(1 << (8 * length)) - 1 for length in range(BYTES_AT_A_TIME + 1)], dtype=np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Words(Sequence[str]):
    """Words of ASCII text, as start and length of each; a string is made only when a word is asked for."""

    data: bytes
    starts: Ints
    lengths: Ints

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Words: ...
    def __getitem__(self, place: int | slice) -> str | Words:
        if isinstance(place, slice):
            return Words(self.data, self.starts[place], self.lengths[place])
        start = int(self.starts[place])
        return self.data[start : start + int(self.lengths[place])].decode("ascii")

    def __len__(self) -> int:
        return len(self.starts)

    def chunks(self, number: int) -> Chunks:
        """Bytes 8·number to 8·number + 7 of each word as one integer, with zeros after the end of the word."""
        if len(self.data) < BYTES_AT_A_TIME:
            return self._at(self.data.ljust(BYTES_AT_A_TIME, b"\0"), number)
        return self._at(self.data, number)

    def _at(self, data: bytes, number: int) -> Chunks:
        windows: Chunks = np.ndarray((len(data) - BYTES_AT_A_TIME + 1,), dtype="<u8", buffer=data, strides=(1,))
        starts = self.starts + BYTES_AT_A_TIME * number
        # Near the end of the data, the window starts earlier and the bytes before the word are shifted out.
        begin = np.minimum(starts, len(windows) - 1)
        shift = (8 * np.minimum(starts - begin, BYTES_AT_A_TIME - 1)).astype(np.uint64)
        left = np.clip(self.lengths - BYTES_AT_A_TIME * number, 0, BYTES_AT_A_TIME)
        return (windows[begin] >> shift) & _MASKS[left]

    def hashes(self, chunks: int) -> Chunks:
        """A hash of each word, from its length and its first chunks."""
        value = self.lengths.astype(np.uint64)
        for number in range(chunks):
            value = (value ^ self.chunks(number)) * _MIX
            value ^= value >> np.uint64(29)
        return value * _MIX


def two_columns(data: bytes, longest: int) -> tuple[Words, Words] | None:
    """The two columns of a file in which every line is a word, one blank or tab, and a word; None for other files."""
    if not data.isascii():
        return None
    characters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(characters <= 32)
    if len(ends) < 2 or len(ends) % 2 or ends[-1] != len(data) - 1:
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts
    between, after = characters[ends[::2]], characters[ends[1::2]]
    tidy = ((between == 9) | (between == 32)).all() and (after == 10).all() and lengths.min() > 0
    if not tidy or int(lengths.max()) > longest:
        return None
    return Words(data, starts[::2], lengths[::2]), Words(data, starts[1::2], lengths[1::2])


def words_of(strings: Sequence[str]) -> Words | None:
    """Strings as `Words`; None if one of them is empty, not ASCII, very long, or contains blanks."""
    joined = "\n".join(strings) + "\n"
    if not joined.isascii():
        return None
    data = joined.encode("ascii")
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) <= 32)
    if len(ends) != len(strings) or not len(ends):
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts
    return Words(data, starts, lengths) if lengths.min() > 0 and lengths.max() <= LONGEST_WORD else None


class Index:
    """The positions of distinct words, looked up for many words at once (open addressing, linear probing)."""

    def __init__(self, words: Words) -> None:
        self.longest = int(words.lengths.max())
        self.number = -(-self.longest // BYTES_AT_A_TIME)
        self.chunks = [words.chunks(number) for number in range(self.number)]
        bits = max(4, (4 * len(words) - 1).bit_length())
        self.shift, self.last = np.uint64(64 - bits), np.int64((1 << bits) - 1)
        self.table = np.full(1 << bits, -1, dtype=np.int32)
        waiting = np.arange(len(words), dtype=np.int32)
        slots = self._slots(words)
        while len(waiting):
            free = self.table[slots] < 0
            self.table[slots[free]] = waiting[free]
            homeless = self.table[slots] != waiting
            waiting, slots = waiting[homeless], (slots[homeless] + 1) & self.last

    def _slots(self, words: Words) -> Ints:
        return (words.hashes(self.number) >> self.shift).astype(np.int64)

    def find(self, words: Words) -> Ints:
        """The position of each word, -1 for unknown words."""
        places = np.empty(len(words), dtype=np.int64)
        for start in range(0, len(words), WORDS_AT_A_TIME):
            places[start : start + WORDS_AT_A_TIME] = self._find(words[start : start + WORDS_AT_A_TIME])
        return places

    def _find(self, words: Words) -> Ints:
        places = np.full(len(words), -1, dtype=np.int64)
        chunks = [words.chunks(number) for number in range(self.number)]
        waiting = np.flatnonzero(words.lengths <= self.longest)
        slots = self._slots(words)[waiting]
        while len(waiting):
            candidates = self.table[slots]
            some = candidates >= 0
            waiting, slots, candidates = waiting[some], slots[some], candidates[some]
            equal = np.ones(len(waiting), dtype=bool)
            for mine, theirs in zip(self.chunks, chunks, strict=True):
                equal &= mine[candidates] == theirs[waiting]
            places[waiting[equal]] = candidates[equal]
            waiting, slots = waiting[~equal], (slots[~equal] + 1) & self.last
        return places


def distinct(words: Sequence[str], most: int = 16) -> tuple[list[str], Ints]:
    """The distinct words in order of appearance, and for each word which of them it is."""
    if isinstance(words, Words) and len(words) and int(words.lengths.max()) <= LONGEST_WORD:
        chunks = [words.chunks(number) for number in range(-(-int(words.lengths.max()) // BYTES_AT_A_TIME))]
        which = np.full(len(words), -1, dtype=np.int64)
        found: list[str] = []
        while len(found) < most:
            first = int(which.argmin())
            if which[first] >= 0:
                return found, which
            which[np.logical_and.reduce([chunk == chunk[first] for chunk in chunks])] = len(found)
            found.append(words[first])
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return list(numbers), np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
