"""How one word bears on another."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from karat.arrays import Bytes, Int32s, Singles


class Part(IntEnum):
    """A part of speech of the dictionary; `1 << part` is its bit in a mask."""

    NOUN = 0
    VERB = 1
    ADJECTIVE = 2
    ADVERB = 3


class Relation(IntEnum):
    """What holds from a word of the text to a word of the hypothesis; of equally strong ones the first counts."""

    NONE = 0
    SAME = 1
    SYNONYM = 2
    ANTONYM = 3
    DERIVED = 4
    HYPERNYM = 5
    ENTAILS = 6
    PART = 7


class Bearings(NamedTuple):
    """What each lemma of a dictionary bears on: lemma a has the rows `starts[a]:starts[a + 1]`, sorted by word."""

    starts: Int32s
    words: Int32s
    relations: Bytes
    strengths: Singles


SUPPORTING = (
    Relation.SAME,
    Relation.SYNONYM,
    Relation.DERIVED,
    Relation.HYPERNYM,
    Relation.ENTAILS,
    Relation.PART,
)
"""Relations under which the text's word speaks for the hypothesis's; ANTONYM speaks against."""
SUPPORTS = np.isin(list(Relation), SUPPORTING)
"""Whether a relation is one of those, by its code."""
