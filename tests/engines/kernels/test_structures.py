"""Structures matched by a compiled loop and by a naive twin."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels.structures import RelationWorth, Structure, find_swaps, match_triples
from karat.engines.kernels.word_match import Grid

LOOSER = (0.7, 0.6, 0.4, 0.2)
NEAR, LEAST = 2, 0.5


@st.composite
def sides(draw: st.DrawFn) -> dict[str, Any]:
    """One pair: heads, roles and sentences of T and H, and how the words fit."""
    many_t, many_h = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    fits = st.sampled_from([0.0, 0.0, 0.5, 0.75, 1.0])

    def heads(many: int) -> list[int]:
        return [draw(st.sampled_from([head for head in range(-1, many) if head != at])) for at in range(many)]

    return {
        "support": np.array([[draw(fits) for _ in range(many_h)] for _ in range(many_t)], dtype=np.float32),
        "t_heads": heads(many_t),
        "h_heads": heads(many_h),
        "t_roles": [draw(st.integers(0, 2)) for _ in range(many_t)],
        "h_roles": [draw(st.integers(0, 2)) for _ in range(many_h)],
        "sentences": sorted(draw(st.integers(0, 1)) for _ in range(many_t)),
    }


FORTH = np.array([[1, 0.5, 0.5], [0.5, 1, 0.25], [0.5, 0.25, 1]], dtype=np.float32)
BACK = np.array([[0.25, 0.25, 0.25], [0.25, 0.75, 0.5], [0.25, 0.5, 0.75]], dtype=np.float32)


def ends(many: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where one text begins and ends."""
    return np.array([0, many], dtype=np.int64)


def structure(pair: dict[str, Any], side: str) -> Structure:
    """The heads and roles of one side."""
    return Structure(np.array(pair[f"{side}_heads"], dtype=np.int32), np.array(pair[f"{side}_roles"], dtype=np.int8))


def naive_value(pair: dict[str, Any], h: int) -> float:
    """The best of all pairs of T words, each worth by how it is related."""
    over, best = pair["h_heads"][h], 0.0
    if pair["h_roles"][h] == 0 or over < 0:
        return 0.0
    t_heads, support = pair["t_heads"], pair["support"]
    for t, head in np.ndindex(len(t_heads), len(t_heads)):
        if t == head or support[t, h] < LEAST or support[head, over] < LEAST:
            continue
        if t_heads[t] == head:
            worth = FORTH[pair["h_roles"][h], pair["t_roles"][t]]
        elif t_heads[head] == t:
            worth = BACK[pair["h_roles"][h], pair["t_roles"][head]]
        elif t_heads[t] >= 0 and t_heads[t_heads[t]] == head:  # noqa: SIM114 - a grandparent
            worth = LOOSER[0]
        elif t_heads[t] >= 0 and t_heads[t] == t_heads[head]:  # siblings
            worth = LOOSER[0]
        elif pair["sentences"][t] != pair["sentences"][head]:
            worth = LOOSER[3]
        else:
            worth = LOOSER[1] if abs(t - head) <= NEAR else LOOSER[2]
        best = max(best, float(support[t, h] * support[head, over] * np.float32(worth)))
    return best


@given(sides())
@settings(deadline=None)
def test_match(pair: dict[str, Any]) -> None:
    """The loop finds the best pair of T words for every H word and its head."""
    many_t, many_h = pair["support"].shape
    value = match_triples(
        Grid(ends(many_t), ends(many_h), ends(many_t * many_h)), pair["support"].reshape(-1), LEAST,
        structure(pair, "t"), structure(pair, "h"), np.array(pair["sentences"], dtype=np.int32),
        RelationWorth(FORTH, BACK, *LOOSER, NEAR),
    )  # fmt: skip
    np.testing.assert_allclose(value, [naive_value(pair, h) for h in range(many_h)], rtol=1e-5)


@given(sides())
@settings(deadline=None)
def test_swaps(pair: dict[str, Any]) -> None:
    """A swap is found just where T has a verb with the object of H for its subject and the subject for its object, and
    what the verb says is not mutual.
    """
    many_t, many_h = pair["support"].shape
    fits = pair["support"] >= LEAST
    t_heads, h_heads, t_roles, h_roles = (pair[key] for key in ("t_heads", "h_heads", "t_roles", "h_roles"))
    place = find_swaps(
        Grid(ends(many_t), ends(many_h), ends(many_t * many_h)), pair["support"].reshape(-1), LEAST,
        structure(pair, "t"), structure(pair, "h"), np.arange(many_h) == 0, np.arange(3) == 1, np.arange(3) == 2,
    )  # fmt: skip
    for h in range(many_h):
        swapped = any(
            h_roles[h] == 1 and h_roles[k] == 2 and h_heads[k] == h_heads[h] >= 1
            and t_roles[one] == 1 and t_roles[two] == 2 and t_heads[one] == t_heads[two] >= 0
            and fits[t_heads[one], h_heads[h]] and fits[one, k] and fits[two, h] and not fits[one, h]
            for k in range(many_h) for one in range(many_t) for two in range(many_t)
        )  # fmt: skip
        assert (place[h] >= 0) == swapped
