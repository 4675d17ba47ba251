"""Word lists as arrays: what a list says of a word is looked up by the word's id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bytes
from karat.engines.knowledge import Knowledge

SPARE = 4096
"""Ids to come that an array has room for, so that it is not made anew with every batch."""


class Marks:
    """A code for some lemmas, or for some spellings in lower case; 0 for all others.

    The words of the list get their ids when the array is made, so words met later are never among them, and the array
    only has to grow.
    """

    def __init__(self, codes: Mapping[str, int] | Iterable[str], by: Literal["lemma", "spelling"] = "lemma") -> None:
        self._codes = dict(codes) if isinstance(codes, Mapping) else dict.fromkeys(codes, 1)
        self._by = by
        self._made: WeakKeyDictionary[Knowledge, Bytes] = WeakKeyDictionary()

    def of(self, knowledge: Knowledge, ids: NDArray[np.int32]) -> Bytes:
        """The code of each lemma or spelling."""
        vocabulary, made = knowledge.vocabulary, self._made.get(knowledge)
        places: list[int] = []
        if made is None:
            made = np.zeros(0, dtype=np.int8)
            spelled = self._by == "spelling"
            places = [vocabulary[word] if spelled else vocabulary.lemma_id(word) for word in self._codes]
        ends = len(vocabulary.forms) if self._by == "spelling" else vocabulary.lemma_count
        if len(made) < ends:
            made = np.concatenate([made, np.zeros(ends + SPARE - len(made), dtype=np.int8)])
            self._made[knowledge] = made
        made[places] = [self._codes[word] for word in self._codes][: len(places)]
        return made[ids] if self._by == "lemma" else made[vocabulary.table.lower[ids]]
