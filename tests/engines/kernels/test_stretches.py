"""Stretches against slices of a small array."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.arrays import Singles
from karat.engines.kernels.word_match import best_stretches, block_starts, shortest_stretches

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
