"""What edit distances compare words by: match blocks, and trees with words taken out.

Batches are flat, as in `edit_distance`: a block of |T| × |H| cells a pair, 0 where two words are the same and 1 where
they have nothing in common.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints, Singles
from karat.engines.kernels.word_match import Grid, find_word, row_of
from karat.engines.lexicon.relations import Bearings
from karat.kernels.compiled import compiled

FORM, LEMMA, EITHER = range(3)
"""When two words are the same."""


@compiled
def fill_match(
    grid: Grid, t_forms: Int32s, h_forms: Int32s, t_lemmas: Int32s, h_lemmas: Int32s, same_by: int, match: Singles
) -> None:
    """Set the cells of the same words to 0."""
    t_starts, h_starts, blocks = grid
    for pair in range(len(t_starts) - 1):
        cell = blocks[pair]
        for t in range(t_starts[pair], t_starts[pair + 1]):
            for h in range(h_starts[pair], h_starts[pair + 1]):
                form, lemma = t_forms[t] == h_forms[h], t_lemmas[t] == h_lemmas[h]
                if same_by == FORM:
                    same = form
                elif same_by == LEMMA:
                    same = lemma
                else:
                    same = form or lemma
                if same:
                    match[cell] = 0.0
                cell += 1


@compiled
def apply_dictionary(
    grid: Grid,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    t_kinds: Bytes,
    h_kinds: Bytes,
    dictionary: Bearings,
    allowed: Bools,
    graded: bool,
    match: Singles,
) -> None:
    """Multiply cells by 1 − strength of an allowed relation; ungraded, that is 0, but only within one kind of word."""
    t_starts, h_starts, blocks = grid
    words = dictionary.words
    for pair in range(len(t_starts) - 1):
        width = h_starts[pair + 1] - h_starts[pair]
        row = blocks[pair] - width
        for t in range(t_starts[pair], t_starts[pair + 1]):
            row += width
            begin, end = row_of(t_lemmas[t], dictionary)
            if begin == end:
                continue
            for h in range(width):
                word = h_lemmas[h_starts[pair] + h]
                if match[row + h] == 0.0 or word < words[begin] or word > words[end - 1]:
                    continue
                place = find_word(word, begin, end, words)
                if place < 0 or not allowed[dictionary.relations[place]]:
                    continue
                if graded:
                    match[row + h] *= 1 - dictionary.strengths[place]
                elif t_kinds[t] == h_kinds[h_starts[pair] + h]:
                    match[row + h] = 0.0


@compiled
def lift_heads(starts: Ints, heads: Int32s, kept: Bools) -> Int32s:
    """Heads among kept words only, counted among them: the nearest kept word above; -1 where there is none."""
    numbers, lifted = np.empty(len(heads), dtype=np.int32), np.empty(int(np.sum(kept)), dtype=np.int32)
    place = 0
    for text in range(len(starts) - 1):
        begin, end = starts[text], starts[text + 1]
        number = 0
        for row in range(begin, end):
            numbers[row] = number
            number += kept[row]
        for row in range(begin, end):
            if not kept[row]:
                continue
            head = heads[row]
            while head >= 0 and not kept[begin + head]:
                head = heads[begin + head]
            lifted[place] = numbers[begin + head] if head >= 0 else -1
            place += 1
    return lifted
