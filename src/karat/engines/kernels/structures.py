"""Words that hang together in a hypothesis, and whether what stands for them hangs together in the text.

A batch is flat, as in `word_match`; heads are places within their text, -1 at a root."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Singles
from karat.engines.kernels.word_match import Grid
from karat.kernels.compiled import compiled


class Structure(NamedTuple):
    """The head of each word, and what it is to it."""

    heads: Int32s
    roles: Bytes


class RelationWorth(NamedTuple):
    """How well a relation in T stands for one in H."""

    forth: Singles
    """Role in H × role in T."""
    back: Singles
    """The same where the T word is the head of the head's stand-in."""
    between: float
    near: float
    sentence: float
    text: float
    """Words not so related: one word between them, at most `reach` words apart, in one sentence, in one text."""
    reach: int


@compiled
def match_triples(
    grid: Grid,
    support: Singles,
    least: float,
    t_structure: Structure,
    h_structure: Structure,
    t_sentences: Int32s,
    worth: RelationWorth,
) -> Singles:
    """How well T has each H word in its relation to its head, from 0 to 1.

    Words are compared by `support` (weaker than `least` is nothing), relations by their worth.
    """
    t_starts, h_starts, blocks = grid
    t_heads, t_roles = t_structure
    h_heads, h_roles = h_structure
    forth, back, between, close, together, apart, reach = worth
    value = np.zeros(h_starts[-1], dtype=np.float32)
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
                    elif abs(t - head) <= reach:
                        fits = close
                    else:
                        fits = together
                    if here * there * fits > value[row]:
                        value[row] = here * there * fits
    return value


@compiled
def find_swaps(
    grid: Grid,
    support: Singles,
    least: float,
    t_structure: Structure,
    h_structure: Structure,
    mutual: Bools,
    first: Bools,
    second: Bools,
) -> Int32s:
    """For each H word in a `first` role whose head has one in a `second` role: the place of the T word for the latter
    where that is in the first role to the same head and the former in the second; -1 elsewhere. Heads that are `mutual`
    are left out, since nothing changes there.
    """
    t_starts, h_starts, blocks = grid
    t_heads, t_roles = t_structure
    h_heads, h_roles = h_structure
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
