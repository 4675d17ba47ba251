"""What edit distances compare words by: match blocks, the best stretch of a text, trees with words taken out.

Batches are flat, as in `edit_distance`: a block of |T| × |H| cells a pair, 0 where two words are the same and 1 where
they have nothing in common.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.engines.kernels.word_match import find_word
from karat.kernels.compiled import compiled

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]

FORM, LEMMA, EITHER, BOTH = range(4)
"""When two words are the same."""


@compiled
def fill_match(
    t_starts: Longs,
    h_starts: Longs,
    blocks: Longs,
    t_forms: Ints,
    h_forms: Ints,
    t_lemmas: Ints,
    h_lemmas: Ints,
    same_by: int,
    match: Floats,
) -> None:
    """Set the cells of the same words to 0."""
    for pair in range(len(t_starts) - 1):
        cell = blocks[pair]
        for t in range(t_starts[pair], t_starts[pair + 1]):
            for h in range(h_starts[pair], h_starts[pair + 1]):
                form, lemma = t_forms[t] == h_forms[h], t_lemmas[t] == h_lemmas[h]
                if same_by == FORM:
                    same = form
                elif same_by == LEMMA:
                    same = lemma
                elif same_by == EITHER:
                    same = form or lemma
                else:
                    same = form and lemma
                if same:
                    match[cell] = 0.0
                cell += 1


@compiled
def apply_dictionary(
    t_starts: Longs,
    h_starts: Longs,
    blocks: Longs,
    t_lemmas: Ints,
    h_lemmas: Ints,
    t_kinds: Bytes,
    h_kinds: Bytes,
    starts: Ints,
    words: Ints,
    relations: Bytes,
    strengths: Floats,
    allowed: NDArray[np.bool_],
    graded: bool,
    match: Floats,
) -> None:
    """Multiply cells by 1 − strength of an allowed relation; ungraded, that is 0, but only within one kind of word."""
    known = len(starts) - 1
    for pair in range(len(t_starts) - 1):
        width = h_starts[pair + 1] - h_starts[pair]
        row = blocks[pair] - width
        for t in range(t_starts[pair], t_starts[pair + 1]):
            row += width
            lemma = t_lemmas[t]
            if lemma >= known or starts[lemma] == starts[lemma + 1]:
                continue
            begin, end = starts[lemma], starts[lemma + 1]
            for h in range(width):
                word = h_lemmas[h_starts[pair] + h]
                if match[row + h] == 0.0 or word < words[begin] or word > words[end - 1]:
                    continue
                place = find_word(word, begin, end, words)
                if place < 0 or not allowed[relations[place]]:
                    continue
                if graded:
                    match[row + h] *= 1 - strengths[place]
                elif t_kinds[t] == h_kinds[h_starts[pair] + h]:
                    match[row + h] = 0.0


@compiled
def apply_rules(
    t_starts: Longs,
    h_starts: Longs,
    blocks: Longs,
    t_rows: Ints,
    t_tags: Bytes,
    h_lemmas: Ints,
    starts: Ints,
    words: Ints,
    tags: Bytes,
    probabilities: Floats,
    plain: Floats,
    match: Floats,
    against: NDArray[np.bool_],
) -> None:
    """Multiply cells by 1 − probability of the strongest rule, whatever a dictionary said; `plain` is without one.

    A negative rule leaves its cell as it is without a dictionary, and marks the pair in `against`.
    """
    for pair in range(len(t_starts) - 1):
        width = h_starts[pair + 1] - h_starts[pair]
        for t in range(t_starts[pair], t_starts[pair + 1]):
            left = t_rows[t]
            if left < 0:
                continue
            row = blocks[pair] + (t - t_starts[pair]) * width
            for h in range(width):
                if plain[row + h] == 0.0:
                    continue
                word = h_lemmas[h_starts[pair] + h]
                place = find_word(word, starts[left], starts[left + 1], words)
                if place < 0:
                    continue
                found, most = False, 0.0
                while place < starts[left + 1] and words[place] == word:
                    fits = tags[place] < 0 or tags[place] == t_tags[t]
                    if fits and (not found or abs(probabilities[place]) > abs(most)):
                        found, most = True, float(probabilities[place])
                    place += 1
                if found:
                    match[row + h] = plain[row + h] * (1 - max(most, 0.0))
                    if most < 0:
                        against[pair] = True


@compiled
def best_stretch(
    t_starts: Longs,
    h_starts: Longs,
    blocks: Longs,
    match: Floats,
    weights: Doubles,
    size: int,
    outside: float,
    nearest: Floats,
    begins: Longs,
    made: Doubles,
) -> None:
    """The stretch of `size` T words that H is nearest to, and how far it is: words by weight, each as far as the
    nearest word of the stretch, one beyond it being worth only a share. Of equally near stretches the first.
    """
    for pair in range(len(t_starts) - 1):
        rows, width = t_starts[pair + 1] - t_starts[pair], h_starts[pair + 1] - h_starts[pair]
        start, block = h_starts[pair], blocks[pair]
        total = 0.0
        for h in range(width):
            total += weights[start + h]
            best = np.float32(1.0)
            for t in range(rows):
                best = min(best, match[block + t * width + h])
            nearest[h] = 1 - (1 - best) * outside
        begins[pair] = 0
        least = np.inf
        for begin in range(max(rows - size, 0) + 1):
            cost = 0.0
            for h in range(width):
                best = nearest[h]
                for t in range(begin, min(begin + size, rows)):
                    best = min(best, match[block + t * width + h])
                cost += weights[start + h] * best
            if cost < least:
                least = cost
                begins[pair] = begin
        made[pair] = least / total if total > 0 else 0.0


@compiled
def lift_heads(starts: Longs, heads: Ints, kept: NDArray[np.bool_], numbers: Ints, lifted: Ints) -> None:
    """Heads among kept words only, counted among them: the nearest kept word above; -1 where there is none.

    `numbers` is scratch as long as `heads`; `lifted` as long as there are kept words.
    """
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
