"""What speaks against a hypothesis, found by compiled loops and by naive twins."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.kernels.opposed import NAME_NEAR, find_holders, find_opposites, find_reversed
from karat.engines.lexicon.relations import Bearings


def ends(many: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where one text begins and ends."""
    return np.array([0, many], dtype=np.int64)


@st.composite
def holdings(draw: st.DrawFn) -> dict[str, list[Any]]:
    """One pair: tags and sentences of T; heads, relations, names and posts of H, and the T word of each H word."""
    many_t, many_h = draw(st.integers(1, 18)), draw(st.integers(1, 5))

    def drawn(many: int, *values: object) -> list[Any]:
        return [draw(st.sampled_from(values)) for _ in range(many)]

    return {
        "heads": [draw(st.integers(-1, many_h - 1)) for _ in range(many_h)],
        "dependencies": drawn(many_h, Dependency.NSUBJ, Dependency.NSUBJ, Dependency.COP, Dependency.OBJ),
        "tags": drawn(many_t, Tag.PROPN, Tag.PROPN, Tag.PUNCT, Tag.NOUN),
        "sentences": sorted(drawn(many_t, 0, 0, 1)),
        "to": [draw(st.integers(-1, many_t - 1)) for _ in range(many_h)],
        "names": drawn(many_h, True, False),
        "taken": drawn(many_t, True, False, False),
        "posts": drawn(many_h, True, True, False),
    }


def naive_holders(pair: dict[str, list[Any]]) -> dict[int, tuple[int, int]]:
    """For each post that H gives to a name: the other name right after it in T, and the name in H."""
    found, to, sentences = {}, pair["to"], pair["sentences"]
    for h, said in enumerate(pair["heads"]):
        subject = pair["dependencies"][h] == Dependency.NSUBJ and pair["names"][h] and to[h] >= 0 and said >= 0
        if not subject or not pair["posts"][said] or to[said] < 0:
            continue
        under = [row for row, head in enumerate(pair["heads"]) if head == said]
        if not any(pair["dependencies"][row] == Dependency.COP for row in under):
            continue
        place = to[said]
        own = [to[row] for row in under if pair["names"][row] and to[row] >= 0]
        if any(abs(at - place) <= NAME_NEAR and sentences[at] == sentences[place] for at in own):
            continue
        for at, free in ((place + 1, True), (place + 2, pair["tags"][place + 1 : place + 2] == [Tag.PUNCT])):
            inside = at < len(pair["tags"]) and (at == place + 1 or sentences[at] == sentences[place])
            if free and inside and pair["tags"][at] == Tag.PROPN and not pair["taken"][at]:
                found[said] = at, h
                break
    return found


@settings(deadline=None, max_examples=300)
@given(holdings())
def test_holders(pair: dict[str, list[Any]]) -> None:
    """Another name beside the post in T is found just where H says the post of a name that does not stand near it."""
    place, holder = find_holders(
        ends(len(pair["tags"])),
        ends(len(pair["heads"])),
        np.array(pair["heads"], dtype=np.int32),
        np.array(pair["dependencies"], dtype=np.int8),
        np.array(pair["tags"], dtype=np.int8),
        np.array(pair["sentences"], dtype=np.int32),
        np.array(pair["to"], dtype=np.int64),
        np.array(pair["names"]),
        np.array(pair["taken"]),
        np.array(pair["posts"]),
    )
    expected = naive_holders(pair)
    assert {row: (int(place[row]), int(holder[row])) for row in np.flatnonzero(place >= 0).tolist()} == expected


def test_reversed() -> None:
    """The first T word is found that the H word bears on by the relation, and no other."""
    dictionary = Bearings(
        np.array([0, 2, 2, 2], dtype=np.int32),
        np.array([1, 2], dtype=np.int32),
        np.array([8, 5], dtype=np.int8),
        np.ones(2, dtype=np.float32),
    )

    def find(t: list[int], relation: int, allowed: bool = True) -> int:
        found = find_reversed(
            ends(len(t)), ends(1), np.array(t, dtype=np.int32), np.zeros(1, dtype=np.int32), np.array([True]),
            np.full(len(t), allowed), dictionary, relation,
        )  # fmt: skip
        return int(found[0])

    assert find([2, 1, 1], 8) == 1
    assert find([2, 1], 5) == 0
    assert find([0, 7], 8) == -1
    assert find([1], 8, allowed=False) == -1


def test_opposites() -> None:
    """An opposite is found in the same context and near another word of H, by the dictionary or by the list."""

    def byte(*row: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        return np.array(row, dtype=np.int8)

    def single(*row: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        return np.array(row, dtype=np.int32)

    def find(relation: int = 3, mood: int = 0, polarity: int = 1, anchor: int = 0, listed: tuple[int, ...] = ()) -> int:
        found = find_opposites(
            ends(2), ends(2), ends(4), np.array([1, 0, 0, 1], dtype=np.float32), byte(1, 0, 0, relation), 3, 0.7,
            np.array(listed, dtype=np.int64), single(0, 5), single(0, 6), np.array([False, True]),
            np.array([True, True]), byte(1, polarity), byte(1, 1), byte(0, mood), single(anchor, -1),
            np.array([True, True]), 4,
        )  # fmt: skip
        return int(found[1])

    assert find() == 1
    assert find(relation=2) == find(mood=1) == find(polarity=-1) == find(anchor=-1) == -1
    assert find(relation=0, listed=(5 << 32 | 6,)) == 1
    assert find(relation=0, listed=(6 << 32 | 5,)) == -1
