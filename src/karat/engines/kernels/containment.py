"""Words of H that bear on words of T, where it should be the other way round."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.engines.kernels.word_match import find_word
from karat.kernels.compiled import compiled

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]
Bools = NDArray[np.bool_]


@compiled
def find_reversed(
    t_starts: Longs,
    h_starts: Longs,
    t_lemmas: Ints,
    h_lemmas: Ints,
    asked: Bools,
    allowed: Bools,
    starts: Ints,
    words: Ints,
    relations: Bytes,
    relation: int,
) -> Ints:
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
