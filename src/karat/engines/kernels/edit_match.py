"""What edit distances compare words by: match blocks, the best stretch of a text, trees with words taken out.

Batches are flat, as in `edit_distance`: a block of |T| × |H| cells a pair, 0 where two words are the same and 1 where
they have nothing in common.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints, Singles
from karat.engines.kernels.word_match import Grid, find_word, row_of
from karat.engines.lexicon.relations import Bearings
from karat.kernels.compiled import compiled

FORM, LEMMA, EITHER, BOTH = range(4)
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
                elif same_by == EITHER:
                    same = form or lemma
                else:
                    same = form and lemma
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


class CodedRules(NamedTuple):
    """What each left lemma stands for: rule row `starts[left]` and those up to `starts[left + 1]`, sorted by word."""

    starts: Int32s
    words: Int32s
    tags: Bytes
    probabilities: Singles


@compiled
def apply_rules(
    grid: Grid,
    t_rows: Int32s,
    t_tags: Bytes,
    h_lemmas: Int32s,
    rules: CodedRules,
    plain: Singles,
    match: Singles,
    against: Bools,
) -> None:
    """Multiply cells by 1 − probability of the strongest rule, whatever a dictionary said; `plain` is without one.

    A negative rule leaves its cell as it is without a dictionary, and marks the pair in `against`.
    """
    t_starts, h_starts, blocks = grid
    starts, words, tags, probabilities = rules
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
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    match: Singles,
    weights: Floats,
    size: int,
    outside: float,
) -> tuple[Ints, Floats]:
    """The stretch of `size` T words that H is nearest to, and how far it is: words by weight, each as far as the
    nearest word of the stretch, one beyond it being worth only a share. Of equally near stretches the first.
    """
    begins, made = np.zeros(len(t_starts) - 1, dtype=np.int64), np.zeros(len(t_starts) - 1)
    for pair in range(len(t_starts) - 1):
        rows, width = t_starts[pair + 1] - t_starts[pair], h_starts[pair + 1] - h_starts[pair]
        start, block, nearest = h_starts[pair], blocks[pair], np.empty(width, dtype=np.float32)
        total = 0.0
        for h in range(width):
            total += weights[start + h]
            best = np.float32(1.0)
            for t in range(rows):
                best = min(best, match[block + t * width + h])
            nearest[h] = 1 - (1 - best) * outside
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
        if total > 0:
            made[pair] = least / total
    return begins, made


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


def letters(words: list[str]) -> tuple[NDArray[np.uint32], Ints]:
    """The letters of all words as code points, one after the other, and where each word starts (words + 1)."""
    starts = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in words], out=starts[1:])
    # A copy, since what is not writable would be compiled for again.
    return np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32), starts


@compiled
def _apart(codes: NDArray[np.uint32], starts: Ints, one: int, other: int, line: Ints) -> float:
    if one == other:
        return 0.0
    first, start = starts[one], starts[other]
    rows, columns = starts[one + 1] - first, starts[other + 1] - start
    for column in range(columns + 1):
        line[column] = column
    for row in range(rows):
        diagonal, left = line[0], row + 1
        line[0] = left
        for column in range(columns):
            above = line[column + 1]
            changed = diagonal + (codes[first + row] != codes[start + column])
            left = min(min(above, left) + 1, changed)
            line[column + 1] = left
            diagonal = above
    return line[columns] / max(rows + columns, 1)


@compiled
def letter_match(
    codes: NDArray[np.uint32],
    starts: Ints,
    t_words: Ints,
    t_starts: Ints,
    h_words: Ints,
    h_starts: Ints,
    m_starts: Ints,
) -> Singles:
    """The `match` blocks of `edit_distance` from words by number: each pair of words as far apart as its letters.

    That is EDITS's `distanceWord`: the least insertions, deletions and changes over both lengths.
    """
    made = np.empty(m_starts[-1], dtype=np.float32)
    line = np.empty(len(codes) + 1, dtype=np.int64)
    for pair in range(len(t_starts) - 1):
        cell = m_starts[pair]
        for t in range(t_starts[pair], t_starts[pair + 1]):
            for h in range(h_starts[pair], h_starts[pair + 1]):
                made[cell] = _apart(codes, starts, t_words[t], h_words[h], line)
                cell += 1
    return made
