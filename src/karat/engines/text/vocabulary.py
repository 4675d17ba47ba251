"""The vocabulary: what is known of each spelling by itself, worked out once per spelling and looked up by its id.

A word's lemma is an id too: the dictionary's where it has the word, and one of our own after those where it has not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from enum import IntFlag
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Floats, Int32s
from karat.engines.kernels.grammar import TAG_OF, Kind, Tag, Trait, WordKey
from karat.engines.lexicon.inflection import guess, may_be_inflected
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import NO_WORDNET, PARTS, WordNet
from karat.engines.lists import read_lists
from karat.engines.text import closed
from karat.engines.text.guessing import (
    KINDS_KEPT,
    ORDINAL_ENDINGS,
    guess_first_kinds,
    guess_kinds,
    likeliest_part,
    likeness,
)

_LISTS = read_lists(__file__, "traits.txt")
KEYS = {word: WordKey[name] for name, words in _LISTS.items() if name in WordKey.__members__ for word in words}


def _index(*traits: Trait) -> dict[str, int]:
    found: dict[str, int] = {}
    for trait in traits:
        for word in _LISTS[trait.name]:
            found[word] = found.get(word, 0) | trait
    return found


_BY_VERB = _index(Trait.REPORT, Trait.GIVE, Trait.ORDER, Trait.BECOME)
_BY_NOUN = _index(Trait.TIME, Trait.PLAN)
_BY_WORD = _index(Trait.OF_OBJECT, Trait.OF_VERB, Trait.MONTH, Trait.DAY)


_NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(st|nd|rd|th|s)?")


class Flag(IntFlag):
    """Yes-or-no facts of a spelling."""

    CAPITAL = 1
    NUMBER = 4
    PUNCTUATION = 8
    FUNCTION = 16
    NEGATION = 32
    MODAL = 64
    MULTIPLIER = 128
    STOP = 256
    """Ends a sentence."""
    DATE = 512
    """A month or a day of the week."""
    ORDINAL = 1024
    INITIAL = 4096
    """A capital by itself, as in J. Smith."""
    KNOWN = 2048
    """In the dictionary, as a common word."""


EMPTY = int(Flag.FUNCTION | Flag.PUNCTUATION)
"""Words that say nothing by themselves; a plain integer, since enumerations are slow to combine."""
_OPEN = np.isin(np.arange(len(Tag)), (Tag.NOUN, Tag.PROPN, Tag.VERB, Tag.ADJ, Tag.ADV, Tag.NUM, Tag.SYM))


class WordTable(NamedTuple):
    """What every spelling met so far says by itself, as columns."""

    lower: Int32s
    """The id of the same spelling in lower case."""
    lemma: Int32s
    """The lemma where no tag says better."""
    lemmas: Int32s
    """The lemma as a noun, verb, adjective and adverb: spellings × 4."""
    flags: Int32s
    value: Floats
    """What a number says; NaN for other words."""

    def content(self, forms: Int32s, tags: Bytes | None = None, verbs: Bools | None = None) -> Bools:
        """Which words say something by themselves.

        They are spelled like no word of a closed class and no mark and, where tags are given, are of an open class.
        `verbs` are known to be verbs of their own, however they are spelled: "won" may be a part of "won't".
        """
        flags = self.flags[forms]
        said = flags & EMPTY == 0
        if tags is not None:
            said &= _OPEN[tags]
        return said if verbs is None else said | (verbs & (flags & Flag.PUNCTUATION == 0))


class Sorts(NamedTuple):
    """What a tagger knows of words, as columns of a row for each sort: many words are of the same sort."""

    kinds: Bytes
    """The kinds of word it may be, likeliest first, -1 after the last: sorts × KEPT."""
    costs: NDArray[np.int16]
    """What each kind costs."""
    first_kinds: Bytes
    """The kinds at the start of a sentence, where a capital says little."""
    first_costs: NDArray[np.int16]
    key: Bytes
    """Codes of `WordKey`: words that the chunker treats apart."""
    traits: Int32s
    """Bits of `Trait`."""


Row = tuple[Any, ...]


def _columns(rows: Sequence[Row], *types: tuple[type[np.generic], int]) -> list[NDArray[Any]]:
    """Rows as columns of these types and widths."""
    given = zip(*rows, strict=True) if rows else [()] * len(types)
    return [
        np.array(column, dtype=dtype).reshape((-1, width) if width else -1)
        for column, (dtype, width) in zip(given, types, strict=True)
    ]


_KIND, _COST = (np.int8, KINDS_KEPT), (np.int16, KINDS_KEPT)
_WORD = (np.int32, 0), (np.int32, len(Part)), (np.int32, 0), (np.float64, 0)
"""The types and widths of the columns of a table after the first."""
_SORT = _KIND, _COST, _KIND, _COST, (np.int8, 0), (np.int32, 0)
NO_WORDS = WordTable(np.zeros(0, np.int32), *_columns([], *_WORD))
NO_SORTS = Sorts(*_columns([], *_SORT))

_LISTED = frozenset().union(
    closed.CLOSED,
    closed.TAGS,
    closed.LEMMAS,
    closed.NEGATIONS,
    closed.ORDINALS,
    closed.MONTHS,
    closed.DAYS,
    KEYS,
    _BY_WORD,
)
"""Words of which more is known than their spelling and the dictionary say."""
_VALUES = closed.MULTIPLIERS | closed.ORDINALS | closed.NUMBERS
_CAPITAL, _INITIAL, _KNOWN = int(Flag.CAPITAL), int(Flag.INITIAL), int(Flag.KNOWN)


class Vocabulary(dict[str, int]):
    """The id of each spelling: a new one gets the next id, and is looked at when something is asked of it.

    It may begin with what another vocabulary of the same dictionary kept: spellings, lemmas of our own, the table, the
    sort of each spelling, and the sorts.
    """

    def __init__(
        self,
        wordnet: WordNet,
        forms: Sequence[str] = (),
        own_lemmas: Sequence[str] = (),
        table: WordTable = NO_WORDS,
        sort: Int32s = NO_WORDS.lower,
        sorts: Sorts = NO_SORTS,
    ) -> None:
        super().__init__(zip(forms, range(len(forms)), strict=True))
        self.wordnet = wordnet
        self.forms = list(forms)
        self.begun = len(forms)
        """Spellings that it had before any text was read."""
        self.own_lemmas = list(own_lemmas)
        """Lemmas that the dictionary lacks; their ids follow the dictionary's."""
        self._size = len(wordnet)
        self._own = {lemma: self._size + place for place, lemma in enumerate(own_lemmas)}
        self._table, self._sort, self._sorts = table, sort, sorts
        self._new_sorts: list[Row] = []
        self._alike: dict[Row, int] = {}
        """The sorts at hand, by what they depend on."""

    def __missing__(self, form: str) -> int:
        """A spelling met for the first time."""
        self[form] = place = len(self.forms)
        self.forms.append(form)
        return place

    def lemma_id(self, lemma: str) -> int:
        """The id of a lemma, the dictionary's or our own."""
        found = self.wordnet.numbers.get(lemma)
        return self._own_id(lemma) if found is None else found

    def _own_id(self, lemma: str) -> int:
        """The id of a lemma that the dictionary lacks."""
        found = self._own.get(lemma)
        if found is None:
            found = self._own[lemma] = self._size + len(self.own_lemmas)
            self.own_lemmas.append(lemma)
        return found

    def lemma(self, lemma: int) -> str:
        """The spelling of a lemma."""
        return self.wordnet.lemma(lemma) if lemma < self._size else self.own_lemmas[lemma - self._size]

    @property
    def met(self) -> int:
        """How many spellings texts had that were not there before."""
        return len(self.forms) - self.begun

    @property
    def lemma_count(self) -> int:
        """One more than the largest id of a lemma."""
        return self._size + len(self.own_lemmas)

    @property
    def table(self) -> WordTable:
        """The facts of each spelling as arrays; longer where words were met since."""
        begun = len(self._table.lower)
        if begun < len(self.forms):
            ids = [self[form.lower()] for form in self.forms[begun:]]  # which may be met here for the first time
            lower = np.array([*ids, *range(begun + len(ids), len(self.forms))], dtype=np.int32)
            met = self.forms[begun:]
            small = np.flatnonzero(lower == np.arange(begun, len(self.forms)))
            facts = _columns([self._facts(met[row]) for row in small.tolist()], *_WORD)
            made: list[NDArray[Any]] = [np.append(self._table.lower, lower)]
            kept: tuple[NDArray[Any], ...] = self._table[1:]
            for old, known in zip(kept, facts, strict=True):
                column = np.empty((len(self.forms), *old.shape[1:]), dtype=old.dtype)
                column[:begun], column[begun + small] = old, known
                column[begun:] = column[lower]
                made.append(column)
            self._table = WordTable(*made)
            alone = np.array([len(form) == 1 and form != "I" for form in met])
            capital = np.array([form[:1].isupper() for form in met])
            self._table.flags[begun:] |= np.where(capital, _CAPITAL | np.where(alone, _INITIAL, 0), 0).astype(np.int32)
        return self._table

    @property
    def tables(self) -> tuple[WordTable, Int32s, Sorts]:
        """All tables that another vocabulary can begin with."""
        self.sorts(np.zeros(0, dtype=np.int32))
        return self.table, self._sort, self._sorts

    def sorts(self, forms: Int32s) -> tuple[Int32s, Sorts]:
        """The sort of each of some spellings, and all sorts."""
        table = self.table
        self._sort = np.append(self._sort, np.full(len(self.forms) - len(self._sort), -1, dtype=np.int32))
        new = np.unique(forms[self._sort[forms] < 0])
        lower = table.lower[new]
        small = np.unique(lower[self._sort[lower] < 0])
        for some in (small, new[new != lower]):  # the sort of a capital depends on that of the same in lower case
            for form, same in zip(some.tolist(), table.lower[some].tolist(), strict=True):
                self._sort[form] = self._sort_of(form, same)
        if self._new_sorts:
            old: tuple[NDArray[Any], ...] = self._sorts
            more = _columns(self._new_sorts, *_SORT)
            self._sorts = Sorts(*(np.concatenate(columns) for columns in zip(old, more, strict=True)))
            self._new_sorts = []
        return self._sort[forms], self._sorts

    def _facts(self, lower: str) -> Row:
        """The usual lemma, the lemmas, the flags and the value of a word in lower case."""
        known = self.wordnet.numbers.get(lower)
        if lower in _LISTED or not lower.isalpha():
            auxiliary, lemmas = closed.LEMMAS.get(lower), self._lemmas(lower)
            usual = self._usual(lower, lemmas) if auxiliary is None else self.lemma_id(auxiliary)
            return usual, lemmas, _flags(lower, known is not None), _value(lower)
        if may_be_inflected(lower, self.wordnet.irregular):
            lemmas = self._lemmas(lower)
            return self._usual(lower, lemmas), lemmas, 0 if known is None else _KNOWN, math.nan
        if known is None:
            known = self._own_id(lower)
            return known, (known, known, known, known), 0, math.nan
        return known, (known, known, known, known), _KNOWN, math.nan

    def _lemmas(self, lower: str) -> Sequence[int]:
        if lower in closed.LEMMAS and lower != "won":
            return (self.lemma_id(closed.LEMMAS[lower]),) * len(Part)
        if not lower[:1].isalpha():
            return (self.lemma_id(lower),) * len(Part)
        lemmas = list(self.wordnet.readings(lower))
        for part in PARTS:
            if lemmas[part] < 0:
                lemmas[part] = self.lemma_id(guess(lower, part))
        return lemmas

    def _usual(self, lower: str, lemmas: Sequence[int]) -> int:
        """The lemma of the likeliest part of speech."""
        return lemmas[0] if min(lemmas) == max(lemmas) else lemmas[likeliest_part(lower, self.wordnet)]

    def _sort_of(self, form: int, small: int) -> int:
        """The sort of a spelling, which is `small` in lower case; most are of one that is at hand."""
        spelled, lower = self.forms[form], self.forms[small]
        key: Row | None = None
        if lower not in _LISTED and (lower.isalpha() or lower[0].isdigit()):
            key = int(self._sort[small]), spelled[0].isupper()
            if form == small:
                key = *likeness(lower, self.wordnet), self._traits(small)
            if key in self._alike:
                return self._alike[key]
        kinds = guess_kinds(spelled, lower, self.wordnet)
        first = kinds if form == small else guess_first_kinds(spelled, lower, self.wordnet)
        sort = len(self._sorts.key) + len(self._new_sorts)
        self._new_sorts.append((*_padded(kinds), *_padded(first), KEYS.get(lower, WordKey.NONE), self._traits(small)))
        if key is not None:
            self._alike[key] = sort
        return sort

    def _traits(self, small: int) -> int:
        """The traits of a word in lower case, whatever its form."""
        noun, verb = map(self.lemma, self._table.lemmas[small, : Part.ADJECTIVE].tolist())
        return _BY_WORD.get(self.forms[small], 0) | _BY_NOUN.get(noun, 0) | _BY_VERB.get(verb, 0)


def _padded(kinds: Sequence[tuple[Kind, int]]) -> tuple[list[int], list[int]]:
    rest = KINDS_KEPT - len(kinds)
    return [int(kind) for kind, _ in kinds] + [-1] * rest, [cost for _, cost in kinds] + [0] * rest


def _value(lower: str) -> float:
    if lower in _VALUES:
        return _VALUES[lower]
    match = _NUMBER.fullmatch(lower) if lower[:1].isdecimal() else None
    if not match:
        return math.nan
    digits = match[1]
    # 1,500 and 1.500.000 are thousands; 1.5 is not; 1,5 is read as 15 by nobody, so a comma before three digits only.
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", digits):
        digits = digits.replace(",", "")
    try:
        return float(digits)
    except ValueError:
        return math.nan


def _flags(lower: str, known: bool) -> int:
    number = lower in closed.NUMBERS or lower in closed.MULTIPLIERS
    digit = lower[:1].isdigit()
    kind = None if digit else guess_kinds(lower, lower, NO_WORDNET)[0][0]
    facts = {
        "NUMBER": digit or number,
        "PUNCTUATION": kind is not None and TAG_OF[kind] is Tag.PUNCT,
        "FUNCTION": lower in closed.TAGS and not number,
        "NEGATION": lower in closed.NEGATIONS,
        "MODAL": closed.LEMMAS.get(lower) in closed.MODALS,
        "MULTIPLIER": lower in closed.MULTIPLIERS,
        "STOP": lower in (".", "!", "?", "..."),
        "DATE": lower in closed.MONTHS or lower in closed.DAYS,
        "ORDINAL": lower in closed.ORDINALS or (digit and lower.endswith(ORDINAL_ENDINGS)),
        "KNOWN": known,
    }
    return sum(_BITS[name] for name, holds in facts.items() if holds)


_BITS = {name: flag.value for name, flag in Flag.__members__.items()}
"""Flags as plain integers, since enumerations are slow to combine."""
