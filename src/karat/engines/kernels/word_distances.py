"""How far two words are apart by their letters: the least insertions, deletions and changes over both lengths.

That is EDITS's `distanceWord`: 0 for the same word, and at most 1, which only an empty word is from another.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Ints
from karat.engines.kernels.edit_distance import Matches, whole
from karat.kernels.compiled import compiled


def letters(words: list[str]) -> tuple[NDArray[np.uint32], Ints]:
    """The letters of all words as code points, one after the other, and where each word starts (words + 1)."""
    starts = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in words], out=starts[1:])
    # A copy, since what is not writable would be compiled for again.
    return np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32), starts


def word_distance(codes: NDArray[np.uint32], starts: Ints, ones: Ints, others: Ints) -> Matches:
    """The distance of each pair of words, given by their numbers."""
    made = np.empty(len(ones), dtype=np.float32)
    line = np.empty(int(np.diff(starts).max(initial=0)) + 1, dtype=np.int64)
    _words(codes, whole(starts), whole(ones), whole(others), line, made)
    return made


def letter_match(
    codes: NDArray[np.uint32],
    starts: Ints,
    t_words: Ints,
    t_starts: Ints,
    h_words: Ints,
    h_starts: Ints,
    m_starts: Ints,
) -> Matches:
    """The `match` blocks of `edit_distance` from words by number: each pair of words as far apart as its letters."""
    made = np.empty(int(m_starts[-1]), dtype=np.float32)
    line = np.empty(int(np.diff(starts).max(initial=0)) + 1, dtype=np.int64)
    tokens = whole(t_words), whole(t_starts), whole(h_words), whole(h_starts)
    _blocks(codes, whole(starts), *tokens, whole(m_starts), line, made)
    return made


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
def _words(codes: NDArray[np.uint32], starts: Ints, ones: Ints, others: Ints, line: Ints, made: Matches) -> None:
    for pair in range(len(ones)):
        made[pair] = _apart(codes, starts, ones[pair], others[pair], line)


@compiled
def _blocks(
    codes: NDArray[np.uint32],
    starts: Ints,
    t_words: Ints,
    t_starts: Ints,
    h_words: Ints,
    h_starts: Ints,
    m_starts: Ints,
    line: Ints,
    made: Matches,
) -> None:
    for pair in range(len(t_starts) - 1):
        cell = m_starts[pair]
        for t in range(t_starts[pair], t_starts[pair + 1]):
            for h in range(h_starts[pair], h_starts[pair + 1]):
                made[cell] = _apart(codes, starts, t_words[t], h_words[h], line)
                cell += 1
