"""What speaks against a hypothesis although its words are there: opposites, wholes, other holders of a post."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints, Singles
from karat.engines.kernels.contexts import PLAIN
from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.kernels.word_match import find_word, row_of
from karat.engines.lexicon.relations import Bearings
from karat.kernels.compiled import compiled


@compiled
def is_listed(first: int, second: int, keys: Ints) -> bool:
    """Whether a pair of lemmas is among sorted keys of `first << 32 | second`."""
    key = (np.int64(first) << 32) | np.int64(second)
    place = np.searchsorted(keys, key)
    return bool(place < len(keys) and keys[place] == key)


@compiled
def find_opposites(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    strength: Singles,
    relation: Bytes,
    opposite: int,
    least: float,
    listed: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    asked: Bools,
    allowed: Bools,
    t_polarity: Bytes,
    h_polarity: Bytes,
    t_mood: Bytes,
    aligned: Int32s,
    anchors: Bools,
    reach: int,
) -> Int32s:
    """For each H word that is asked about the place of the nearest fitting opposite in T, -1 for none.

    A T word fits that is allowed, asserted or denied as the H word is, stated as a fact, and has within reach the
    stand-in of an anchor, which is another word of H.
    """
    found = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        many_h = h_starts[pair + 1] - h_starts[pair]
        for h in range(many_h):
            row = h_starts[pair] + h
            if not asked[row]:
                continue
            nearest = reach + 1
            for t in range(t_starts[pair + 1] - t_starts[pair]):
                t_row = t_starts[pair] + t
                cell = blocks[pair] + t * many_h + h
                if not allowed[t_row] or t_polarity[t_row] != h_polarity[row] or t_mood[t_row] != PLAIN:
                    continue
                if not (relation[cell] == opposite and strength[cell] >= least) and not is_listed(
                    t_lemmas[t_row], h_lemmas[row], listed
                ):
                    continue
                for other in range(h_starts[pair], h_starts[pair + 1]):
                    if other != row and anchors[other] and aligned[other] >= 0 and aligned[other] != t:
                        away = abs(aligned[other] - t)
                        if away < nearest:
                            nearest = away
                            found[row] = t
    return found


@compiled
def find_reversed(
    t_starts: Ints,
    h_starts: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    asked: Bools,
    allowed: Bools,
    dictionary: Bearings,
    relation: int,
) -> Int32s:
    """For each H word that is asked about the place of the first allowed T word that it bears on, where it should be
    the other way round; -1 for none.
    """
    found = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        for h in range(h_starts[pair], h_starts[pair + 1]):
            if not asked[h]:
                continue
            begin, end = row_of(h_lemmas[h], dictionary)
            for t in range(t_starts[pair], t_starts[pair + 1]):
                if not allowed[t]:
                    continue
                place = find_word(t_lemmas[t], begin, end, dictionary.words)
                if place >= 0 and dictionary.relations[place] == relation:
                    found[h] = t - t_starts[pair]
                    break
    return found


NAME_NEAR = 12
"""A name of H within so many tokens of the word may be its holder after all."""


@compiled
def find_holders(
    t_starts: Ints,
    h_starts: Ints,
    h_heads: Int32s,
    h_dependencies: Bytes,
    t_tags: Bytes,
    t_sentences: Int32s,
    t_row: Ints,
    h_names: Bools,
    t_taken: Bools,
    posts: Bools,
) -> tuple[Int32s, Int32s]:
    """For each H word that somebody is said to be: the place of the name beside it in T, and that of the name in H.

    -1 where H does not say so of a name, where T has no other name right after the word (or after a comma), or where
    that name of H stands near it too. Only words that are `posts` are looked at.
    """
    place = np.full(h_starts[-1], -1, dtype=np.int32)
    holder = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        first, last = t_starts[pair], t_starts[pair + 1]
        for h in range(h_starts[pair], h_starts[pair + 1]):
            if h_dependencies[h] != Dependency.NSUBJ or not h_names[h] or t_row[h] < 0 or h_heads[h] < 0:
                continue
            said = h_starts[pair] + h_heads[h]
            t = t_row[said]
            is_copular = False
            for other in range(h_starts[pair], h_starts[pair + 1]):
                is_copular |= h_dependencies[other] == Dependency.COP and h_heads[other] == said - h_starts[pair]
            if not is_copular or t < 0 or not posts[said]:
                continue
            near = False
            for other in range(h_starts[pair], h_starts[pair + 1]):
                if h_names[other] and h_heads[other] != said - h_starts[pair]:
                    continue
                if h_names[other] and t_row[other] >= 0:
                    near |= abs(t_row[other] - t) <= NAME_NEAR and t_sentences[t_row[other]] == t_sentences[t]
            if near:
                continue
            found = -1
            if t + 1 < last and t_tags[t + 1] == Tag.PROPN and not t_taken[t + 1]:
                found = t + 1
            elif (
                t + 2 < last
                and t_tags[t + 1] == Tag.PUNCT
                and t_sentences[t + 2] == t_sentences[t]
                and t_tags[t + 2] == Tag.PROPN
                and not t_taken[t + 2]
            ):
                found = t + 2
            if found >= 0:
                place[said], holder[said] = found - first, h - h_starts[pair]
    return place, holder
