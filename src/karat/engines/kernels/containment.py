"""Words of H that bear on words of T, where it should be the other way round."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints
from karat.engines.kernels.word_match import find_word
from karat.kernels.compiled import compiled


@compiled
def find_reversed(
    t_starts: Ints,
    h_starts: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    asked: Bools,
    allowed: Bools,
    starts: Int32s,
    words: Int32s,
    relations: Bytes,
    relation: int,
) -> Int32s:
    """For each H word that is asked about the place of the first allowed T word that it bears on by a relation of the
    dictionary (`starts`, sorted `words`, `relations` by lemma); -1 for none.
    """
    found = np.full(h_starts[-1], -1, dtype=np.int32)
    known = len(starts) - 1
    for pair in range(len(t_starts) - 1):
        for h in range(h_starts[pair], h_starts[pair + 1]):
            lemma = h_lemmas[h]
            if not asked[h] or lemma >= known:
                continue
            begin, end = starts[lemma], starts[lemma + 1]
            for t in range(t_starts[pair], t_starts[pair + 1]):
                if not allowed[t]:
                    continue
                place = find_word(t_lemmas[t], begin, end, words)
                if place >= 0 and relations[place] == relation:
                    found[h] = t - t_starts[pair]
                    break
    return found
