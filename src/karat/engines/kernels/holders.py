"""Who holds what: a hypothesis says that somebody is something, and a text has another name beside that word."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints
from karat.kernels.compiled import compiled

NEAR = 12
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
    codes: tuple[int, int, int, int],
) -> tuple[Int32s, Int32s]:
    """For each H word that somebody is said to be: the place of the name beside it in T, and that of the name in H.

    -1 where H does not say so of a name, where T has no other name right after the word (or after a comma), or where
    that name of H stands near it too. Only words that are `posts` are looked at. `codes` are those of the copula, the
    subject, a name and punctuation.
    """
    copula, subject, name, mark = codes
    place = np.full(h_starts[-1], -1, dtype=np.int32)
    holder = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        first, last = t_starts[pair], t_starts[pair + 1]
        for h in range(h_starts[pair], h_starts[pair + 1]):
            if h_dependencies[h] != subject or not h_names[h] or t_row[h] < 0 or h_heads[h] < 0:
                continue
            said = h_starts[pair] + h_heads[h]
            t = t_row[said]
            is_copular = False
            for other in range(h_starts[pair], h_starts[pair + 1]):
                is_copular |= h_dependencies[other] == copula and h_heads[other] == said - h_starts[pair]
            if not is_copular or t < 0 or not posts[said]:
                continue
            near = False
            for other in range(h_starts[pair], h_starts[pair + 1]):
                if h_names[other] and h_heads[other] != said - h_starts[pair]:
                    continue
                if h_names[other] and t_row[other] >= 0:
                    near |= abs(t_row[other] - t) <= NEAR and t_sentences[t_row[other]] == t_sentences[t]
            if near:
                continue
            found = -1
            if t + 1 < last and t_tags[t + 1] == name and not t_taken[t + 1]:
                found = t + 1
            elif (
                t + 2 < last
                and t_tags[t + 1] == mark
                and t_sentences[t + 2] == t_sentences[t]
                and t_tags[t + 2] == name
                and not t_taken[t + 2]
            ):
                found = t + 2
            if found >= 0:
                place[said], holder[said] = found - first, h - h_starts[pair]
    return place, holder
