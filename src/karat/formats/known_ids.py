"""Which ids were met before, in little memory however many there are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LARGEST = 1 << 22
"""Ids in one sorted array; more of them are kept in several, which are searched one after the other."""


class KnownIds:
    """The hashes of all ids met so far: 8 bytes each, so ten million are 80 MB.

    Two of ten million different ids have the same hash with a probability of 3 in a million; the later pair would then
    be set aside, and listed.
    """

    def __init__(self) -> None:
        self._sorted: list[NDArray[np.uint64]] = []

    def again(self, ids: Sequence[str]) -> list[bool]:
        """Which of these were met before, or earlier among these; they all count as met from now on."""
        hashes = b"".join(
            hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest() for name in ids
        )
        new = np.frombuffer(hashes, dtype=np.uint64)
        met = np.ones(len(new), dtype=bool)
        distinct, first = np.unique(new, return_index=True)
        met[first] = False
        for known in self._sorted:
            places = np.minimum(np.searchsorted(known, new), len(known) - 1)
            met |= known[places] == new
        self._add(distinct)
        return met.tolist()

    def _add(self, distinct: NDArray[np.uint64]) -> None:
        """Merge arrays of about equal length, so that there are few of them and each hash is moved seldom."""
        if len(distinct):
            self._sorted.append(distinct)
        while len(self._sorted) > 1 and len(self._sorted[-2]) <= len(self._sorted[-1]) < LARGEST:
            last = self._sorted.pop()
            merged = np.concatenate([self._sorted.pop(), last])
            merged.sort(kind="stable")  # merges what is sorted, in half the memory of another sort
            self._sorted.append(merged)
