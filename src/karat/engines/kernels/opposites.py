"""Words of T that are the opposite of a word of H and stand where it would stand."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Bytes, Int32s, Ints, Singles
from karat.engines.kernels.contexts import PLAIN
from karat.kernels.compiled import compiled


@compiled
def is_listed(first: int, second: int, keys: Ints) -> bool:
    """Whether a pair of lemmas is among sorted keys of `first << 32 | second`."""
    key = (np.int64(first) << 32) | np.int64(second)
    place = np.searchsorted(keys, key)
    return bool(place < len(keys) and keys[place] == key)


@compiled
def find_opposites(
    t_starts: Ints,
    h_starts: Ints,
    blocks: Ints,
    strength: Singles,
    relation: Bytes,
    opposite: int,
    least: float,
    listed: Ints,
    t_lemmas: Int32s,
    h_lemmas: Int32s,
    asked: Bools,
    allowed: Bools,
    t_polarity: Bytes,
    h_polarity: Bytes,
    t_mood: Bytes,
    aligned: Int32s,
    anchors: Bools,
    reach: int,
) -> Int32s:
    """For each H word that is asked about the place of the nearest fitting opposite in T, -1 for none.

    A T word fits that is allowed, asserted or denied as the H word is, stated as a fact, and has within reach the
    stand-in of an anchor, which is another word of H.
    """
    found = np.full(h_starts[-1], -1, dtype=np.int32)
    for pair in range(len(t_starts) - 1):
        many_h = h_starts[pair + 1] - h_starts[pair]
        for h in range(many_h):
            row = h_starts[pair] + h
            if not asked[row]:
                continue
            nearest = reach + 1
            for t in range(t_starts[pair + 1] - t_starts[pair]):
                t_row = t_starts[pair] + t
                cell = blocks[pair] + t * many_h + h
                if not allowed[t_row] or t_polarity[t_row] != h_polarity[row] or t_mood[t_row] != PLAIN:
                    continue
                if not (relation[cell] == opposite and strength[cell] >= least) and not is_listed(
                    t_lemmas[t_row], h_lemmas[row], listed
                ):
                    continue
                for other in range(h_starts[pair], h_starts[pair + 1]):
                    if other != row and anchors[other] and aligned[other] >= 0 and aligned[other] != t:
                        away = abs(aligned[other] - t)
                        if away < nearest:
                            nearest = away
                            found[row] = t
    return found
