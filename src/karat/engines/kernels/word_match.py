"""How alike the words of two texts are, and which word of the first each word of the second stands for.

A batch of pairs is flat: pair i has the T rows t_starts[i] to t_starts[i + 1], likewise H. What is said of every T word
beside every H word is a block of |T| × |H| cells, row by row, beginning at block_starts[i].
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints, Singles
from karat.engines.lexicon.relations import Bearings
from karat.kernels.compiled import compiled

NEIGHBOUR = 0.05
"""What it is worth, between equally good words of T, that the word before or after fits as well."""
FITS = 0.8


def block_starts(t_starts: Ints, h_starts: Ints) -> Ints:
    """Where the block of each pair begins, and after the last, how many cells there are."""
    starts = np.zeros(len(t_starts), dtype=np.int64)
    np.cumsum(np.diff(t_starts) * np.diff(h_starts), out=starts[1:])
    return starts


@compiled
def find_word(word: int, begin: int, end: int, words: Int32s) -> int:
    """The place of a word among sorted words[begin:end]; -1 if it is not there."""
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < end and words[low] == word else -1


@compiled
def row_of(lemma: int, dictionary: Bearings) -> tuple[int, int]:
    """Where what a lemma bears on begins and ends; nothing for one that the dictionary has not got."""
    if lemma >= len(dictionary.starts) - 1:
        return 0, 0
    return dictionary.starts[lemma], dictionary.starts[lemma + 1]


@compiled
def match_words(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    t_forms: Int32s,
    h_forms: Int32s,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    dictionary: Bearings,
    allowed: Bools,
    same: int,
) -> tuple[Singles, Bytes]:
    """Strength and relation of every T word beside every H word: the same form, the same lemma, or what a dictionary
    says; relations not allowed count as none. `same` is the code of the same word.
    """
    cells = blocks[-1]
    strength = np.zeros(cells, dtype=np.float32)
    relation = np.zeros(cells, dtype=np.int8)
    for pair in range(len(t_starts) - 1):
        cell = blocks[pair]
        for t in range(t_starts[pair], t_starts[pair + 1]):
            lemma = t_lemmas[t]
            begin, end = row_of(lemma, dictionary)
            for h in range(h_starts[pair], h_starts[pair + 1]):
                if t_forms[t] == h_forms[h] or lemma == h_lemmas[h]:
                    strength[cell] = 1.0
                    relation[cell] = same
                elif begin < end:
                    place = find_word(h_lemmas[h], begin, end, dictionary.words)
                    if place >= 0 and allowed[dictionary.relations[place]]:
                        strength[cell] = dictionary.strengths[place]
                        relation[cell] = dictionary.relations[place]
                cell += 1
    return strength, relation


@compiled
def align_words(
    t_starts: Ints, h_starts: Ints, blocks: Ints, strength: Singles, least: float
) -> tuple[Int32s, Singles]:
    """For each H word the place in T of the word that stands for it (-1: none at least so strong), and how strongly.

    Among equally strong words the one whose neighbours fit the neighbours of the H word, then the first.
    """
    to = np.full(h_starts[-1], -1, dtype=np.int32)
    how = np.zeros(h_starts[-1], dtype=np.float32)
    for pair in range(len(t_starts) - 1):
        many_t = t_starts[pair + 1] - t_starts[pair]
        many_h = h_starts[pair + 1] - h_starts[pair]
        block = blocks[pair]
        for h in range(many_h):
            best = 0.0
            for t in range(many_t):
                here = strength[block + t * many_h + h]
                if here < least or here <= 0.0:
                    continue
                value = float(here)
                if t > 0 and h > 0 and strength[block + (t - 1) * many_h + h - 1] >= FITS:
                    value += NEIGHBOUR
                if t + 1 < many_t and h + 1 < many_h and strength[block + (t + 1) * many_h + h + 1] >= FITS:
                    value += NEIGHBOUR
                if value > best:
                    best = value
                    to[h_starts[pair] + h] = t
                    how[h_starts[pair] + h] = here
    return to, how


@compiled
def covered_share(
    t_starts: Ints,
    h_starts: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    weights: Floats,
    speaks: Bools,
    dictionary: Bearings,
    supports: Bools,
    least: float,
) -> Floats:
    """The share of H, by the weights of its words, that T has; 1 where nothing weighs, since nothing is missing.

    A word counts in full where T has its lemma, else as strongly as the dictionary says of the T word that fits best,
    by a relation that `supports`; nothing where that is weaker than `least`. Only T words that `speaks` is true of are
    looked up, and only for words that the text has not got as they are: no table of words by words is made.
    """
    made = np.ones(len(t_starts) - 1)
    for pair in range(len(made)):
        first, last = t_starts[pair], t_starts[pair + 1]
        total, had = 0.0, 0.0
        for h in range(h_starts[pair], h_starts[pair + 1]):
            weight = weights[h]
            if weight <= 0.0:
                continue
            total += weight
            lemma = h_lemmas[h]
            same = 0
            for t in range(first, last):  # no early end: without a branch several are compared at once
                same += t_lemmas[t] == lemma
            if same > 0:
                had += weight
                continue
            best = 0.0
            for t in range(first, last):
                if not speaks[t]:
                    continue
                begin, end = row_of(t_lemmas[t], dictionary)
                place = find_word(lemma, begin, end, dictionary.words)
                if place >= 0 and supports[dictionary.relations[place]] and dictionary.strengths[place] >= least:
                    best = max(best, float(dictionary.strengths[place]))
            had += weight * best
        if total > 0.0:
            made[pair] = had / total
    return made
