"""Stretches of a text: how much of a hypothesis stands close together, and in the same order.

A batch is flat, as in `word_match`: pair i has the T rows t_starts[i] to t_starts[i + 1], likewise H, and a block of
|T| × |H| strengths from blocks[i]. H words of weight 0 are passed over.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats, Int32s, Ints, Singles
from karat.kernels.compiled import compiled


@compiled
def best_stretches(
    t_starts: Ints, h_starts: Ints, blocks: Ints, strength: Singles, weights: Floats, reach: Ints
) -> tuple[Floats, Ints]:
    """The weight of H that the best stretch of T covers, as a share (1 where nothing weighs), and its first place.

    A stretch goes from a T row up to below the row that `reach` gives for it; of equals the first is taken.
    """
    many = len(t_starts) - 1
    shares, places = np.ones(many), np.zeros(many, dtype=np.int64)
    widest = np.max(np.diff(h_starts)) if many else 0
    held = np.zeros(widest)
    for pair in range(many):
        t_first, h_first = t_starts[pair], h_starts[pair]
        t_end, width = t_starts[pair + 1], h_starts[pair + 1] - h_starts[pair]
        total = 0.0
        for h in range(width):
            total += weights[h_first + h]
        if total <= 0.0:
            continue
        best = 0.0
        for begin in range(t_first, t_end):
            row = blocks[pair] + (begin - t_first) * width
            begins = False
            for h in range(width):
                held[h] = 0.0
                if strength[row + h] > 0.0 and weights[h_first + h] > 0.0:
                    begins = True
            if not begins:  # a stretch that begins with nothing of H is no better than the next
                continue
            covered = 0.0
            for t in range(begin, min(reach[begin], t_end)):
                cell = blocks[pair] + (t - t_first) * width
                for h in range(width):
                    more = strength[cell + h] - held[h]
                    if more > 0.0:
                        held[h] += more
                        covered += more * weights[h_first + h]
            if covered > best + 1e-12:
                best = covered
                places[pair] = begin - t_first
        shares[pair] = best / total
    return shares, places


@compiled
def shortest_stretches(
    t_starts: Ints, h_starts: Ints, blocks: Ints, strength: Singles, counts: Bools, least: float
) -> Ints:
    """How many T words the shortest stretch has in which every H word that T has at all (at least so strong) stands."""
    many = len(t_starts) - 1
    lengths = np.zeros(many, dtype=np.int64)
    widest = np.max(np.diff(h_starts)) if many else 0
    inside = np.zeros(widest, dtype=np.int64)
    for pair in range(many):
        h_first, width = h_starts[pair], h_starts[pair + 1] - h_starts[pair]
        size, block = t_starts[pair + 1] - t_starts[pair], blocks[pair]
        wanted = 0
        for h in range(width):
            inside[h] = 0
            if counts[h_first + h]:
                for t in range(size):
                    if strength[block + t * width + h] >= least:
                        wanted += 1
                        break
        if wanted == 0:
            continue
        shortest, had, begin = size, 0, 0
        for end in range(size):
            for h in range(width):
                if counts[h_first + h] and strength[block + end * width + h] >= least:
                    inside[h] += 1
                    had += inside[h] == 1
            while had == wanted:
                shortest = min(shortest, end - begin + 1)
                for h in range(width):
                    if counts[h_first + h] and strength[block + begin * width + h] >= least:
                        inside[h] -= 1
                        had -= inside[h] == 0
                begin += 1
        lengths[pair] = shortest
    return lengths


@compiled
def word_order(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    strength: Singles,
    to: Int32s,
    counts: Bools,
    least: float,
    near: int,
) -> Floats:
    """Four shares of each pair (pairs, 4): neighbours of H that stand near each other in T in the same order; any two
    words of H that T has in the same order; of aligned words, two that stand the other way round; and the longest
    sequence in common. Where H has too few words to ask, the first two are that of its single word, the third is 0.
    """
    many = len(t_starts) - 1
    made = np.zeros((many, 4))
    widest = np.max(np.diff(h_starts)) if many else 0
    kept = np.zeros(widest, dtype=np.int64)
    first, last = np.zeros(widest, dtype=np.int64), np.zeros(widest, dtype=np.int64)
    line = np.zeros(widest + 1, dtype=np.int64)
    for pair in range(many):
        h_first, width = h_starts[pair], h_starts[pair + 1] - h_starts[pair]
        size, block = t_starts[pair + 1] - t_starts[pair], blocks[pair]
        words = 0
        for h in range(width):
            if counts[h_first + h]:
                kept[words] = h
                words += 1
        if words == 0:
            made[pair, 0] = made[pair, 1] = made[pair, 3] = 1.0
            continue
        for place in range(words):
            first[place], last[place] = size, -1
            for t in range(size):
                if strength[block + t * width + kept[place]] >= least:
                    first[place] = min(first[place], t)
                    last[place] = t
        if words == 1:
            made[pair, 0] = made[pair, 1] = 1.0 if last[0] >= 0 else 0.0
        else:
            neighbours = ordered = aligned = turned = 0
            for one in range(words):
                here = to[h_first + kept[one]]
                for other in range(one + 1, words):
                    ordered += first[one] < last[other]
                    there = to[h_first + kept[other]]
                    if here >= 0 and there >= 0 and here != there:
                        aligned += 1
                        turned += here > there
                if one + 1 < words and first[one] < last[one + 1]:
                    neighbours += _near(block, width, kept[one], kept[one + 1], size, strength, least, near)
            made[pair, 0] = neighbours / (words - 1)
            made[pair, 1] = ordered / (words * (words - 1) / 2)
            made[pair, 2] = turned / aligned if aligned else 0.0
        for place in range(words + 1):
            line[place] = 0
        for t in range(size):
            corner = 0
            for place in range(words):
                above = line[place + 1]
                if strength[block + t * width + kept[place]] >= least:
                    line[place + 1] = max(above, corner + 1)
                line[place + 1] = max(line[place + 1], line[place])
                corner = above
        made[pair, 3] = line[words] / words
    return made


@compiled
def _near(block: int, width: int, one: int, other: int, size: int, strength: Singles, least: float, near: int) -> bool:
    """Whether two words of H stand in T in their order with fewer than `near` words between them."""
    before = -near - 1
    for t in range(size):
        if strength[block + t * width + other] >= least and t - before <= near and t > before >= 0:
            return True
        if strength[block + t * width + one] >= least:
            before = t
    return False
