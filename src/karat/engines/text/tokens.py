"""Tokens: words, numbers and punctuation marks of a text, in its own spelling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from karat.arrays import Int32s, Ints
from karat.engines.text.vocabulary import Vocabulary

_LETTER = r"[^\W\d_]"
_DOTTED = (
    "Mr|Mrs|Ms|Dr|St|Jr|Sr|Inc|Corp|Co|Ltd|vs|Gen|Sen|Rep|Gov|Prof|Sgt|Lt|Col|Capt|Cmdr|Rev|Hon|Mt|Ft|"
    "Jan|Feb|Aug|Sept|Oct|Nov|Dec"
)
# The commonest kind first, and possessive: two thirds of all tokens are tried against one alternative.
TOKEN = re.compile(
    rf"{_LETTER}++(?![.'’])"
    rf"|(?:{_LETTER}\.){{2,}}"  # U.S., a.m.
    rf"|(?:{_DOTTED})\."
    rf"|{_LETTER}['’][A-Z]{_LETTER}++"  # O'Brien
    rf"|{_LETTER}++"
    rf"|\d++(?:[.,]\d++)*+(?:(?:st|nd|rd|th|s)(?![^\W_]))?"  # 1,500.5 5th 1990s
    rf"|['’](?:s|t|re|ve|ll|d|m)(?![^\W_])"
    rf"|\.\.\.|[^\w\s]|_"
)


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a batch of texts, one row per token: text i has the rows starts[i] to starts[i + 1]."""

    starts: Ints
    forms: Int32s
    """The id of each token's spelling in the vocabulary."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def pair(self) -> Ints:
        """The text, and so the pair, that each token is of."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def place(self) -> Int32s:
        """The place of each token in its text."""
        return (np.arange(len(self.forms)) - self.starts[self.pair]).astype(np.int32)

    def rows(self, text: int) -> slice:
        """The rows of one text."""
        return slice(int(self.starts[text]), int(self.starts[text + 1]))


def tokenise(texts: Sequence[str], vocabulary: Vocabulary) -> Tokens:
    """The tokens of each text."""
    return index_tokens(list(map(TOKEN.findall, texts)), vocabulary)


def index_tokens(spelled: Sequence[Sequence[str]], vocabulary: Vocabulary) -> Tokens:
    """Tokens that are at hand as strings."""
    starts = np.zeros(len(spelled) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, spelled), dtype=np.int64, count=len(spelled)), out=starts[1:])
    forms = map(vocabulary.__getitem__, chain.from_iterable(spelled))
    return Tokens(starts, np.fromiter(forms, dtype=np.int32, count=int(starts[-1])))


def find_spans(text: str, spelled: Sequence[str]) -> list[tuple[int, int]]:
    """Where each of the tokens stands in its text, in order; worked out only for what is shown to people."""
    found, place = [], 0
    for token in spelled:
        begin = text.index(token, place)
        place = begin + len(token)
        found.append((begin, place))
    return found
