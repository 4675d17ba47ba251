"""Which ids were met before, in little memory however many there are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LARGEST = 1 << 20
"""Ids in an array that is merged no more, since merging takes as much again; all arrays are searched."""


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
        before = np.zeros(len(distinct), dtype=bool)
        for known in self._sorted:  # what is sought is sorted, so that the search stays in the processor's cache
            places = np.minimum(np.searchsorted(known, distinct), len(known) - 1)
            before |= known[places] == distinct
        met[first] = before
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
