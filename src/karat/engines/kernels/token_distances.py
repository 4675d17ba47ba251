"""Distances of token bags and sets, from 0 (nothing of H is missing) to 1 (all of it is), for many pairs at once.

Tokens are numbers; pair i has those of T at `t_starts[i]:t_starts[i + 1]` and those of H likewise. They are the
distances of EDITS, with a defect mended: its cosine took the square root of the dot product, so that even equal texts
were apart. An empty H asks for nothing: distance 0. An empty T gives nothing: distance 1, unless H is empty too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from karat.arrays import Floats, Ints
from karat.engines.kernels.edit_distance import Matches, real, whole
from karat.kernels.compiled import compiled


def overlap_distance(
    t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, weights: ArrayLike | None = None
) -> Floats:
    """The share of H's tokens, by weight, that T lacks; 0 where they weigh nothing."""
    made = np.empty(len(t_starts) - 1)
    heavy = np.ones(len(h_tokens)) if weights is None else real(weights)
    _overlap(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), heavy, made)
    return made


def match_distance(
    t_starts: Ints, h_starts: Ints, m_starts: Ints, match: Matches, weights: ArrayLike | None = None
) -> Floats:
    """The overlap of `match` blocks: each token of H is as far as the nearest token of T, averaged by weight."""
    made = np.empty(len(t_starts) - 1)
    heavy = np.ones(int(h_starts[-1])) if weights is None else real(weights)
    blocks = np.ascontiguousarray(match, dtype=np.float32)
    _match(whole(t_starts), whole(h_starts), whole(m_starts), blocks, heavy, made)
    return made


def cosine_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> Floats:
    """1 less the cosine of how often each token occurs."""
    made = np.empty(len(t_starts) - 1)
    _cosine(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), made)
    return made


def jaccard_distance(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints) -> Floats:
    """1 less the different tokens in both, of those in either."""
    made = np.empty(len(t_starts) - 1)
    _jaccard(whole(t_tokens), whole(t_starts), whole(h_tokens), whole(h_starts), made)
    return made


@compiled
def _count(tokens: Ints, start: int, end: int, token: int) -> int:
    """How often the token is there: all are looked at, since that needs no branch and runs over several at once."""
    times = 0
    for place in range(start, end):
        times += tokens[place] == token
    return times


@compiled
def _different(tokens: Ints, start: int, end: int) -> int:
    """How many different tokens are there."""
    different = 0
    for place in range(start, end):
        different += _count(tokens, start, place, tokens[place]) == 0
    return different


@compiled
def _overlap(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, weights: Floats, made: Floats) -> None:
    for pair in range(len(made)):
        missing, total = 0.0, 0.0
        for h in range(h_starts[pair], h_starts[pair + 1]):
            total += weights[h]
            if _count(t_tokens, t_starts[pair], t_starts[pair + 1], h_tokens[h]) == 0:
                missing += weights[h]
        made[pair] = missing / total if total > 0 else 0.0


@compiled
def _match(t_starts: Ints, h_starts: Ints, m_starts: Ints, match: Matches, weights: Floats, made: Floats) -> None:
    for pair in range(len(made)):
        h_start, columns = h_starts[pair], h_starts[pair + 1] - h_starts[pair]
        rows = t_starts[pair + 1] - t_starts[pair]
        missing, total = 0.0, 0.0
        for h in range(columns):
            nearest = 1.0
            for t in range(rows):
                nearest = min(nearest, match[m_starts[pair] + t * columns + h])
            missing += weights[h_start + h] * nearest
            total += weights[h_start + h]
        made[pair] = missing / total if total > 0 else 0.0


@compiled
def _cosine(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, made: Floats) -> None:
    for pair in range(len(made)):
        t_start, t_end, h_start, h_end = t_starts[pair], t_starts[pair + 1], h_starts[pair], h_starts[pair + 1]
        # Summed over tokens, counts are summed as often as they say: so these are sums of products of counts.
        both, t_square, h_square = 0, 0, 0
        for h in range(h_start, h_end):
            both += _count(t_tokens, t_start, t_end, h_tokens[h])
            h_square += _count(h_tokens, h_start, h_end, h_tokens[h])
        for t in range(t_start, t_end):
            t_square += _count(t_tokens, t_start, t_end, t_tokens[t])
        if h_start == h_end:
            made[pair] = 0.0
        elif both == 0:
            made[pair] = 1.0
        else:
            # One root of the product: of equal bags the product is a square, and the distance 0 to the last bit.
            made[pair] = max(0.0, 1.0 - both / np.sqrt(float(t_square) * float(h_square)))


@compiled
def _jaccard(t_tokens: Ints, t_starts: Ints, h_tokens: Ints, h_starts: Ints, made: Floats) -> None:
    for pair in range(len(made)):
        t_start, t_end, h_start, h_end = t_starts[pair], t_starts[pair + 1], h_starts[pair], h_starts[pair + 1]
        both = 0
        for h in range(h_start, h_end):
            if _count(h_tokens, h_start, h, h_tokens[h]) == 0:
                both += _count(t_tokens, t_start, t_end, h_tokens[h]) > 0
        either = _different(t_tokens, t_start, t_end) + _different(h_tokens, h_start, h_end) - both
        made[pair] = 1.0 - both / either if h_end > h_start else 0.0
