"""Edges and roles against sets of Python tuples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.structures import match_edges, match_roles, upper_words
from karat.engines.kernels.word_match import block_starts

LEAST = 0.5


@st.composite
def forests(draw: st.DrawFn, most: int) -> tuple[list[int], list[bool]]:
    """Heads, some of them going round, and which words count."""
    size = draw(st.integers(0, most))
    heads = draw(st.lists(st.integers(-1, max(size - 1, -1)), min_size=size, max_size=size))
    return heads, draw(st.lists(st.booleans(), min_size=size, max_size=size))


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """No example is late because a kernel was compiled in it."""
    _run([-1], [True], [-1], [True], [[True]], [0], [1], [1])


def _run(
    t_heads: list[int],
    t_counts: list[bool],
    h_heads: list[int],
    h_counts: list[bool],
    same: list[list[bool]],
    sentences: list[int],
    t_roles: list[int],
    h_roles: list[int],
) -> tuple[list[int], list[int], list[float], list[int]]:
    t, h = np.array([0, len(t_heads)]), np.array([0, len(h_heads)])
    above = [
        upper_words(starts, np.array(heads, dtype=np.int32), np.array(counts, dtype=bool))
        for starts, heads, counts in ((t, t_heads, t_counts), (h, h_heads, h_counts))
    ]
    cells = np.array(same, dtype=np.float32).reshape(-1)
    where = t, h, block_starts(t, h), cells, above[0], above[1]
    edges = match_edges(
        *where, np.array(sentences, dtype=np.int32), np.arange(1, len(h_heads) + 1).astype(np.float64), LEAST
    )
    roles = match_roles(*where, np.array(t_roles, dtype=np.int8), np.array(h_roles, dtype=np.int8), LEAST)
    return above[0].tolist(), above[1].tolist(), edges[0].tolist(), roles[0].tolist()


def _upper(heads: list[int], counts: list[bool], word: int) -> int:
    """The next word above that counts, by walking."""
    seen, head = {word}, heads[word]
    while head >= 0 and not counts[head] and head not in seen:
        seen.add(head)
        head = heads[head]
    return head if counts[word] and head >= 0 and counts[head] and head != word else -1


@given(forests(6), forests(4), st.data())
def test_edges_and_roles(t: tuple[list[int], list[bool]], h: tuple[list[int], list[bool]], data: st.DataObject) -> None:
    """Every edge of H is looked for among all edges of T, and among all that two make."""
    size, width = len(t[0]), len(h[0])
    same = data.draw(st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=size, max_size=size))
    sentences = sorted(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    t_roles = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    h_roles = data.draw(st.lists(st.integers(0, 2), min_size=width, max_size=width))
    t_above, h_above, edges, roles = _run(*t, *h, same, sentences, t_roles, h_roles)
    assert t_above == [_upper(*t, word) for word in range(size)]
    assert h_above == [_upper(*h, word) for word in range(width)]
    one = {(a, b) for a, b in enumerate(t_above) if b >= 0} | {(b, a) for a, b in enumerate(t_above) if b >= 0}
    two = one | {(a, t_above[b]) for a, b in enumerate(t_above) if b >= 0 and t_above[b] >= 0}
    two |= {(b, a) for a, b in two}
    two |= {(a, b) for a in range(size) for b in range(size) if t_above[a] == t_above[b] >= 0}
    near = {(a, b) for a in range(size) for b in range(size) if a != b and sentences[a] == sentences[b]}
    total, sums, played = 0.0, [0.0, 0.0, 0.0], [0, 0, 0]
    for word, head in enumerate(h_above):
        if head < 0:
            continue
        ends = {(a, b) for a in range(size) for b in range(size) if same[a][word] and same[b][head]} & near
        weight = word + head + 2
        total += weight
        for place, known in enumerate((one, two, near)):
            sums[place] += weight * bool(ends & known)
        if h_roles[word]:
            parts = {t_roles[a] for a in range(size) if t_above[a] >= 0 and same[a][word] and same[t_above[a]][head]}
            played[0] += 1
            played[1] += h_roles[word] in parts
            played[2] += h_roles[word] not in parts and bool(parts - {0})
    assert edges == pytest.approx([value / total for value in sums] if total else [1.0, 1.0, 1.0])
    assert roles == played
