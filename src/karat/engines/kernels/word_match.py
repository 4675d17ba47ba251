"""How alike the words of two texts are, which word of the first each word of the second stands for, and how much of
the second stands close together in the first.

A batch of pairs is flat: pair i has the T rows t_starts[i] to t_starts[i + 1], likewise H. What is said of every T word
beside every H word is a block of |T| × |H| cells, row by row, beginning at block_starts[i].
"""

from __future__ import annotations

from typing import NamedTuple

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


class Grid(NamedTuple):
    """Where each T, each H and each block of |T| × |H| cells starts."""

    t_starts: Ints
    h_starts: Ints
    blocks: Ints


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


@compiled
def best_stretches(
    t_starts: Ints, h_starts: Ints, blocks: Ints, strength: Singles, weights: Floats, reach: Ints
) -> tuple[Floats, Ints]:
    """The weight of H that the best stretch of T covers, as a share (1 where nothing weighs), and its first place.

    A stretch goes from a T row up to below the row that `reach` gives for it; of equals the first is taken.
    """
    many = len(t_starts) - 1
    shares, places = np.ones(many), np.zeros(many, dtype=np.int64)
    widest = np.max(np.diff(h_starts)) if many else 0
    held = np.zeros(widest)
    for pair in range(many):
        t_first, h_first = t_starts[pair], h_starts[pair]
        t_end, width = t_starts[pair + 1], h_starts[pair + 1] - h_starts[pair]
        total = 0.0
        for h in range(width):
            total += weights[h_first + h]
        if total <= 0.0:
            continue
        best = 0.0
        for begin in range(t_first, t_end):
            row = blocks[pair] + (begin - t_first) * width
            begins = False
            for h in range(width):
                held[h] = 0.0
                if strength[row + h] > 0.0 and weights[h_first + h] > 0.0:
                    begins = True
            if not begins:  # a stretch that begins with nothing of H is no better than the next
                continue
            covered = 0.0
            for t in range(begin, min(reach[begin], t_end)):
                cell = blocks[pair] + (t - t_first) * width
                for h in range(width):
                    more = strength[cell + h] - held[h]
                    if more > 0.0:
                        held[h] += more
                        covered += more * weights[h_first + h]
            if covered > best + 1e-12:
                best = covered
                places[pair] = begin - t_first
            if reach[begin] >= t_end:  # what begins later ends there too, and has less
                break
        shares[pair] = best / total
    return shares, places


@compiled
def shortest_stretches(
    t_starts: Ints, h_starts: Ints, blocks: Ints, strength: Singles, counts: Bools, least: float
) -> Ints:
    """How many T words the shortest stretch has in which every H word that T has at all (at least so strong) stands."""
    many = len(t_starts) - 1
    lengths = np.zeros(many, dtype=np.int64)
    widest = np.max(np.diff(h_starts)) if many else 0
    inside = np.zeros(widest, dtype=np.int64)
    for pair in range(many):
        h_first, width = h_starts[pair], h_starts[pair + 1] - h_starts[pair]
        size, block = t_starts[pair + 1] - t_starts[pair], blocks[pair]
        wanted = 0
        for h in range(width):
            inside[h] = 0
            if counts[h_first + h]:
                for t in range(size):
                    if strength[block + t * width + h] >= least:
                        wanted += 1
                        break
        if wanted == 0:
            continue
        shortest, had, begin = size, 0, 0
        for end in range(size):
            for h in range(width):
                if counts[h_first + h] and strength[block + end * width + h] >= least:
                    inside[h] += 1
                    had += inside[h] == 1
            while had == wanted:
                shortest = min(shortest, end - begin + 1)
                for h in range(width):
                    if counts[h_first + h] and strength[block + begin * width + h] >= least:
                        inside[h] -= 1
                        had -= inside[h] == 0
                begin += 1
        lengths[pair] = shortest
    return lengths
