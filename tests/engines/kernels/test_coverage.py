"""Coverage by dictionary against dictionaries of Python."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.kernels.coverage import covered_share

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


def kernel(pairs: list[tuple[list[int], list[int]]], weights: list[list[int]], rows: list[Row]) -> list[float]:
    """The kernel's answer; words of T that can be divided by three say nothing, relation 0 does not support."""
    t_starts, h_starts = (np.cumsum([0, *(len(pair[side]) for pair in pairs)], dtype=np.int64) for side in (0, 1))
    t, h = (np.array([*chain(*(pair[side] for pair in pairs))], dtype=np.int32) for side in (0, 1))
    flat = [(word, *row[word]) for row in rows for word in sorted(row)]
    return covered_share(
        t_starts,
        h_starts,
        t,
        h,
        np.array([*chain(*weights)], dtype=np.float64),
        t % 3 != 0,
        np.cumsum([0, *map(len, rows)], dtype=np.int32),
        np.array([one[0] for one in flat], dtype=np.int32),
        np.array([one[1] for one in flat], dtype=np.int8),
        np.array([one[2] for one in flat], dtype=np.float32),
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
