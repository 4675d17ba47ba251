"""Distances of bags and of letters against counters, sets and a recursion."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.edit_match import letter_match, letters
from tests.engines.kernels.batches import BAGS, SEQUENCES, by_name, pack, texts

pytestmark = pytest.mark.usefixtures("loaded")
Pairs = list[tuple[list[int], list[int]]]


@given(texts, st.sampled_from(BAGS + SEQUENCES))
def test_every_distance(pairs: Pairs, name: str) -> None:
    """From 0 to 1; 0 for the same text and where H is empty; 1 where nothing is in common."""
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


@given(texts)
def test_cosine(pairs: Pairs) -> None:
    """Counters as vectors."""
    expected = []
    for t, h in pairs:
        one, other = Counter(t), Counter(h)
        norms = sqrt(sum(n * n for n in one.values())) * sqrt(sum(n * n for n in other.values()))
        expected.append(1 - sum(one[token] * other[token] for token in one) / norms if norms else float(bool(h)))
    assert by_name("cosine_distance", pairs) == pytest.approx(expected)


@given(texts)
def test_jaccard(pairs: Pairs) -> None:
    """Sets."""
    expected = [1 - len({*t} & {*h}) / len({*t} | {*h}) if h else 0.0 for t, h in pairs]
    assert by_name("jaccard_distance", pairs) == pytest.approx(expected)


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
