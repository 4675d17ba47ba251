"""Match blocks and lifted heads against loops over Python lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.engines.kernels.edit_match import (
    EITHER,
    FORM,
    LEMMA,
    apply_dictionary,
    fill_match,
    lift_heads,
)
from karat.engines.kernels.word_match import Grid, block_starts
from karat.engines.lexicon.relations import Bearings
from tests.engines.kernels.batches import Costed, flat, forests

word = st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 1))
"""A word: its form, its lemma, its kind."""
sides = st.lists(word, max_size=5)
pairs_of_texts = st.lists(st.tuples(sides, sides), min_size=1, max_size=4)
entries = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 5)), st.tuples(st.integers(0, 2), st.sampled_from([0.25, 0.5, 1.0]))
)
"""From a lemma to another: a relation, and how strong it is. Lemma 5 has no row, as lemmas outside a dictionary."""
Word = tuple[int, int, int]
Texts = list[tuple[list[Word], list[Word]]]


class Sides(NamedTuple):
    """A batch as the kernels take it."""

    t: list[NDArray[Any]]
    h: list[NDArray[Any]]
    grid: Grid


def packed(texts: Texts) -> Sides:
    """Forms, lemmas, kinds of T and of H, and where they and the blocks start."""
    columns, starts = [], []
    for side in (0, 1):
        some = [flat([[one[place] for one in pair[side]] for pair in texts], np.int32) for place in range(3)]
        columns.append([some[0][0], some[1][0], some[2][0].astype(np.int8)])
        starts.append(some[0][1])
    return Sides(columns[0], columns[1], Grid(starts[0], starts[1], block_starts(starts[0], starts[1])))


def cells(texts: Texts) -> list[tuple[int, Word, Word]]:
    """The pair, the T word and the H word of each cell, in order."""
    return [(place, t, h) for place, (ts, hs) in enumerate(texts) for t in ts for h in hs]


def csr(rows: dict[tuple[int, int], Any], size: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where the row of each of so many left words starts, and all right words."""
    ordered = sorted(rows)
    starts = np.searchsorted([left for left, _ in ordered], np.arange(size + 1)).astype(np.int32)
    return starts, np.array([right for _, right in ordered], dtype=np.int32)


@pytest.mark.parametrize("same_by", [FORM, LEMMA, EITHER])
@settings(deadline=None)  # the first example compiles
@given(texts=pairs_of_texts)
def test_same_words(same_by: int, texts: Texts) -> None:
    """Words are the same by form, lemma or either; other cells stay."""
    given = packed(texts)
    match = np.full(given.grid.blocks[-1], 0.5, dtype=np.float32)
    fill_match(given.grid, given.t[0], given.h[0], given.t[1], given.h[1], same_by, match)
    rules: dict[int, Callable[[Word, Word], bool]] = {
        FORM: lambda t, h: t[0] == h[0],
        LEMMA: lambda t, h: t[1] == h[1],
        EITHER: lambda t, h: t[0] == h[0] or t[1] == h[1],
    }
    assert match.tolist() == [0.0 if rules[same_by](t, h) else 0.5 for _, t, h in cells(texts)]


@pytest.mark.parametrize("graded", [True, False])
@settings(deadline=None)  # the first example compiles
@given(texts=pairs_of_texts, related=entries)
def test_dictionary(graded: bool, texts: Texts, related: dict[tuple[int, int], tuple[int, float]]) -> None:
    """An allowed relation takes its strength off a cell; ungraded, all of it, if the two are of one kind."""
    given = packed(texts)
    starts, words = csr(related, 5)
    ordered = [related[key] for key in sorted(related)]
    relations = np.array([relation for relation, _ in ordered], dtype=np.int8)
    strengths = np.array([strength for _, strength in ordered], dtype=np.float32)
    allowed = np.array([False, True, True])
    match = np.full(given.grid.blocks[-1], 0.5, dtype=np.float32)
    lemmas, kinds = (given.t[1], given.h[1]), (given.t[2], given.h[2])
    apply_dictionary(given.grid, *lemmas, *kinds, Bearings(starts, words, relations, strengths), allowed, graded, match)
    expected = []
    for _, t, h in cells(texts):
        relation, strength = related.get((t[1], h[1]), (0, 0.0))
        off = (strength if graded else float(t[2] == h[2])) if relation else 0.0
        expected.append(0.5 * (1 - off))
    assert match.tolist() == expected


def nearest(pair: Costed, rows: range) -> list[float]:
    """How far each H word is from the nearest of some rows."""
    return [min([1.0, *(pair.match[t][h] for t in rows)]) for h in range(len(pair.insert))]


@settings(deadline=None)  # the first example compiles
@given(st.data(), st.lists(st.integers(0, 6), min_size=1, max_size=4))
def test_lifted_heads(data: st.DataObject, sizes: list[int]) -> None:
    """A kept word hangs from the nearest kept word above it."""
    trees = [data.draw(forests(size)) for size in sizes]
    kept = [data.draw(st.lists(st.booleans(), min_size=size, max_size=size)) for size in sizes]
    heads, starts = flat(trees, np.int32)
    mask = flat(kept, np.bool_)[0]
    lifted = lift_heads(starts, heads, mask)
    expected = []
    for tree, keep in zip(trees, kept, strict=True):
        left = [token for token in range(len(tree)) if keep[token]]
        for token in left:
            above = tree[token]
            while above >= 0 and above not in left:
                above = tree[above]
            expected.append(left.index(above) if above >= 0 else -1)
    assert lifted.tolist() == expected
