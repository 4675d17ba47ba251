"""From pointers between synsets to words that follow from words, and how much each relation is worth."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.engines.lexicon.reading import CODES, WHOLE, DictionaryColumns
from karat.engines.lexicon.relations import Bearings, Part, Relation

# What a relation is worth between two words in their main senses; identity would be 1.
SYNONYM = 0.95  # one synset
ANTONYM = 1.0  # listed as opposites of each other: hot, cold
ANTONYM_OF_SYNONYM = 0.7  # a synonym of the one, against the other: increase, decrement
DERIVED = 0.9  # one root, or an adjective or adverb of a word: buyer, buy; Chinese, China
DERIVED_OF_SYNONYM = 0.75  # a root, and a synonym of it: buyer, purchase
ATTRIBUTE = 0.5  # an adjective and what it is a value of: heavy, weight
HYPERNYM = (0.9, 0.81, 0.729)  # .9 a level; beyond three nearly everything is a kind of the same few things
ENTAILS = (0.85, 0.75, 0.65)  # entails or causes: itself, what it is a way to do, and what that is a way to do
PART = (0.6, 0.5)  # part or member of, and once more: Paris is in France; what holds of a part may hold of the whole

# Damping by sense. All senses together over-generate badly: a dog would be a frankfurter and a villain.
USUAL = 0.25  # a sense with this share of a word's tagged uses counts in full
HEARD_OF = 0.05  # with this share it counts, damped; with less only if it is among the FIRST of its part of speech
FIRST = 2  # senses of a part of speech that always count: most words were never tagged
DAMPED = 0.9  # a sense that is heard of, or the first of an untagged word's senses but one
RARE = 0.8  # one of the first senses that hardly occurs
OFTEN = 20  # with so many tagged uses, a part of speech that has under ABSENT of them is no reading (to be, beryllium)
ABSENT = 0.02
DERIVED_LEAST = 0.8  # roots hold whatever the sense: a derivation is never damped below this, nor dropped

# Ancestors so near to the root of nouns say nothing: entity, abstraction, physical entity, thing.
TOP_DEPTH = 1

LIVING = (5, 20)
"""Lexicographers' files of animals and plants, whose members of larger kinds are left out."""
GRAIN = 4096
"""Strengths are kept in steps of 1/4096."""


def sense_weights(lemma: Ints, part: Ints, number: Ints, count: Ints) -> Floats:
    """How far each sense counts, from 0 (not at all) to 1, by its share of its word's tagged uses."""
    if not len(lemma):
        return np.zeros(0)
    of_part = lemma * 4 + part
    total = np.bincount(lemma, weights=count)[lemma]
    in_part = np.bincount(of_part, weights=count)[of_part]
    share = count / np.maximum(total, 1)
    first = number <= FIRST
    untagged = np.where(number == 1, 1.0, np.where(first, DAMPED, 0.0))
    tagged = np.where(share >= USUAL, 1.0, np.where(share >= HEARD_OF, DAMPED, np.where(first, RARE, 0.0)))
    tagged = np.where((total >= OFTEN) & (in_part < ABSENT * total), 0.0, tagged)
    return np.where(total > 0, tagged, untagged)


_CODE_BITS, _RANK_BITS = 4, 13


def expand(columns: DictionaryColumns) -> Bearings:
    """All related pairs of words, each with the strongest of its relations."""
    senses = _Senses(columns)
    pointers = _Pointers(columns)
    kinds = pointers.between("@", "@i")
    ancestors = _closure(kinds, len(HYPERNYM))
    rows = _Rows(len(columns.lemmas))
    every = np.arange(len(columns.synset_part))
    senses.join(rows, np.array([every, every]), Relation.SYNONYM, SYNONYM)
    telling = _telling(columns, kinds)
    for level, found in enumerate(ancestors):
        found = found[:, telling[found[1]]]
        senses.join(rows, found, Relation.HYPERNYM, HYPERNYM[level])
    follows = pointers.between("*", ">")
    senses.join(rows, follows, Relation.ENTAILS, ENTAILS[0])
    for strength, found in zip(ENTAILS[1:], ancestors, strict=False):
        senses.join(rows, _compose(found, follows), Relation.ENTAILS, strength)
    # Species are members of genera and these of families: true, and of no use outside a herbarium.
    member = pointers.between("#m")
    member = member[:, ~np.isin(columns.synset_field[member[0]], LIVING)]
    wholes = np.hstack([pointers.between("#p"), member])
    for level, found in enumerate(_closure(wholes, len(PART))):
        senses.join(rows, found, Relation.PART, PART[level])
    senses.join(rows, pointers.between("="), Relation.DERIVED, ATTRIBUTE)
    derived = pointers.words("+", "\\", "<")
    derived = np.hstack([derived, derived[[2, 3, 0, 1]]])
    senses.pair(rows, derived, Relation.DERIVED, DERIVED, least=DERIVED_LEAST)
    senses.half(rows, derived, Relation.DERIVED, DERIVED_OF_SYNONYM, least=DERIVED_LEAST)
    opposite = pointers.words("!")
    senses.pair(rows, opposite, Relation.ANTONYM, ANTONYM)
    senses.half(rows, opposite, Relation.ANTONYM, ANTONYM_OF_SYNONYM)
    return rows.strongest()


class _Pointers:
    """Pointers by symbol: those of whole synsets as (from, to), those of words as (synset, lemma, synset, lemma)."""

    def __init__(self, columns: DictionaryColumns) -> None:
        self._columns = columns.pointers.T

    def _of(self, symbols: tuple[str, ...]) -> Ints:
        return self._columns[:, np.isin(self._columns[0], [CODES[symbol] for symbol in symbols])]

    def between(self, *symbols: str) -> Ints:
        _, synset, lemma, target, there = self._of(symbols)
        return np.array([synset, target])[:, (lemma == WHOLE) | (there == WHOLE)]

    def words(self, *symbols: str) -> Ints:
        found = self._of(symbols)
        return found[1:, (found[2] != WHOLE) & (found[4] != WHOLE)]


class _Senses:
    """Senses that count, by synset, each with its lemma and weight."""

    def __init__(self, columns: DictionaryColumns) -> None:
        weights = sense_weights(columns.sense_lemma, columns.sense_part, columns.sense_number, columns.sense_count)
        self._count = len(columns.lemmas)
        keys = columns.sense_synset * self._count + columns.sense_lemma
        # A lemma may stand in a synset twice, spelled with a capital and without.
        keys, first = np.unique(keys, return_index=True)
        self._keys, self._weight_of_key = keys, weights[first]
        counted = self._weight_of_key > 0
        synsets = keys[counted] // self._count
        self._lemma, self._weight = keys[counted] % self._count, self._weight_of_key[counted]
        self._starts = np.searchsorted(synsets, np.arange(len(columns.synset_part) + 1))

    def _weight_in(self, synset: Ints, lemma: Ints, least: float) -> Floats:
        """The weight of a lemma's sense; 1 for a whole synset's, whose words are weighed one by one."""
        at = np.searchsorted(self._keys, synset * self._count + lemma)
        found = np.maximum(self._weight_of_key[np.minimum(at, len(self._keys) - 1)], least)
        return np.where(lemma == WHOLE, 1.0, found)

    def _all(self, synsets: Ints) -> tuple[Ints, Ints]:
        """Every counted sense of the synsets: which of them, and the sense."""
        lengths = self._starts[synsets + 1] - self._starts[synsets]
        which = np.repeat(np.arange(len(synsets)), lengths)
        within = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return which, self._starts[synsets[which]] + within

    def join(self, rows: _Rows, between: Ints, relation: Relation, strength: float) -> None:
        """Every word of one synset with every word of the other."""
        row, left = self._all(between[0])
        again, right = self._all(between[1][row])
        left = left[again]
        weight = strength * self._weight[left] * self._weight[right]
        rows.add(self._lemma[left], self._lemma[right], relation, weight)

    def pair(self, rows: _Rows, words: Ints, relation: Relation, strength: float, least: float = 0.0) -> None:
        """The words that point at each other, and no others of their synsets."""
        synset, lemma, target, there = words
        weight = strength * self._weight_in(synset, lemma, least) * self._weight_in(target, there, least)
        rows.add(lemma, there, relation, weight)

    def half(self, rows: _Rows, words: Ints, relation: Relation, strength: float, least: float = 0.0) -> None:
        """The one word with every word of the other's synset, and the converse."""
        synset, lemma, target, there = words[:, words[1] != WHOLE]
        row, right = self._all(target)
        weight = strength * self._weight_in(synset, lemma, least)[row] * self._weight[right]
        rows.add(lemma[row], self._lemma[right], relation, weight)
        synset, lemma, target, there = words[:, words[3] != WHOLE]
        row, left = self._all(synset)
        weight = strength * self._weight[left] * self._weight_in(target, there, least)[row]
        rows.add(self._lemma[left], there[row], relation, weight)


class _Rows:
    """Rows packed into integers that sort as wanted: by pair of words, then the strongest relation first."""

    def __init__(self, lemmas: int) -> None:
        self._lemmas = lemmas
        self._packed: list[Ints] = []

    def add(self, first: Ints, second: Ints, relation: Relation, weight: Floats) -> None:
        """Add rows; those of no weight, and a word's with itself, are left out."""
        steps = np.rint(weight * GRAIN).astype(np.int64)
        kept = (steps > 0) & (first != second)
        packed = (first * self._lemmas + second) << _RANK_BITS | (GRAIN - steps)
        self._packed.append((packed << _CODE_BITS | int(relation))[kept])

    def strongest(self) -> Bearings:
        """One row for each pair."""
        packed = np.sort(np.concatenate(self._packed))
        pairs = packed >> (_RANK_BITS + _CODE_BITS)
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        steps = GRAIN - ((packed[first] >> _CODE_BITS) & ((1 << _RANK_BITS) - 1))
        words, seconds = np.divmod(pairs[first], max(self._lemmas, 1))
        starts = np.searchsorted(words, np.arange(self._lemmas + 1))
        return Bearings(
            starts.astype(np.int32),
            seconds.astype(np.int32),
            (packed[first] & ((1 << _CODE_BITS) - 1)).astype(np.int8),
            (steps / GRAIN).astype(np.float32),
        )


def _match(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Every pair of places at which the two hold the same."""
    order = np.argsort(right, kind="stable")
    low = np.searchsorted(right[order], left)
    lengths = np.searchsorted(right[order], left, side="right") - low
    which = np.repeat(np.arange(len(left)), lengths)
    within = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return which, order[low[which] + within]


def _compose(first: Ints, second: Ints) -> Ints:
    """Where two steps lead: (from, to), each once."""
    at, then = _match(first[1], second[0])
    return np.array(np.divmod(np.unique(first[0][at] << 32 | second[1][then]), 1 << 32))


def _closure(steps: Ints, levels: int) -> list[Ints]:
    """Where one step leads, two steps, and so on."""
    found = [steps]
    while len(found) < levels:
        found.append(_compose(found[-1], steps))
    return found


def _telling(columns: DictionaryColumns, kinds: Ints) -> Bools:
    """Which synsets are worth naming as what something is a kind of: all but the nouns at the very top."""
    nouns = columns.synset_part == Part.NOUN
    near = nouns & ~np.isin(np.arange(len(nouns)), kinds[0])
    telling = ~near
    for _ in range(TOP_DEPTH):
        near = np.isin(np.arange(len(nouns)), kinds[0][near[kinds[1]]])
        telling &= ~near
    return telling
