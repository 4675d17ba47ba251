"""Overlap and distances of letters against lists and a recursion."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.engines.kernels.batches import by_name, texts

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
