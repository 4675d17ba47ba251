"""Distances of token sequences, from 0 (H is there, in order) to 1, for many pairs at once.

Tokens and starts are as in `token_distances`, and so are empty sides. They are the distances of EDITS, with its
defects mended: the longest common subsequence was returned as a similarity; in ROUGE-W the length of a run never grew;
ROUGE-S was divided by the pairs of skip-bigrams, not by the skip-bigrams; Jaro-Winkler's common prefix had no limit,
so that distances could be negative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.engines.kernels.edit_distance import whole
from karat.kernels.compiled import compiled

GRAM = 3
"""Tokens in an n-gram."""
BOOSTED, BOOST, PREFIX = 0.7, 0.1, 4
"""Jaro's similarity above this grows by a tenth of what it lacks for each of up to four first tokens (Winkler 1990)."""


def lcs_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> Floats:
    """The share of H's tokens that are not in the longest common subsequence."""
    common, _, h_sizes = _common(t_tokens, t_starts, h_tokens, h_starts)
    return np.where(h_sizes > 0, 1 - common / np.maximum(h_sizes, 1), 0.0)


def rouge_l_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> Floats:
    """1 less the F of the longest common subsequence's shares in T and H (Lin 2004)."""
    common, t_sizes, h_sizes = _common(t_tokens, t_starts, h_tokens, h_starts)
    return np.where(h_sizes > 0, 1 - 2 * common / np.maximum(t_sizes + h_sizes, 1), 0.0)


def rouge_s_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> Floats:
    """1 less the F of the skip-bigrams (ordered pairs of tokens) in common, a repeated one as often as in both.

    One token makes no pair: where H has but one, this is ROUGE-L.
    """
    made = rouge_l_distance(t_tokens, t_starts, h_tokens, h_starts)
    most = int(np.diff(h_starts).max(initial=0))
    scratch = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64), np.empty((2, most, most), dtype=np.int64)
    _rouge_s(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), *scratch, made)
    return made


def rouge_w_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, power: float = 2.0) -> Floats:
    """1 less the F of the common subsequence in which a run of k tokens counts k to this power (Lin 2004)."""
    most_t, most_h = (int(np.diff(starts).max(initial=0)) for starts in (t_starts, h_starts))
    worth = np.arange(max(most_t, most_h) + 2, dtype=np.float64) ** power
    made, scratch = np.empty(len(t_starts) - 1), (np.empty(most_h + 1), np.empty(most_h + 1, dtype=np.int64))
    arrays = whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts)
    _rouge_w(*arrays, worth, float(1 / power), *scratch, made)
    return made


def jaro_winkler_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> Floats:
    """1 less Jaro and Winkler's similarity: tokens near their place, transpositions, a common prefix."""
    made, sizes = np.empty(len(t_starts) - 1), [int(np.diff(starts).max(initial=0)) for starts in (t_starts, h_starts)]
    scratch = np.empty((2, max(sizes)), dtype=np.bool_)
    _jaro_winkler(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), scratch, made)
    return made


def ngram_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, size: int = GRAM) -> Floats:
    """The edit distance of the n-grams that end at each token, as a share of the longer side (Kondrak 2005).

    One n-gram for another costs the share of places where they differ; before the first token both sides have marks,
    and a mark above a mark is not looked at.
    """
    made, line = np.empty(len(t_starts) - 1), np.empty(int(np.diff(h_starts).max(initial=0)) + 1)
    _ngram(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), int(size), line, made)
    return made


def _common(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> tuple[Ints, Ints, Ints]:
    """Lengths of the longest common subsequences, and of both sides."""
    made, sizes = np.empty(len(t_starts) - 1, dtype=np.int64), np.diff(h_starts)
    line = np.empty(int(sizes.max(initial=0)) + 1, dtype=np.int64)
    _lcs(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), line, made)
    return made, np.diff(t_starts), sizes


@compiled
def _lcs(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, line: Ints, made: Ints) -> None:
    for pair in range(len(made)):
        h_start = h_starts[pair]
        columns = h_starts[pair + 1] - h_start
        line[: columns + 1] = 0
        for t in range(t_starts[pair], t_starts[pair + 1]):
            token, diagonal, left = t_tokens[t], 0, 0
            for h in range(columns):
                above = line[h + 1]
                left = diagonal + 1 if h_tokens[h_start + h] == token else max(above, left)
                line[h + 1] = left
                diagonal = above
        made[pair] = line[columns]


@compiled
def _rouge_s(
    t_tokens: Ints,
    t_starts: Ints,
    h_tokens: Ints,
    h_starts: Ints,
    kinds: Ints,
    seen: Ints,
    pairs: Ints,
    made: Floats,
) -> None:
    """`pairs[side, a, b]` counts the pairs of a then b, kinds of token of H; what H lacks is in none that count."""
    for pair in range(len(made)):
        t_size, h_size = t_starts[pair + 1] - t_starts[pair], h_starts[pair + 1] - h_starts[pair]
        if h_size < 2:
            continue
        different = 0
        for h in range(h_starts[pair], h_starts[pair + 1]):
            if _kind(kinds, different, h_tokens[h]) < 0:
                kinds[different] = h_tokens[h]
                different += 1
        pairs[:, :different, :different] = 0
        _skip_bigrams(t_tokens, t_starts[pair], t_starts[pair + 1], kinds, different, seen, pairs[0])
        _skip_bigrams(h_tokens, h_starts[pair], h_starts[pair + 1], kinds, different, seen, pairs[1])
        both = 0
        for first in range(different):
            for second in range(different):
                both += min(pairs[0, first, second], pairs[1, first, second])
        made[pair] = 1.0 - 4.0 * both / (t_size * (t_size - 1) + h_size * (h_size - 1))


@compiled
def _kind(kinds: Ints, different: int, token: int) -> int:
    for kind in range(different):
        if kinds[kind] == token:
            return kind
    return -1


@compiled
def _skip_bigrams(tokens: Ints, start: int, end: int, kinds: Ints, different: int, seen: Ints, pairs: Ints) -> None:
    seen[:different] = 0
    for place in range(start, end):
        second = _kind(kinds, different, tokens[place])
        if second >= 0:
            for first in range(different):
                pairs[first, second] += seen[first]
            seen[second] += 1


@compiled
def _rouge_w(
    t_tokens: Ints,
    t_starts: Ints,
    h_tokens: Ints,
    h_starts: Ints,
    worth: Floats,
    root: float,
    line: Floats,
    runs: Ints,
    made: Floats,
) -> None:
    """`line` is what the common subsequence is worth, `runs` how long the run is that ends here."""
    for pair in range(len(made)):
        h_start = h_starts[pair]
        rows, columns = t_starts[pair + 1] - t_starts[pair], h_starts[pair + 1] - h_start
        line[: columns + 1] = 0.0
        runs[: columns + 1] = 0
        for t in range(t_starts[pair], t_starts[pair + 1]):
            diagonal, run = 0.0, 0
            for h in range(columns):
                above, above_run = line[h + 1], runs[h + 1]
                if h_tokens[h_start + h] == t_tokens[t]:
                    line[h + 1] = diagonal + worth[run + 1] - worth[run]
                    runs[h + 1] = run + 1
                else:
                    line[h + 1] = max(above, line[h])
                    runs[h + 1] = 0
                diagonal, run = above, above_run
        if columns == 0:
            made[pair] = 0.0
        elif line[columns] <= 0.0:
            made[pair] = 1.0
        else:
            precision = (line[columns] / worth[rows]) ** root
            recall = (line[columns] / worth[columns]) ** root
            made[pair] = max(0.0, 1.0 - 2.0 * precision * recall / (precision + recall))


@compiled
def _jaro_winkler(
    t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, taken: NDArray[np.bool_], made: Floats
) -> None:
    for pair in range(len(made)):
        t_start, h_start = t_starts[pair], h_starts[pair]
        rows, columns = t_starts[pair + 1] - t_start, h_starts[pair + 1] - h_start
        taken[0, :rows] = False
        taken[1, :columns] = False
        reach = max(max(rows, columns) // 2 - 1, 0)
        common = 0
        for t in range(rows):
            for h in range(max(t - reach, 0), min(t + reach + 1, columns)):
                if not taken[1, h] and t_tokens[t_start + t] == h_tokens[h_start + h]:
                    taken[0, t] = True
                    taken[1, h] = True
                    common += 1
                    break
        if common == 0:
            made[pair] = 1.0 if columns > 0 else 0.0
            continue
        crossed, h = 0, 0
        for t in range(rows):
            if taken[0, t]:
                while not taken[1, h]:
                    h += 1
                crossed += t_tokens[t_start + t] != h_tokens[h_start + h]
                h += 1
        alike = (common / rows + common / columns + (common - crossed // 2) / common) / 3.0
        if alike > BOOSTED:
            prefix = 0
            while prefix < min(PREFIX, rows, columns) and t_tokens[t_start + prefix] == h_tokens[h_start + prefix]:
                prefix += 1
            alike += BOOST * prefix * (1.0 - alike)
        made[pair] = 1.0 - alike


@compiled
def _ngram(
    t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, size: int, line: Floats, made: Floats
) -> None:
    for pair in range(len(made)):
        t_start, h_start = t_starts[pair], h_starts[pair]
        rows, columns = t_starts[pair + 1] - t_start, h_starts[pair + 1] - h_start
        for h in range(columns + 1):
            line[h] = float(h)
        for t in range(rows):
            diagonal = line[0]
            left = diagonal + 1.0
            line[0] = left
            for h in range(columns):
                # Places before the first token of both are marks above marks; before that of one, they differ.
                looked = min(size, max(t, h) + 1)
                shared = min(looked, min(t, h) + 1)
                differing = looked - shared
                for back in range(shared):
                    differing += t_tokens[t_start + t - back] != h_tokens[h_start + h - back]
                above = line[h + 1]
                left = min(min(above, left) + 1.0, diagonal + differing / looked)
                line[h + 1] = left
                diagonal = above
        made[pair] = line[columns] / max(rows, columns) if columns > 0 else 0.0
