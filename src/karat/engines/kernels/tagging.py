"""Kinds of words in their context: the cheapest way through a sentence, and where sentences end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Int32s, Ints
from karat.kernels.compiled import compiled

Shorts = NDArray[np.int16]
NEVER = 1 << 28


@compiled
def split_sentences(starts: Ints, forms: Int32s, stops: Bools, begins: Bools, initials: Bools) -> Int32s:
    """The sentence of each token, from 0 in each text.

    `stops`, `begins` and `initials` say of a spelling that it ends a sentence, may begin one, is a lone capital.
    A stop ends a sentence where the next word may begin one (quotes and brackets that close the sentence stay with
    it), and not after the initial of a name.
    """
    sentences = np.zeros(len(forms), dtype=np.int32)
    for text in range(len(starts) - 1):
        first, last = starts[text], starts[text + 1]
        number = 0
        for row in range(first, last):
            sentences[row] = number
            if not stops[forms[row]] or row + 1 >= last or stops[forms[row + 1]]:
                continue
            if row > first and initials[forms[row - 1]]:
                continue
            if begins[forms[row + 1]]:
                number += 1
    return sentences


@compiled
def tag_kinds(
    sentences: Int32s,
    starts: Ints,
    forms: Int32s,
    kinds: Bytes,
    costs: Shorts,
    sentence_kinds: Bytes,
    sentence_costs: Shorts,
    follows: Shorts,
    before: int,
) -> Bytes:
    """The kind of each token: of all ways through its sentence the one with the least cost.

    A spelling has the kinds of its row of `kinds` (-1 ends it) at `costs`, and at the start of a sentence those of
    `sentence_kinds`; `follows[a, b]` is what b after a costs, and a sentence starts as if `before` stood before it.
    """
    width = kinds.shape[1]
    many = len(forms)
    found = np.zeros(many, dtype=np.int8)
    back = np.zeros((many, width), dtype=np.int8)
    now = np.zeros(width, dtype=np.int64)
    then = np.zeros(width, dtype=np.int64)
    for text in range(len(starts) - 1):
        row = starts[text]
        while row < starts[text + 1]:
            first = row
            for place in range(width):
                kind = sentence_kinds[forms[row], place]
                now[place] = NEVER if kind < 0 else sentence_costs[forms[row], place] + follows[before, kind]
            row += 1
            while row < starts[text + 1] and sentences[row] == sentences[first]:
                for place in range(width):
                    kind = kinds[forms[row], place]
                    then[place] = NEVER
                    if kind < 0:
                        continue
                    for other in range(width):
                        if now[other] >= NEVER:
                            continue
                        last = (
                            sentence_kinds[forms[row - 1], other] if row - 1 == first else kinds[forms[row - 1], other]
                        )
                        cost = now[other] + follows[last, kind]
                        if cost < then[place]:
                            then[place] = cost
                            back[row, place] = other
                    then[place] += costs[forms[row], place]
                now, then = then, now
                row += 1
            best = 0
            for place in range(width):
                if now[place] < now[best]:
                    best = place
            for at in range(row - 1, first - 1, -1):
                found[at] = sentence_kinds[forms[at], best] if at == first else kinds[forms[at], best]
                best = back[at, best]
    return found
