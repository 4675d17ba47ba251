"""From pointers between synsets to words that follow from words: rows of (word, word, relation, strength)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.engines.lexicon import strengths as worth
from karat.engines.lexicon.reading import CODES, WHOLE, Columns
from karat.engines.lexicon.relations import Part, Relation

_PART_BITS, _CODE_BITS, _RANK_BITS = 2, 4, 13


@dataclass(frozen=True, eq=False)
class Entailed:
    """For each lemma the lemmas that bear on it, in order: rows `starts[a]` to `starts[a + 1]`."""

    starts: NDArray[np.int32]
    words: NDArray[np.int32]
    relations: NDArray[np.int8]
    strengths: NDArray[np.float32]
    sources: NDArray[np.uint8]
    """A mask of the parts of speech in which the first word has this relation."""


def expand(columns: Columns) -> Entailed:
    """All related pairs of words, each with the strongest of its relations."""
    senses = _Senses(columns)
    pointers = _Pointers(columns)
    kinds = pointers.between("@", "@i")
    ancestors = _closure(kinds, len(worth.HYPERNYM))
    rows = _Rows(len(columns.lemmas))
    every = np.arange(len(columns.synset_part))
    senses.join(rows, np.array([every, every]), Relation.SYNONYM, worth.SYNONYM)
    telling = _telling(columns, kinds)
    for level, found in enumerate(ancestors):
        found = found[:, telling[found[1]]]
        senses.join(rows, found, Relation.HYPERNYM, worth.HYPERNYM[level])
        if level < len(worth.HYPONYM):
            senses.join(rows, found[::-1], Relation.HYPONYM, worth.HYPONYM[level])
    follows = pointers.between("*", ">")
    senses.join(rows, follows, Relation.ENTAILS, worth.ENTAILS[0])
    for strength, found in zip(worth.ENTAILS[1:], ancestors, strict=False):
        senses.join(rows, _compose(found, follows), Relation.ENTAILS, strength)
    # Species are members of genera and these of families: true, and of no use outside a herbarium.
    member = pointers.between("#m")
    member = member[:, ~np.isin(columns.synset_field[member[0]], worth.LIVING)]
    wholes = np.hstack([pointers.between("#p"), member])
    for level, found in enumerate(_closure(wholes, len(worth.PART))):
        senses.join(rows, found, Relation.PART, worth.PART[level])
    similar = pointers.between("&")
    senses.join(rows, np.hstack([similar, pointers.between("$")]), Relation.SIMILAR, worth.SIMILAR)
    senses.join(rows, pointers.between("^"), Relation.SIMILAR, worth.SEE_ALSO)
    senses.pair(rows, pointers.words("$"), Relation.SIMILAR, worth.SIMILAR)
    senses.pair(rows, pointers.words("^"), Relation.SIMILAR, worth.SEE_ALSO)
    senses.join(rows, pointers.between("="), Relation.DERIVED, worth.ATTRIBUTE)
    derived = pointers.words("+", "\\", "<")
    derived = np.hstack([derived, derived[[2, 3, 0, 1]]])
    senses.pair(rows, derived, Relation.DERIVED, worth.DERIVED, least=worth.DERIVED_LEAST)
    senses.half(rows, derived, Relation.DERIVED, worth.DERIVED_OF_SYNONYM, least=worth.DERIVED_LEAST)
    opposite = pointers.words("!")
    senses.pair(rows, opposite, Relation.ANTONYM, worth.ANTONYM)
    senses.half(rows, opposite, Relation.ANTONYM, worth.ANTONYM_OF_SYNONYM)
    around, at = _match(similar[1], opposite[0])
    indirect = np.array([similar[0][around], np.full(len(at), WHOLE), opposite[2][at], opposite[3][at]])
    senses.half(rows, np.hstack([indirect, indirect[[2, 3, 0, 1]]]), Relation.ANTONYM, worth.ANTONYM_OF_SIMILAR)
    return rows.strongest()


class _Pointers:
    """Pointers by symbol: those of whole synsets as (from, to), those of words as (synset, lemma, synset, lemma)."""

    def __init__(self, columns: Columns) -> None:
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

    def __init__(self, columns: Columns) -> None:
        weights = worth.sense_weights(
            columns.sense_lemma, columns.sense_part, columns.sense_number, columns.sense_count
        )
        self._part = columns.synset_part
        self._count = len(columns.lemmas)
        keys = columns.sense_synset * self._count + columns.sense_lemma
        # A lemma may stand in a synset twice, spelled with a capital and without.
        keys, first = np.unique(keys, return_index=True)
        self._keys, self._weight_of_key = keys, weights[first]
        counted = self._weight_of_key > 0
        synsets = keys[counted] // self._count
        self._lemma, self._weight = keys[counted] % self._count, self._weight_of_key[counted]
        self._starts = np.searchsorted(synsets, np.arange(len(self._part) + 1))

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
        rows.add(self._lemma[left], self._lemma[right], relation, weight, self._part[between[0]][row][again])

    def pair(self, rows: _Rows, words: Ints, relation: Relation, strength: float, least: float = 0.0) -> None:
        """The words that point at each other, and no others of their synsets."""
        synset, lemma, target, there = words
        weight = strength * self._weight_in(synset, lemma, least) * self._weight_in(target, there, least)
        rows.add(lemma, there, relation, weight, self._part[synset])

    def half(self, rows: _Rows, words: Ints, relation: Relation, strength: float, least: float = 0.0) -> None:
        """The one word with every word of the other's synset, and the converse."""
        synset, lemma, target, there = words[:, words[1] != WHOLE]
        row, right = self._all(target)
        weight = strength * self._weight_in(synset, lemma, least)[row] * self._weight[right]
        rows.add(lemma[row], self._lemma[right], relation, weight, self._part[synset][row])
        synset, lemma, target, there = words[:, words[3] != WHOLE]
        row, left = self._all(synset)
        weight = strength * self._weight[left] * self._weight_in(target, there, least)[row]
        rows.add(self._lemma[left], there[row], relation, weight, self._part[synset][row])


class _Rows:
    """Rows packed into integers that sort as wanted: by pair of words, then the strongest relation first."""

    def __init__(self, lemmas: int) -> None:
        self._lemmas = lemmas
        self._packed: list[Ints] = []

    def add(self, first: Ints, second: Ints, relation: Relation, weight: Floats, part: Ints) -> None:
        """Add rows; those of no weight, and a word's with itself, are left out."""
        steps = np.rint(weight * worth.GRAIN).astype(np.int64)
        kept = (steps > 0) & (first != second)
        packed = (first * self._lemmas + second) << _RANK_BITS | (worth.GRAIN - steps)
        packed = (packed << _CODE_BITS | int(relation)) << _PART_BITS | part
        self._packed.append(packed[kept])

    def strongest(self) -> Entailed:
        """One row for each pair."""
        packed = np.sort(np.concatenate(self._packed))
        parts = np.left_shift(1, packed & ((1 << _PART_BITS) - 1))
        packed >>= _PART_BITS
        pairs = packed >> (_RANK_BITS + _CODE_BITS)
        first = np.flatnonzero(np.diff(pairs, prepend=-1))
        # Parts of speech in which the pair has the very relation that won.
        codes = packed & ((1 << _CODE_BITS) - 1)
        which = np.repeat(np.arange(len(first)), np.diff(first, append=len(packed)))
        parts = np.where(codes == codes[first][which], parts, 0)
        sources = np.bitwise_or.reduceat(parts, first) if len(first) else parts
        steps = worth.GRAIN - ((packed[first] >> _CODE_BITS) & ((1 << _RANK_BITS) - 1))
        words, seconds = np.divmod(pairs[first], max(self._lemmas, 1))
        starts = np.searchsorted(words, np.arange(self._lemmas + 1))
        return Entailed(
            starts.astype(np.int32),
            seconds.astype(np.int32),
            codes[first].astype(np.int8),
            (steps / worth.GRAIN).astype(np.float32),
            sources.astype(np.uint8),
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


def _telling(columns: Columns, kinds: Ints) -> NDArray[np.bool_]:
    """Which synsets are worth naming as what something is a kind of: all but the nouns at the very top."""
    nouns = columns.synset_part == Part.NOUN
    near = nouns & ~np.isin(np.arange(len(nouns)), kinds[0])
    telling = ~near
    for _ in range(worth.TOP_DEPTH):
        near = np.isin(np.arange(len(nouns)), kinds[0][near[kinds[1]]])
        telling &= ~near
    return telling
