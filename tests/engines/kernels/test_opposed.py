"""What speaks against a hypothesis, found by a compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from karat.arrays import Bytes
from karat.engines.kernels.contexts import Contexts
from karat.engines.kernels.opposed import Opposable, Opposites, find_opposites
from karat.engines.kernels.word_match import Grid


def ends(many: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where one text begins and ends."""
    return np.array([0, many], dtype=np.int64)


def test_opposites() -> None:
    """An opposite is found in the same context and near another word of H, by the dictionary or by the list."""

    def byte(*row: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        return np.array(row, dtype=np.int8)

    def single(*row: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        return np.array(row, dtype=np.int32)

    def contexts(polarity: Bytes, mood: Bytes) -> Contexts:
        return Contexts(polarity, mood, single(-1, -1), single(-1, -1))

    def find(relation: int = 3, mood: int = 0, polarity: int = 1, anchor: int = 0, listed: tuple[int, ...] = ()) -> int:
        found = find_opposites(
            Grid(ends(2), ends(2), ends(4)), np.array([1, 0, 0, 1], dtype=np.float32), byte(1, 0, 0, relation),
            Opposites(3, 0.7, np.array(listed, dtype=np.int64)),
            Opposable(single(0, 5), contexts(byte(1, polarity), byte(0, mood)), np.array([True, True])),
            Opposable(single(0, 6), contexts(byte(1, 1), byte(0, 0)), np.array([False, True])),
            single(anchor, -1), np.array([True, True]), 4,
        )  # fmt: skip
        return int(found[1])

    assert find() == 1
    assert find(relation=2) == find(mood=1) == find(polarity=-1) == find(anchor=-1) == -1
    assert find(relation=0, listed=(5 << 32 | 6,)) == 1
    assert find(relation=0, listed=(6 << 32 | 5,)) == -1
