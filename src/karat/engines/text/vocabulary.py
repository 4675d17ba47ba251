"""The vocabulary: what is known of each spelling by itself, worked out once per spelling and looked up by its id.

A word's lemma is an id too: the dictionary's where it has the word, and one of our own after those where it has not.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Floats, Int32s
from karat.engines.kernels.grammar import PART_OF, TAG_OF, Kind, Tag, Trait, WordKey
from karat.engines.lexicon.inflection import guess, keeps_its_form
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import PARTS, WordNet
from karat.engines.lists import read_lists
from karat.engines.text import closed
from karat.engines.text.guessing import (
    KINDS_KEPT,
    NATIONAL,
    ORDINAL_ENDINGS,
    guess_first_kinds,
    guess_kinds,
    open_weights,
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


@dataclass(frozen=True, eq=False)
class WordTable:
    """The facts of every spelling met so far, as columns."""

    lower: Int32s
    """The id of the same spelling in lower case."""
    lemma: Int32s
    """The lemma where no tag says better."""
    lemmas: Int32s
    """The lemma as a noun, verb, adjective and adverb: spellings × 4."""
    tag: Bytes
    """The likeliest tag without context."""
    flags: Int32s
    value: Floats
    """What a number says; NaN for other words."""
    kinds: Bytes
    """The kinds of word it may be, likeliest first, -1 after the last: spellings × KEPT."""
    costs: NDArray[np.int16]
    """What each kind costs."""
    first_kinds: Bytes
    """The kinds at the start of a sentence, where a capital says little."""
    first_costs: NDArray[np.int16]
    key: Bytes
    """Codes of `WordKey`: words that the chunker treats apart."""
    traits: Int32s
    """Bits of `Trait`."""

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


Row = tuple[Any, ...]
_OWN: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    "lower": (np.int32, ()),
    "lemma": (np.int32, ()),
    "lemmas": (np.int32, (len(Part),)),
    "value": (np.float64, ()),
}
_SHARED: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    "tag": (np.int8, ()),
    "flags": (np.int32, ()),
    "kinds": (np.int8, (KINDS_KEPT,)),
    "costs": (np.int16, (KINDS_KEPT,)),
    "first_kinds": (np.int8, (KINDS_KEPT,)),
    "first_costs": (np.int16, (KINDS_KEPT,)),
    "key": (np.int8, ()),
    "traits": (np.int32, ()),
}
"""The type and the width of each column of the table: those of each word, and those that many words have alike."""
_COLUMNS = _OWN | _SHARED

NO_WORDS = WordTable(**{name: np.zeros((0, *shape), dtype=dtype) for name, (dtype, shape) in _COLUMNS.items()})

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


class Sort(NamedTuple):
    """What words have in common that are spelled alike, as far as that matters, and that the dictionary knows alike."""

    place: int
    """Its row among the columns that are shared."""
    part: int
    """The dictionary part of the likeliest tag that has one: the usual lemma is of that part."""


class Vocabulary(dict[str, int]):
    """The id of each spelling; a new one gets the next id.

    It may begin with spellings, lemmas of our own and a table that another vocabulary of the same dictionary had.
    """

    def __init__(
        self, wordnet: WordNet, forms: Sequence[str] = (), own_lemmas: Sequence[str] = (), table: WordTable = NO_WORDS
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
        self._own_columns = array("i")
        self._values: list[float] = []
        self._sorts: list[Row] = []
        self._alike: tuple[dict[Row, Sort], dict[Row, Sort]] = {}, {}
        """The sorts at hand, by what they depend on: without a capital, and with one."""
        self._last: tuple[str, list[int], Row] = ("", [], ())
        self._table = table

    def __missing__(self, form: str) -> int:
        """A spelling met for the first time."""
        lower = form.lower()
        # The lower case first: its id must exist before the row that names it is made.
        lower_id = -1 if lower == form else self[lower]
        self[form] = place = len(self.forms)
        self.forms.append(form)
        lemmas, sort = self._lemmas_and_sort(form, lower)
        auxiliary = closed.LEMMAS.get(lower)
        lemma = lemmas[sort.part] if auxiliary is None else self.lemma_id(auxiliary)
        self._own_columns.extend((place if lower_id < 0 else lower_id, lemma, *lemmas, sort.place))
        self._values.append(_value(lower))
        return place

    def lemma_id(self, lemma: str) -> int:
        """The id of a lemma, the dictionary's or our own."""
        found = self.wordnet.lemma_id(lemma)
        if found < 0:
            found = self._own.get(lemma, -1)
        if found < 0:
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
        """The facts as arrays; longer where words were met since."""
        if self._values:
            own = np.array(self._own_columns, dtype=np.int32).reshape(len(self._values), -1)
            sorts, sort = np.unique(own[:, -1], return_inverse=True)
            shared = zip(*map(self._sorts.__getitem__, sorts.tolist()), strict=True)
            new = {"lower": own[:, 0], "lemma": own[:, 1], "lemmas": own[:, 2:-1], "value": self._values} | {
                name: np.array(column, dtype=dtype)[sort]
                for (name, (dtype, _)), column in zip(_SHARED.items(), shared, strict=True)
            }
            self._table = WordTable(
                **{
                    name: np.concatenate([getattr(self._table, name), new[name]]).astype(dtype, copy=False)
                    for name, (dtype, _) in _COLUMNS.items()
                }
            )
            self._own_columns, self._values = array("i"), []
        return self._table

    def _lemmas_and_sort(self, form: str, lower: str) -> tuple[list[int], Sort]:
        """The lemmas of a word, and its sort; most words are of a sort that is at hand."""
        if lower in _LISTED or not (lower.isalpha() or lower[:1].isdigit()):
            return self._lemmas(lower), self._new_sort(form, lower)
        if lower != self._last[0]:  # a word with a capital comes right after the same word without
            lemmas = self._lemmas(lower)
            self._last = lower, lemmas, self._likeness(lower, lemmas)
        _, lemmas, likeness = self._last
        capital = form[0].isupper()
        if len(form) == 1 or capital is (form == lower):  # an initial, iPod, a capital that has no small letter
            return lemmas, self._new_sort(form, lower)
        alike = self._alike[capital]
        sort = alike.get(likeness)
        if sort is None:
            sort = alike[likeness] = self._new_sort(form, lower)
        return lemmas, sort

    def _likeness(self, lower: str, lemmas: list[int]) -> Row:
        """All that the sort of a word depends on, besides a capital."""
        wordnet = self.wordnet
        known = wordnet.lemma_id(lower)
        if lower[0].isdigit():
            return lower.endswith(ORDINAL_ENDINGS), lower.endswith("s"), known >= 0
        national = known >= 0 and lower.endswith(NATIONAL) and wordnet.parts(known) >> Part.ADJECTIVE & 1
        traits = _BY_VERB.get(self.lemma(lemmas[Part.VERB]), 0) | _BY_NOUN.get(self.lemma(lemmas[Part.NOUN]), 0)
        weights = open_weights(lower, wordnet).items()
        return *weights, max(wordnet.readings(lower)) >= 0, known >= 0, national, traits

    def _new_sort(self, form: str, lower: str) -> Sort:
        """The sort of a word, worked out from nothing."""
        kinds = guess_kinds(form, lower, self.wordnet)
        tags = tuple(dict.fromkeys(TAG_OF[kind] for kind, _ in kinds))
        first = guess_first_kinds(form, lower, self.wordnet) if form != lower else kinds
        self._sorts.append(
            (
                int(tags[0]),
                _flags(form, lower, tags, self.wordnet),
                *_padded(kinds),
                *_padded(first),
                int(KEYS.get(lower, WordKey.NONE)),
                self._traits(lower),
            )
        )
        return Sort(len(self._sorts) - 1, next((PART_OF[tag] for tag in tags if tag in PART_OF), 0))

    def _traits(self, lower: str) -> int:
        """The traits of a word in lower case, whatever its form."""
        traits = _BY_WORD.get(lower, 0)
        if lower.isalpha():
            traits |= _BY_VERB.get(self.wordnet.base(lower, Part.VERB), 0)
            traits |= _BY_NOUN.get(self.wordnet.base(lower, Part.NOUN), 0)
        return traits

    def _lemmas(self, lower: str) -> list[int]:
        if lower in closed.LEMMAS and lower != "won":
            return [self.lemma_id(closed.LEMMAS[lower])] * 4
        if not lower[:1].isalpha():
            return [self.lemma_id(lower)] * 4
        readings = self.wordnet.readings(lower)
        if keeps_its_form(lower):
            own = self.lemma_id(lower) if min(readings) < 0 else -1
            return [lemma if lemma >= 0 else own for lemma in readings]
        return [
            lemma if lemma >= 0 else self.lemma_id(guess(lower, part))
            for part, lemma in zip(PARTS, readings, strict=True)
        ]


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


def _flags(form: str, lower: str, tags: Sequence[Tag], wordnet: WordNet) -> int:
    number = lower in closed.NUMBERS or lower in closed.MULTIPLIERS
    digit = form[:1].isdigit()
    facts = {
        "CAPITAL": form[:1].isupper(),
        "NUMBER": digit or number,
        "PUNCTUATION": tags[0] is Tag.PUNCT,
        "FUNCTION": lower in closed.TAGS and not number,
        "NEGATION": lower in closed.NEGATIONS,
        "MODAL": closed.LEMMAS.get(lower) in closed.MODALS,
        "MULTIPLIER": lower in closed.MULTIPLIERS,
        "STOP": form in (".", "!", "?", "..."),
        "DATE": lower in closed.MONTHS or lower in closed.DAYS,
        "ORDINAL": lower in closed.ORDINALS or (digit and lower.endswith(ORDINAL_ENDINGS)),
        "INITIAL": len(form) == 1 and form.isupper() and form != "I",
        "KNOWN": wordnet.lemma_id(lower) >= 0,
    }
    return sum(_BITS[name] for name, holds in facts.items() if holds)


_BITS = {name: flag.value for name, flag in Flag.__members__.items()}
"""Flags as plain integers, since enumerations are slow to combine."""
