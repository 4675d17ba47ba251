"""Distances of token bags and sequences, and the cost of edits.

Bags and sequences are apart from 0 (nothing of H is missing) to 1 (all of it is), for many pairs at once.
Tokens are numbers; pair i has those of T at `t_starts[i]:t_starts[i + 1]` and those of H likewise. An empty H asks for
nothing: distance 0. An empty T gives nothing: distance 1, unless H is empty too. These are the distances of EDITS with
its defects mended: its cosine took the square root of the dot product, so that even equal texts were apart; the longest
common subsequence was returned as a similarity; in ROUGE-W the length of a run never grew; ROUGE-S was divided by the
pairs of skip-bigrams, not by the skip-bigrams; Jaro-Winkler's common prefix had no limit, so that distances could be
negative.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Int32s, Ints, Singles
from karat.kernels.compiled import compiled

GRAM = 3
"""Tokens in an n-gram."""
BOOSTED, BOOST, PREFIX = 0.7, 0.1, 4
"""Jaro's similarity above this grows by a tenth of what it lacks for each of up to four first tokens (Winkler 1990)."""


@compiled
def _count(tokens: Int32s, start: int, end: int, token: int) -> int:
    """How often the token is there: all are looked at, since that needs no branch and runs over several at once."""
    times = 0
    for place in range(start, end):
        times += tokens[place] == token
    return times


@compiled
def _different(tokens: Int32s, start: int, end: int) -> int:
    different = 0
    for place in range(start, end):
        different += _count(tokens, start, place, tokens[place]) == 0
    return different


@compiled
def overlap_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """The share of H's tokens that T lacks."""
    made = np.zeros(len(t_starts) - 1)
    for pair in range(len(made)):
        missing, total = 0.0, h_starts[pair + 1] - h_starts[pair]
        for h in range(h_starts[pair], h_starts[pair + 1]):
            missing += _count(t_tokens, t_starts[pair], t_starts[pair + 1], h_tokens[h]) == 0
        if total > 0:
            made[pair] = missing / total
    return made


@compiled
def cosine_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """1 less the cosine of how often each token occurs."""
    made = np.zeros(len(t_starts) - 1)
    for pair in range(len(made)):
        t_start, t_end, h_start, h_end = t_starts[pair], t_starts[pair + 1], h_starts[pair], h_starts[pair + 1]
        # Summed over tokens, counts are summed as often as they say: so these are sums of products of counts.
        both, t_square, h_square = 0, 0, 0
        for h in range(h_start, h_end):
            both += _count(t_tokens, t_start, t_end, h_tokens[h])
            h_square += _count(h_tokens, h_start, h_end, h_tokens[h])
        for t in range(t_start, t_end):
            t_square += _count(t_tokens, t_start, t_end, t_tokens[t])
        if both > 0:
            # One root of the product: of equal bags the product is a square, and the distance 0 to the last bit.
            made[pair] = max(0.0, 1.0 - both / np.sqrt(float(t_square) * float(h_square)))
        elif h_end > h_start:
            made[pair] = 1.0
    return made


@compiled
def jaccard_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """1 less the different tokens in both, of those in either."""
    made = np.zeros(len(t_starts) - 1)
    for pair in range(len(made)):
        t_start, t_end, h_start, h_end = t_starts[pair], t_starts[pair + 1], h_starts[pair], h_starts[pair + 1]
        both = 0
        for h in range(h_start, h_end):
            if _count(h_tokens, h_start, h, h_tokens[h]) == 0:
                both += _count(t_tokens, t_start, t_end, h_tokens[h]) > 0
        either = _different(t_tokens, t_start, t_end) + _different(h_tokens, h_start, h_end) - both
        if h_end > h_start:
            made[pair] = 1.0 - both / either
    return made


def lcs_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """The share of H's tokens that are not in the longest common subsequence."""
    common, h_sizes = _longest_common(t_tokens, t_starts, h_tokens, h_starts), np.diff(h_starts)
    return np.where(h_sizes > 0, 1 - common / np.maximum(h_sizes, 1), 0.0)


def rouge_l_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """1 less the F of the longest common subsequence's shares in T and H (Lin 2004)."""
    common, h_sizes = _longest_common(t_tokens, t_starts, h_tokens, h_starts), np.diff(h_starts)
    return np.where(h_sizes > 0, 1 - 2 * common / np.maximum(np.diff(t_starts) + h_sizes, 1), 0.0)


@compiled
def _longest_common(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Ints:
    """Lengths of the longest common subsequences."""
    made = np.zeros(len(t_starts) - 1, dtype=np.int64)
    for pair in range(len(made)):
        h_start = h_starts[pair]
        columns = h_starts[pair + 1] - h_start
        line = np.zeros(columns + 1, dtype=np.int64)
        for t in range(t_starts[pair], t_starts[pair + 1]):
            token, diagonal, left = t_tokens[t], 0, 0
            for h in range(columns):
                above = line[h + 1]
                left = diagonal + 1 if h_tokens[h_start + h] == token else max(above, left)
                line[h + 1] = left
                diagonal = above
        made[pair] = line[columns]
    return made


def rouge_s_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """1 less the F of the skip-bigrams (ordered pairs of tokens) in common, a repeated one as often as in both.

    One token makes no pair: where H has but one, this is ROUGE-L.
    """
    common = _common_skip_bigrams(t_tokens, t_starts, h_tokens, h_starts)
    t, h = np.diff(t_starts), np.diff(h_starts)
    f = 4.0 * common / np.maximum(t * (t - 1) + h * (h - 1), 1)
    return np.where(h > 1, 1.0 - f, rouge_l_distance(t_tokens, t_starts, h_tokens, h_starts))


@compiled
def _common_skip_bigrams(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Ints:
    made = np.zeros(len(t_starts) - 1, dtype=np.int64)
    for pair in range(len(made)):
        size = h_starts[pair + 1] - h_starts[pair]
        if size < 2:
            continue
        kinds, different = np.zeros(size, dtype=np.int64), 0
        for h in range(h_starts[pair], h_starts[pair + 1]):
            if _kind(kinds, different, h_tokens[h]) < 0:
                kinds[different] = h_tokens[h]
                different += 1
        in_t = _skip_bigrams(t_tokens, t_starts[pair], t_starts[pair + 1], kinds, different)
        in_h = _skip_bigrams(h_tokens, h_starts[pair], h_starts[pair + 1], kinds, different)
        made[pair] = np.minimum(in_t, in_h).sum()
    return made


@compiled
def _kind(kinds: Ints, different: int, token: int) -> int:
    for kind in range(different):
        if kinds[kind] == token:
            return kind
    return -1


@compiled
def _skip_bigrams(tokens: Int32s, start: int, end: int, kinds: Ints, different: int) -> Ints:
    """How often each kind of token of H comes before each; a token that H lacks is in no pair that counts."""
    pairs = np.zeros((different, different), dtype=np.int64)
    seen = np.zeros(different, dtype=np.int64)
    for place in range(start, end):
        second = _kind(kinds, different, tokens[place])
        if second >= 0:
            for first in range(different):
                pairs[first, second] += seen[first]
            seen[second] += 1
    return pairs


@compiled
def rouge_w_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints, power: float = 2.0) -> Floats:
    """1 less the F of the common subsequence in which a run of k tokens counts k to this power (Lin 2004)."""
    made, root = np.zeros(len(t_starts) - 1), 1 / power
    for pair in range(len(made)):
        h_start = h_starts[pair]
        rows, columns = t_starts[pair + 1] - t_starts[pair], h_starts[pair + 1] - h_start
        # What the common subsequence is worth, and how long the run is that ends here.
        line, runs = np.zeros(columns + 1), np.zeros(columns + 1, dtype=np.int64)
        for t in range(t_starts[pair], t_starts[pair + 1]):
            diagonal, run = 0.0, 0
            for h in range(columns):
                above, above_run = line[h + 1], runs[h + 1]
                if h_tokens[h_start + h] == t_tokens[t]:
                    line[h + 1] = diagonal + float(run + 1) ** power - float(run) ** power
                    runs[h + 1] = run + 1
                else:
                    line[h + 1] = max(above, line[h])
                    runs[h + 1] = 0
                diagonal, run = above, above_run
        if line[columns] > 0.0:
            precision = (line[columns] / float(rows) ** power) ** root
            recall = (line[columns] / float(columns) ** power) ** root
            made[pair] = max(0.0, 1.0 - 2.0 * precision * recall / (precision + recall))
        elif columns > 0:
            made[pair] = 1.0
    return made


@compiled
def jaro_winkler_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints) -> Floats:
    """1 less Jaro and Winkler's similarity: tokens near their place, transpositions, a common prefix."""
    made = np.zeros(len(t_starts) - 1)
    for pair in range(len(made)):
        t_start, h_start = t_starts[pair], h_starts[pair]
        rows, columns = t_starts[pair + 1] - t_start, h_starts[pair + 1] - h_start
        t_taken, h_taken = np.zeros(rows, dtype=np.bool_), np.zeros(columns, dtype=np.bool_)
        reach = max(max(rows, columns) // 2 - 1, 0)
        common = 0
        for t in range(rows):
            for h in range(max(t - reach, 0), min(t + reach + 1, columns)):
                if not h_taken[h] and t_tokens[t_start + t] == h_tokens[h_start + h]:
                    t_taken[t] = h_taken[h] = True
                    common += 1
                    break
        if common == 0:
            made[pair] = 1.0 if columns > 0 else 0.0
            continue
        crossed, h = 0, 0
        for t in range(rows):
            if t_taken[t]:
                while not h_taken[h]:
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
    return made


@compiled
def ngram_distance(t_tokens: Int32s, t_starts: Ints, h_tokens: Int32s, h_starts: Ints, size: int = GRAM) -> Floats:
    """The edit distance of the n-grams that end at each token, as a share of the longer side (Kondrak 2005).

    One n-gram for another costs the share of places where they differ; before the first token both sides have marks,
    and a mark above a mark is not looked at.
    """
    made = np.zeros(len(t_starts) - 1)
    for pair in range(len(made)):
        t_start, h_start = t_starts[pair], h_starts[pair]
        rows, columns = t_starts[pair + 1] - t_start, h_starts[pair + 1] - h_start
        line = np.arange(columns + 1).astype(np.float64)
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
        if columns > 0:
            made[pair] = line[columns] / max(rows, columns)
    return made


@compiled
def edit_distances(
    t_starts: Ints,
    h_starts: Ints,
    m_starts: Ints,
    match: Singles,
    delete: Floats,
    insert: Floats,
    costs: Floats,
    share: float = 0.0,
) -> Floats:
    """The least cost of turning each T into its H, under each row of costs (schemes, 3): (schemes, pairs).

    What the tokens of a pair have in common is a block |T| × |H| of `match`, row by row from `m_starts[i]` (0: the
    same; 1: nothing). To delete or insert a token costs what `delete` and `insert` say of it; to substitute h for t
    costs match × (substitute + share × (delete of t + insert of h)): one price for all with share 0, and with
    substitute 0 and share 1 as EDITS 3 reckons. A row multiplies `delete` and `insert`, and its third number is
    `substitute`. Starts need not begin at 0, so a slice of them is a batch too.
    """
    made = np.empty((len(costs), len(t_starts) - 1))
    for pair in range(len(t_starts) - 1):
        h_start = h_starts[pair]
        width = h_starts[pair + 1] - h_start
        # One row of the table at a time; `line[j]` is the cost of making the first j tokens of H.
        line = np.empty(width + 1)
        for scheme in range(len(costs)):
            deleting, inserting, changing = costs[scheme, 0], costs[scheme, 1], costs[scheme, 2]
            line[0] = 0.0
            for h in range(width):
                line[h + 1] = line[h] + inserting * insert[h_start + h]
            cell = m_starts[pair]
            for t in range(t_starts[pair], t_starts[pair + 1]):
                gone = deleting * delete[t]
                diagonal = line[0]
                left = diagonal + gone
                line[0] = left
                for h in range(width):
                    come = inserting * insert[h_start + h]
                    above = line[h + 1]
                    # Only the last of the three waits for the cell to the left, so it comes last.
                    best = min(above + gone, diagonal + match[cell + h] * (changing + share * (gone + come)))
                    left = min(best, left + come)
                    line[h + 1] = left
                    diagonal = above
                cell += width
            made[scheme, pair] = line[width]
    return made


@compiled
def totals(starts: Ints, values: Floats) -> Floats:
    """The sum of each segment: what deleting all of T, or inserting all of H, costs; distances are divided by it."""
    made = np.zeros(len(starts) - 1)
    for segment in range(len(made)):
        for place in range(starts[segment], starts[segment + 1]):
            made[segment] += values[place]
    return made
