"""Batches of pairs as the kernels of distance take them, from lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.engines.kernels.token_distances import edit_distances, totals
from karat.engines.kernels.tree_distance import postorder, tree_distances

tokens = st.lists(st.integers(0, 4), max_size=7)
"""A text of few different words, so that many are in common."""
texts = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=4)
prices = st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.75, 3.0])] * 3)
"""To delete, insert and substitute: fractions of two, so that sums are exact and equal ways cost the same."""


class Costed(NamedTuple):
    """One pair with its own costs."""

    match: list[list[float]]
    delete: list[float]
    insert: list[float]


@st.composite
def costed(draw: st.DrawFn, rows: int | None = None, columns: int | None = None) -> Costed:
    """A block of matches and the costs of tokens, all fractions of two."""
    weight = st.sampled_from([0.0, 0.5, 1.0, 2.0])
    t = draw(st.integers(0, 6)) if rows is None else rows
    h = draw(st.integers(0, 5)) if columns is None else columns
    apart = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0])
    block = draw(st.lists(st.lists(apart, min_size=h, max_size=h), min_size=t, max_size=t))
    return Costed(
        block,
        draw(st.lists(weight, min_size=t, max_size=t)),
        draw(st.lists(weight, min_size=h, max_size=h)),
    )


@st.composite
def forests(draw: st.DrawFn, size: int, roots: bool = True) -> list[int]:
    """Heads of a forest or, without `roots`, of one tree; any token may be the head of any."""
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for place in range(1, size):
        above = draw(st.integers(-1 if roots else 0, place - 1))
        heads[order[place]] = -1 if above < 0 else order[above]
    return heads


def flat(lists: Sequence[Sequence[Any]], kind: type[np.generic]) -> tuple[NDArray[Any], Ints]:
    """Lists one after the other, and where each starts."""
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return np.array([item for part in lists for item in part], dtype=kind), starts


def pack(
    pairs: Sequence[tuple[list[int], list[int]]], kind: type[np.generic] = np.int32
) -> tuple[NDArray[Any], Ints, NDArray[Any], Ints]:
    """Tokens and starts of T, then of H."""
    return *flat([t for t, _ in pairs], kind), *flat([h for _, h in pairs], kind)


class Blocks(NamedTuple):
    """A batch of pairs with their costs, in the order in which the kernels take it."""

    t_starts: Ints
    h_starts: Ints
    m_starts: Ints
    match: NDArray[np.float32]
    delete: Floats
    insert: Floats


def blocks(pairs: Sequence[Costed]) -> Blocks:
    """The batch of these pairs."""
    delete, t_starts = flat([pair.delete for pair in pairs], np.float64)
    insert, h_starts = flat([pair.insert for pair in pairs], np.float64)
    match, m_starts = flat([[*chain(*pair.match)] for pair in pairs], np.float32)
    return Blocks(t_starts, h_starts, m_starts, match, delete, insert)


def edit_distance(batch: Blocks, substitute: float = 1.0, share: float = 0.0) -> list[float]:
    """The edit distance of each pair under one scheme of costs."""
    return edit_distances(*batch, np.array([[1.0, 1.0, substitute]]), share)[0].tolist()


@cache
def loaded() -> None:
    """Run every kernel of distance once: no example is late because its kernel was compiled in it."""
    given = blocks([Costed([[0.5]], [1.0], [1.0])])
    trees = postorder(np.array([-1], dtype=np.int32), given.t_starts)
    edit_distances(*given, np.ones((1, 3)), 0.5)
    tree_distances(trees, trees, *given[2:], np.ones((1, 3)), 0.5)
    totals(given.t_starts, given.delete)
