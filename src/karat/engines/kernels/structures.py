"""Words that hang together in a hypothesis, and whether what stands for them hangs together in the text.

A batch is flat, as in `word_match`; heads are places within their text, -1 at a root."""

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


@compiled
def match_triples(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    support: Singles,
    least: float,
    t_heads: Int32s,
    t_roles: Bytes,
    t_sentences: Int32s,
    h_heads: Int32s,
    h_roles: Bytes,
    forth: Singles,
    back: Singles,
    looser: tuple[float, float, float, float],
    near: int,
) -> Singles:
    """How well T has each H word in its relation to its head, from 0 to 1.

    Words are compared by `support` (weaker than `least` is nothing), relations by `forth` (role in H × role in T) where
    the T word depends on the head's stand-in, and by `back` where it is the other way round. Words of T that are not
    so related count for less: `looser` is for a word between them, for standing near, in one sentence, in one text.
    """
    value = np.zeros(h_starts[-1], dtype=np.float32)
    between, close, together, apart = looser
    for pair in range(len(t_starts) - 1):
        many_h, many_t = h_starts[pair + 1] - h_starts[pair], t_starts[pair + 1] - t_starts[pair]
        base = t_starts[pair]
        for h in range(many_h):
            row = h_starts[pair] + h
            over = h_heads[row]
            if h_roles[row] == 0 or over < 0:
                continue
            for t in range(many_t):
                here = support[blocks[pair] + t * many_h + h]
                if here < least or here <= value[row]:
                    continue
                for head in range(many_t):
                    there = support[blocks[pair] + head * many_h + over]
                    if there < least or head == t or here * there <= value[row]:
                        continue
                    if t_heads[base + t] == head:
                        fits = forth[h_roles[row], t_roles[base + t]]
                    elif t_heads[base + head] == t:
                        fits = back[h_roles[row], t_roles[base + head]]
                    elif t_heads[base + t] >= 0 and (
                        t_heads[base + t_heads[base + t]] == head or t_heads[base + t] == t_heads[base + head]
                    ):
                        fits = between
                    elif t_sentences[base + t] != t_sentences[base + head]:
                        fits = apart
                    elif abs(t - head) <= near:
                        fits = close
                    else:
                        fits = together
                    if here * there * fits > value[row]:
                        value[row] = here * there * fits
    return value


@compiled
def find_swaps(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    support: Singles,
    least: float,
    t_heads: Int32s,
    t_roles: Bytes,
    h_heads: Int32s,
    h_roles: Bytes,
    mutual: Bools,
    first: Bools,
    second: Bools,
) -> Int32s:
    """For each H word in a `first` role whose head has one in a `second` role: the place of the T word for the latter
    where that is in the first role to the same head and the former in the second; -1 elsewhere. Heads that are `mutual`
    are left out, since nothing changes there.
    """
    place = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        many_h, many_t = h_starts[pair + 1] - h_starts[pair], t_starts[pair + 1] - t_starts[pair]
        base, block = t_starts[pair], blocks[pair]
        for h in range(many_h):
            row = h_starts[pair] + h
            verb = h_heads[row]
            if not first[h_roles[row]] or verb < 0 or mutual[h_starts[pair] + verb]:
                continue
            for h_object in range(many_h):
                if not second[h_roles[h_starts[pair] + h_object]] or h_heads[h_starts[pair] + h_object] != verb:
                    continue
                for one in range(many_t):
                    t_verb = t_heads[base + one]
                    if not first[t_roles[base + one]] or t_verb < 0:
                        continue
                    if support[block + t_verb * many_h + verb] < least:
                        continue
                    if support[block + one * many_h + h_object] < least or support[block + one * many_h + h] >= least:
                        continue
                    for two in range(many_t):
                        if not second[t_roles[base + two]] or t_heads[base + two] != t_verb:
                            continue
                        if support[block + two * many_h + h] >= least:
                            place[row] = one
    return place
