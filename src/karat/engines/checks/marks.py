"""Word lists of the checks, and how they are looked up by the ids of words.

A signature has two signs: the first for the word asserted, the second for the word denied. `managed to leave` says that
somebody left, `did not manage to leave` that nobody did: +/-. `knew that` and `did not know that` both say it is so:
+/+. `believed that` says nothing either way: 0/0. Verbs of saying are taken at their word when they are asserted, as
readers of news take them, and say nothing when they are denied: +/0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from karat.arrays import Bytes, Int32s
from karat.engines.kernels import contexts
from karat.engines.kernels.contexts import KEEPS, OPEN, SAYS_NOT, SAYS_SO, TURNS
from karat.engines.knowledge import Knowledge
from karat.engines.lists import read_lists
from karat.engines.text import closed

LISTS = read_lists(__file__, "words.txt")
CLAUSE_MARKS = dict.fromkeys(sorted(closed.NEGATIONS - {"nor"}), contexts.NEGATES) | {
    word: getattr(contexts, name) for name, words in LISTS.items() if name.isupper() for word in words
}
"""What a spelling does to the clause it is in."""
_BECOMES = {
    "+/-": (KEEPS, KEEPS),
    "-/+": (TURNS, TURNS),
    "+/+": (SAYS_SO, SAYS_SO),
    "-/0": (SAYS_NOT, OPEN),
    "0/-": (OPEN, KEEPS),
    "0/+": (OPEN, SAYS_SO),
    "+/0": (KEEPS, OPEN),
    "0/0": (OPEN, OPEN),
}

SIGNATURES: dict[str, str] = {}
"""The signature of each word, by lemma; the first that lists a word has it."""
for _signature, _words in read_lists(__file__, "signatures.txt").items():
    for _word in _words:
        SIGNATURES.setdefault(_word, _signature)
IF_ASSERTED = {word: _BECOMES[signature][0] for word, signature in SIGNATURES.items()}
"""What becomes of polarity under a word that is asserted, by lemma."""
IF_DENIED = {word: _BECOMES[signature][1] for word, signature in SIGNATURES.items()}
"""The same under a word that is denied."""
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

    def of(self, knowledge: Knowledge, ids: Int32s) -> Bytes:
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
