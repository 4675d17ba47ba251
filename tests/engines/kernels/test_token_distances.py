"""Overlap and distances of letters against lists and a recursion."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.edit_match import letter_match, letters
from tests.engines.kernels.batches import by_name, pack, texts

pytestmark = pytest.mark.usefixtures("loaded")
Pairs = list[tuple[list[int], list[int]]]


@given(texts)
def test_ends(pairs: Pairs) -> None:
    """From 0 to 1; 0 for the same text and where H is empty; 1 where nothing is in common."""
    name = "overlap_distance"
    assert all(0 <= distance <= 1 for distance in by_name(name, pairs))
    assert by_name(name, [(t, t) for t, _ in pairs]) == [0.0] * len(pairs)
    assert by_name(name, [(t, []) for t, _ in pairs]) == [0.0] * len(pairs)
    apart = by_name(name, [(t, [token + 9 for token in h] or [9]) for t, h in pairs])
    assert apart == [1.0] * len(pairs)


@given(texts)
def test_overlap(pairs: Pairs) -> None:
    """The share of H's tokens that are not in T."""
    expected = [sum(token not in t for token in h) / len(h) if h else 0.0 for t, h in pairs]
    assert by_name("overlap_distance", pairs) == pytest.approx(expected)


def levenshtein(one: str, other: str) -> int:
    """The recursion, from the right."""

    @cache
    def rest(a: int, b: int) -> int:
        if not a or not b:
            return a + b
        return min(rest(a - 1, b) + 1, rest(a, b - 1) + 1, rest(a - 1, b - 1) + (one[a - 1] != other[b - 1]))

    return rest(len(one), len(other))


words = st.lists(st.text("abß😀", max_size=6), min_size=1, max_size=5)


@given(words, texts)
def test_letter_blocks(spelled: list[str], pairs: Pairs) -> None:
    """A block for each pair, its rows T's words and its columns H's."""
    pairs = [([t % len(spelled) for t in one], [h % len(spelled) for h in other]) for one, other in pairs]
    beside = [(spelled[t], spelled[h]) for one, other in pairs for t in one for h in other]
    expected = [levenshtein(a, b) / max(len(a + b), 1) for a, b in beside]
    starts = np.cumsum([0, *(len(t) * len(h) for t, h in pairs)])
    assert letter_match(*letters(spelled), *pack(pairs, np.int64), starts).tolist() == pytest.approx(expected)
