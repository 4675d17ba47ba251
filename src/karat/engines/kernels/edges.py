"""Words that hang together in a hypothesis, and whether what stands for them hangs together in the text.

A batch is flat, as in `word_match`; heads are places within their text, -1 at a root.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints, Singles
from karat.kernels.compiled import compiled


@compiled
def upper_words(starts: Ints, heads: Int32s, counts: Bools) -> Int32s:
    """For each word that counts, the place of the next word above it that counts; -1 where there is none."""
    above = np.full(len(heads), -1, dtype=np.int32)
    for text in range(len(starts) - 1):
        first, size = starts[text], starts[text + 1] - starts[text]
        for row in range(first, starts[text + 1]):
            if not counts[row]:
                continue
            head = heads[row]
            for _ in range(size):  # however a parser's heads go round
                if head < 0 or counts[first + head]:
                    break
                head = heads[first + head]
            if head >= 0 and first + head != row and counts[first + head]:
                above[row] = head
    return above


@compiled
def match_edges(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    strength: Singles,
    t_above: Int32s,
    h_above: Int32s,
    sentences: Int32s,
    weights: Floats,
    least: float,
) -> Floats:
    """Shares by weight of the edges of H (pairs, 3) that T has between words that stand for both ends: as one edge of
    either direction; as one or as two; within one sentence. 1 where H has no edges.
    """
    many = len(t_starts) - 1
    made = np.ones((many, 3))
    for pair in range(many):
        t_first, size = t_starts[pair], t_starts[pair + 1] - t_starts[pair]
        h_first, width = h_starts[pair], h_starts[pair + 1] - h_starts[pair]
        block, total, direct, near, together = blocks[pair], 0.0, 0.0, 0.0, 0.0
        for h in range(width):
            head = h_above[h_first + h]
            if head < 0:
                continue
            weight = weights[h_first + h] + weights[h_first + head]
            total += weight
            best = 0
            for lower in range(size):
                if best == 3:
                    break
                if strength[block + lower * width + h] < least:
                    continue
                over = t_above[t_first + lower]
                for upper in range(size):
                    if upper == lower or strength[block + upper * width + head] < least:
                        continue
                    if sentences[t_first + lower] != sentences[t_first + upper]:
                        continue
                    higher = t_above[t_first + upper]
                    if over == upper or higher == lower:
                        best = 3
                        break
                    siblings = over >= 0 and over == higher
                    climbs = over >= 0 and t_above[t_first + over] == upper
                    descends = higher >= 0 and t_above[t_first + higher] == lower
                    best = max(best, 2 if siblings or climbs or descends else 1)
            direct += weight * (best == 3)
            near += weight * (best >= 2)
            together += weight * (best >= 1)
        if total > 0.0:
            made[pair, 0] = direct / total
            made[pair, 1] = near / total
            made[pair, 2] = together / total
    return made


@compiled
def match_roles(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    strength: Singles,
    t_above: Int32s,
    h_above: Int32s,
    t_roles: Bytes,
    h_roles: Bytes,
    least: float,
) -> Ints:
    """How many words of H have a role (above 0), how many of these stand in T in that role to a word that stands for
    their head, and how many only in another role to it: (pairs, 3).
    """
    many = len(t_starts) - 1
    made = np.zeros((many, 3), dtype=np.int64)
    for pair in range(many):
        t_first, size = t_starts[pair], t_starts[pair + 1] - t_starts[pair]
        h_first, width = h_starts[pair], h_starts[pair + 1] - h_starts[pair]
        block = blocks[pair]
        for h in range(width):
            head, role = h_above[h_first + h], h_roles[h_first + h]
            if head < 0 or role <= 0:
                continue
            made[pair, 0] += 1
            found = 0
            for t in range(size):
                over = t_above[t_first + t]
                if over < 0 or strength[block + t * width + h] < least:
                    continue
                if strength[block + over * width + head] < least:
                    continue
                if t_roles[t_first + t] == role:
                    found = 1
                    break
                if t_roles[t_first + t] > 0:
                    found = 2
            if found:
                made[pair, found] += 1
    return made
