"""Tokens in a text's own spelling; trees: their tags, lemmas and heads; and where trees can come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import chain
from typing import Literal, Protocol

import numpy as np

from karat.arrays import Bytes, Int32s, Ints
from karat.engines.kernels.grammar import PART_OF, Dependency, Tag
from karat.engines.text.vocabulary import Vocabulary, WordTable
from karat.errors import Problem

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
    found, place, index = [], 0, text.index
    for token in spelled:
        begin = index(token, place)
        place = begin + len(token)
        found.append((begin, place))
    return found


_PARTS = np.array([PART_OF.get(tag, -1) if tag is not Tag.AUX else -1 for tag in Tag], dtype=np.int64)
"""An auxiliary has one lemma, whatever else the spelling may be (won 't: will)."""


def lemmas_by_tag(table: WordTable, forms: Int32s, tags: Bytes) -> Int32s:
    """The lemma of each token as the part of speech that its tag says, and the usual one for other tags."""
    part = _PARTS[tags]
    return np.where(part >= 0, table.lemmas[forms, np.maximum(part, 0)], table.lemma[forms])


Side = Literal["T", "H"]
CONLLU = "CoNLL-U"
"""What the names of sources begin with that are files of parses."""


@dataclass(frozen=True, eq=False)
class Trees:
    """What a parser says of each token, one row per token, in the rows of its `Tokens`."""

    tags: Bytes
    lemmas: Int32s
    heads: Int32s
    """The place of the head within the text (0 is its first token); -1 at the root of a sentence."""
    dependencies: Bytes
    """How each token depends on its head: codes of `Dependency`."""
    sentences: Int32s
    """The sentence of the text that a token is in, from 0."""


class TreeSource(Protocol):
    """A parser, or a file of parses: it decides what the tokens are, and how they hang together."""

    name: str
    """What signatures say of it."""
    warnings: tuple[Problem, ...]
    """What the reader of a file of parses warned of."""

    def tokens(self, ids: Sequence[str], side: Side, texts: Sequence[str], vocabulary: Vocabulary) -> Tokens:
        """The tokens of texts (the T or H of the pairs `ids`)."""
        ...

    def trees(self, ids: Sequence[str], side: Side, tokens: Tokens, vocabulary: Vocabulary) -> Trees:
        """The trees over these tokens."""
        ...


class Role(IntEnum):
    """What a word is to the word it depends on."""

    NONE = 0
    SUBJECT = 1
    OBJECT = 2
    OBLIQUE = 3
    MODIFIER = 4
    BEING = 5
    """What something is said to be: by is, or by an apposition."""
    CLAUSE = 6


_ROLES = np.zeros(len(Dependency), dtype=np.int8)
for _role, _dependencies in {
    Role.SUBJECT: (Dependency.NSUBJ, Dependency.OBL_AGENT),
    Role.OBJECT: (Dependency.OBJ, Dependency.NSUBJ_PASS),
    Role.OBLIQUE: (Dependency.OBL, Dependency.IOBJ),
    Role.MODIFIER: (
        Dependency.NMOD, Dependency.NMOD_POSS, Dependency.AMOD, Dependency.ADVMOD, Dependency.COMPOUND,
        Dependency.NUMMOD, Dependency.FLAT,
    ),
    Role.BEING: (Dependency.APPOS,),
    Role.CLAUSE: (
        Dependency.ACL, Dependency.ACL_RELCL, Dependency.ADVCL, Dependency.CCOMP, Dependency.XCOMP, Dependency.CONJ,
    ),
}.items():  # fmt: skip
    _ROLES[list(_dependencies)] = _role
_EMPTY = np.isin(np.arange(len(Tag)), (Tag.PUNCT, Tag.DET, Tag.ADP, Tag.AUX, Tag.CCONJ, Tag.SCONJ, Tag.PART))


def roles(tokens: Tokens, trees: Trees) -> Bytes:
    """The role of each word; none where there is no tree."""
    made = _ROLES[trees.dependencies]
    made[_EMPTY[trees.tags] | (trees.heads < 0)] = Role.NONE
    over = np.where(trees.heads >= 0, tokens.starts[tokens.pair] + trees.heads, -1)
    copular = np.zeros(len(made) + 1, dtype=bool)
    copular[over[trees.dependencies == Dependency.COP]] = True
    copular[-1] = False
    made[(made == Role.SUBJECT) & copular[over]] = Role.BEING
    return made
