"""Words matched, aligned and covered by a dictionary, against dictionaries of Python."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels.word_match import FITS, NEIGHBOUR, align_words, block_starts, covered_share, match_words
from karat.engines.lexicon.relations import Bearings, Relation

WORDS = 6
RELATIONS = 3
sentence = st.lists(st.integers(0, WORDS + 1), max_size=7)
"""Words past the last of the dictionary are in texts too."""
Row = dict[int, tuple[int, float]]
strengths = st.sampled_from([0.25, 0.5, 0.75, 1.0])
dictionary = st.lists(
    st.dictionaries(st.integers(0, WORDS + 1), st.tuples(st.integers(0, RELATIONS - 1), strengths), max_size=4),
    min_size=WORDS,
    max_size=WORDS,
)


def bearings(rows: list[Row]) -> Bearings:
    """A dictionary as kernels take it."""
    flat = [(word, *row[word]) for row in rows for word in sorted(row)]
    return Bearings(
        np.cumsum([0, *map(len, rows)], dtype=np.int32),
        np.array([one[0] for one in flat], dtype=np.int32),
        np.array([one[1] for one in flat], dtype=np.int8),
        np.array([one[2] for one in flat], dtype=np.float32),
    )


def kernel(pairs: list[tuple[list[int], list[int]]], weights: list[list[int]], rows: list[Row]) -> list[float]:
    """The kernel's answer; words of T that can be divided by three say nothing, relation 0 does not support."""
    t_starts, h_starts = (np.cumsum([0, *(len(pair[side]) for pair in pairs)], dtype=np.int64) for side in (0, 1))
    t, h = (np.array([*chain(*(pair[side] for pair in pairs))], dtype=np.int32) for side in (0, 1))
    return covered_share(
        t_starts,
        h_starts,
        t,
        h,
        np.array([*chain(*weights)], dtype=np.float64),
        t % 3 != 0,
        bearings(rows),
        np.array([False, True, True]),
        0.5,
    ).tolist()


def by_hand(t: list[int], h: list[int], weights: list[int], rows: list[Row]) -> float:
    """Word by word."""

    def strength(word: int) -> float:
        if word in t:
            return 1.0
        said = [rows[one][word] for one in t if one % 3 and one < len(rows) and word in rows[one]]
        return max((how for relation, how in said if relation and how >= 0.5), default=0.0)

    if not sum(weights):
        return 1.0
    return sum(weight * strength(word) for word, weight in zip(h, weights, strict=True)) / sum(weights)


@settings(deadline=None)  # the first example compiles
@given(st.lists(st.tuples(sentence, sentence), min_size=1, max_size=4), dictionary, st.data())
def test_covered_share(pairs: list[tuple[list[int], list[int]]], rows: list[Row], data: st.DataObject) -> None:
    """The weight of H that T has, each word as strongly as the best T word stands for it."""
    weights = [data.draw(st.lists(st.integers(0, 3), min_size=len(h), max_size=len(h))) for _, h in pairs]
    expected = [by_hand(t, h, heavy, rows) for (t, h), heavy in zip(pairs, weights, strict=True)]
    assert kernel(pairs, weights, rows) == pytest.approx(expected)


def test_nothing_to_cover() -> None:
    """A hypothesis without words, or whose words weigh nothing, is covered; an empty text covers nothing else."""
    rows: list[Row] = [{} for _ in range(WORDS)]
    assert kernel([([1], []), ([1], [2]), ([], [2])], [[], [0], [1]], rows) == [1.0, 1.0, 0.0]


Spelled = list[tuple[int, int]]
"""A text: the form and the lemma of each word."""
spelled = st.lists(st.tuples(st.integers(0, 4), st.integers(0, WORDS + 1)), max_size=6)


def columns(texts: Iterable[Spelled]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, forms and lemmas."""
    texts = list(texts)
    flat = np.array([*chain(*texts)], dtype=np.int32).reshape(-1, 2)
    return np.cumsum([0, *map(len, texts)], dtype=np.int64), flat[:, 0].copy(), flat[:, 1].copy()


@settings(deadline=None)
@given(st.lists(st.tuples(spelled, spelled), min_size=1, max_size=4), dictionary)
def test_match_words(pairs: list[tuple[Spelled, Spelled]], rows: list[Row]) -> None:
    """The same form or lemma is the same word; else what the dictionary says, where relation 0 is not allowed."""
    (t_starts, t_forms, t_lemmas), (h_starts, h_forms, h_lemmas) = (
        columns([p[side] for p in pairs]) for side in (0, 1)
    )
    where = t_starts, h_starts, block_starts(t_starts, h_starts)
    allowed = np.array([False, True, True])
    strength, relation = match_words(
        *where, t_forms, h_forms, t_lemmas, h_lemmas, bearings(rows), allowed, int(Relation.SAME)
    )
    expected = []
    for t, h in ((t, h) for ts, hs in pairs for t in ts for h in hs):
        how, much = (rows[t[1]].get(h[1], (0, 0.0))) if t[1] < WORDS else (0, 0.0)
        same = t[0] == h[0] or t[1] == h[1]
        expected.append((1.0, int(Relation.SAME)) if same else (much, how) if how else (0.0, 0))
    assert [*zip(strength.tolist(), relation.tolist(), strict=True)] == expected


fits = st.sampled_from([0.0, 0.25, 0.5, 0.75, 0.875, 1.0])
block = st.tuples(st.integers(0, 5), st.integers(0, 5)).flatmap(
    lambda size: st.lists(st.lists(fits, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
)


@settings(deadline=None)
@given(st.lists(block, min_size=1, max_size=3))
def test_align_words(blocks: list[list[list[float]]]) -> None:
    """Of the T words strong enough the strongest, where one whose neighbours fit too counts a little more."""
    t_starts = np.cumsum([0, *map(len, blocks)], dtype=np.int64)
    h_starts = np.cumsum([0, *(len(block[0]) if block else 0 for block in blocks)], dtype=np.int64)
    cells = np.array([cell for block in blocks for row in block for cell in row], dtype=np.float32)
    to, strength = align_words(t_starts, h_starts, block_starts(t_starts, h_starts), cells, 0.5)
    expected = []
    for block in blocks:
        for h in range(len(block[0]) if block else 0):

            def value(t: int, h: int = h, block: list[list[float]] = block) -> float:
                sides = ((t + step, h + step) for step in (-1, 1))
                inside = [block[a][b] for a, b in sides if 0 <= a < len(block) and 0 <= b < len(block[0])]
                return block[t][h] + NEIGHBOUR * sum(cell >= FITS for cell in inside)

            able = [t for t in range(len(block)) if block[t][h] >= 0.5]
            best = max(able, key=lambda t: (value(t), -t), default=-1)
            expected.append((best, block[best][h] if able else 0.0))
    assert [*zip(to.tolist(), strength.tolist(), strict=True)] == expected
