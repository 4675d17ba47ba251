"""Stretches and order of words against slices of a small array."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.arrays import Singles
from karat.engines.kernels.word_match import best_stretches, block_starts, shortest_stretches, word_order

LEAST = 0.5
strengths = st.sampled_from([0.0, 0.0, 0.0, 0.25, 0.5, 1.0])
weights = st.sampled_from([0.0, 0.5, 1.0, 2.0])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Singles, list[float]]:
    """A block of strengths and the weights of its H words."""
    t, h = draw(st.integers(0, 7)), draw(st.integers(0, 4))
    cells = draw(st.lists(strengths, min_size=t * h, max_size=t * h))
    return np.array(cells, dtype=np.float32).reshape(t, h), draw(st.lists(weights, min_size=h, max_size=h))


batches = st.lists(pairs(), max_size=3)


def flat(
    batch: list[tuple[Singles, list[float]]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Singles]:
    """Starts of T and H, starts of blocks, and all strengths."""
    t = np.cumsum([0, *(block.shape[0] for block, _ in batch)])
    h = np.cumsum([0, *(block.shape[1] for block, _ in batch)])
    cells = np.concatenate([np.zeros(0, dtype=np.float32), *(block.ravel() for block, _ in batch)])
    return t, h, block_starts(t, h), cells


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """No example is late because a kernel was compiled in it."""
    block = (np.ones((1, 2), dtype=np.float32), [1.0, 1.0])
    where = flat([block])
    best_stretches(*where, np.ones(2), np.array([1]))
    shortest_stretches(*where, np.ones(2, dtype=bool), LEAST)
    word_order(*where, np.zeros(2, dtype=np.int32), np.ones(2, dtype=bool), LEAST, 2)


@given(batches, st.integers(1, 4))
def test_best_stretch(batch: list[tuple[Singles, list[float]]], span: int) -> None:
    """The best of all windows, each H word held by the best T word in it."""
    t, h, blocks, cells = flat(batch)
    heavy = np.array([weight for _, some in batch for weight in some], dtype=np.float64)
    shares, places = best_stretches(t, h, blocks, cells, heavy, np.arange(t[-1]) + span)
    for (block, some), share, place in zip(batch, shares, places, strict=True):
        if sum(some) == 0:
            assert share == 1
            continue
        windows = [block[begin : begin + span].max(axis=0) @ np.array(some) for begin in range(len(block))]
        assert share * sum(some) == pytest.approx(max(windows, default=0.0))
        if windows:
            assert windows[place] == pytest.approx(max(windows))


@given(batches)
def test_shortest_stretch(batch: list[tuple[Singles, list[float]]]) -> None:
    """The shortest of all slices of T that have every H word which T has."""
    counts = np.array([weight > 0 for _, some in batch for weight in some], dtype=bool)
    found = shortest_stretches(*flat(batch), counts, LEAST)
    for (block, some), length in zip(batch, found, strict=True):
        has = (block >= LEAST) & (np.array(some, dtype=np.float64) > 0)
        wanted = has.any(axis=0)
        fits = [
            end - begin
            for begin, end in combinations(range(len(block) + 1), 2)
            if (has[begin:end].any(axis=0) == wanted).all()
        ]
        assert length == (min(fits) if wanted.any() else 0)


@given(batches, st.integers(1, 3))
def test_word_order(batch: list[tuple[Singles, list[float]]], near: int) -> None:
    """Every two words of H are looked for in T in their order; the sequence is found by trying all choices of words."""
    counts = np.array([weight > 0 for _, some in batch for weight in some], dtype=bool)
    to = np.concatenate(
        [np.zeros(0), *(np.where(b.max(axis=0, initial=0) >= LEAST, _first(b), -1) for b, _ in batch)]
    ).astype(np.int32)
    made = word_order(*flat(batch), to, counts, LEAST, near)
    at = 0
    for (block, some), row in zip(batch, made, strict=True):
        kept = [h for h, weight in enumerate(some) if weight > 0]
        where = {h: [t for t in range(len(block)) if block[t, h] >= LEAST] for h in kept}
        aligned = {h: int(to[at + h]) for h in kept}
        at += block.shape[1]
        assert row == pytest.approx(_order(kept, where, aligned, near))


def _first(block: Singles) -> NDArray[np.int64]:
    return np.array([int(np.argmax(column >= LEAST)) if len(column) else -1 for column in block.T], dtype=np.int64)


def _order(kept: list[int], where: dict[int, list[int]], to: dict[int, int], near: int) -> list[float]:
    if not kept:
        return [1, 1, 0, 1]
    sequence = max(
        (size for size in range(len(kept) + 1) for some in combinations(kept, size) if _ascends(some, where)), default=0
    )
    if len(kept) == 1:
        has = float(bool(where[kept[0]]))
        return [has, has, 0, sequence]
    two = list(combinations(kept, 2))
    ordered = sum(any(s < t for s in where[a] for t in where[b]) for a, b in two)
    close = sum(any(0 < t - s <= near for s in where[a] for t in where[b]) for a, b in pairwise(kept))
    aligned = [(to[a], to[b]) for a, b in two if min(to[a], to[b]) >= 0 and to[a] != to[b]]
    turned = sum(a > b for a, b in aligned) / len(aligned) if aligned else 0.0
    return [close / (len(kept) - 1), ordered / len(two), turned, sequence / len(kept)]


def _ascends(some: tuple[int, ...], where: dict[int, list[int]]) -> bool:
    last = -1
    for h in some:
        later = [t for t in where[h] if t > last]
        if not later:
            return False
        last = later[0]
    return True
