"""How much of each hypothesis its text has, by weight, where a dictionary may say that one word stands for another.

A batch of pairs is flat: pair i has the T rows t_starts[i] to t_starts[i + 1], likewise H. Nothing is written down for
every word beside every word, and only words that the text has not got as they are get looked up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bytes, Floats, Int32s, Ints, Singles
from karat.engines.kernels.word_match import find_word
from karat.kernels.compiled import compiled


@compiled
def covered_share(
    t_starts: Ints,
    h_starts: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    weights: Floats,
    speaks: NDArray[np.bool_],
    starts: Int32s,
    words: Int32s,
    relations: Bytes,
    strengths: Singles,
    supports: NDArray[np.bool_],
    least: float,
) -> Floats:
    """The share of H, by the weights of its words, that T has; 1 where nothing weighs, since nothing is missing.

    A word counts in full where T has its lemma, else as strongly as the dictionary (`starts`, sorted `words`,
    `relations`, `strengths` by lemma) says of the T word that fits best, by a relation that `supports`; nothing where
    that is weaker than `least`. Only T words that `speaks` is true of are looked up.
    """
    made = np.ones(len(t_starts) - 1)
    known = len(starts) - 1
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
                if not speaks[t] or t_lemmas[t] >= known:
                    continue
                word = t_lemmas[t]
                place = find_word(lemma, starts[word], starts[word + 1], words)
                if place >= 0 and supports[relations[place]] and strengths[place] >= least:
                    best = max(best, float(strengths[place]))
            had += weight * best
        if total > 0.0:
            made[pair] = had / total
    return made
