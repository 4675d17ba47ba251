"""Coincidences against plain loops and exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.kernels import coincidence
from karat.kernels.coincidence import coincidence_sums, middle_ranks, patterns, spreads, total_coincidence

counted = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=12)
"""How often each of three values was given, a row a unit."""


def naive(row: list[int]) -> list[Fraction]:
    """What one unit adds, from its list of ballots."""
    said = [value for value, times in enumerate(row) for _ in range(times)]
    r = len(said)
    pairs = list(permutations(said, 2))
    same = [Fraction(pairs.count((k, k)), max(r * (r - 1), 1)) for k in range(3)]
    shares = [Fraction(said.count(k), max(r, 1)) for k in range(3)]
    table = [Fraction(pairs.count((i, j)), max(r - 1, 1)) for i in range(3) for j in range(3)]
    given = [Fraction(said.count(k) if r > 1 else 0) for k in range(3)]
    return [*same, *shares, *table[::4], *given, Fraction(r > 1), *table, *(cell / max(r, 1) for cell in table)]


@given(counted)
def test_sums_are_the_naive_ones(counts: list[list[int]]) -> None:
    """Each unit adds what a count of its ordered pairs of ballots adds."""
    made = coincidence_sums(np.array(counts), tabled=True)
    assert made.tolist() == [pytest.approx([float(part) for part in naive(row)]) for row in counts]
    assert (coincidence_sums(np.array(counts), tabled=False) == made[:, :13]).all()


@given(counted, st.booleans())
def test_the_total_is_the_sum(counts: list[list[int]], tabled: bool) -> None:
    """All units together are the sum over units, by way of patterns and without."""
    rows = np.array(counts)
    once = np.ones(len(rows), dtype=np.int64)
    expected = coincidence_sums(rows, tabled).sum(axis=0)
    np.testing.assert_allclose(total_coincidence(rows, once, tabled), expected, atol=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coincidence, "NUMBERED_PATTERNS", 0)
        np.testing.assert_allclose(total_coincidence(rows, once, tabled), expected, atol=1e-12)


@given(counted, st.sampled_from([0, 1 << 20]))
def test_patterns_are_the_different_rows(counts: list[list[int]], short: int) -> None:
    """Rows come back from their patterns, each pattern is there once, and counts are right; by either way."""
    rows = np.array(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coincidence, "NUMBERED_PATTERNS", short)
        found, which, times = patterns(rows)
    assert (found[which] == rows).all()
    assert len({tuple(row) for row in found.tolist()}) == len(found)
    assert times.tolist() == np.bincount(which).tolist()


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6))
def test_middle_ranks(ballots: list[int]) -> None:
    """The difference of two middle ranks is Krippendorff's ordinal distance."""
    ranks = middle_ranks(np.array(ballots, dtype=float))
    for low in range(len(ballots)):
        for high in range(low + 1, len(ballots)):
            distance = sum(ballots[low : high + 1]) - (ballots[low] + ballots[high]) / 2
            assert ranks[high] - ranks[low] == pytest.approx(distance)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), min_size=1, max_size=20))
def test_spreads(said: list[tuple[int, int]]) -> None:
    """Squared differences of ordered pairs within a unit over its other ballots; single ballots add nothing."""
    made = spreads(np.array([unit for unit, _ in said]), np.array([float(x) for _, x in said]), 5)
    for unit in range(5):
        own = [x for place, x in said if place == unit]
        pairs = list(permutations(own, 2))
        expected = sum((a - b) ** 2 for a, b in pairs) / max(len(own) - 1, 1)
        assert made[unit, 0] == pytest.approx(expected, abs=1e-9)
        assert made[unit, 1] == (len(own) if pairs else 0)


def test_spreads_of_large_numbers() -> None:
    """Numbers far from zero lose no digits."""
    unit, numbers = np.repeat(np.arange(3), 2), np.array([0.0, 1, 2, 2, 5, 3])
    near, far = spreads(unit, numbers, 3), spreads(unit, numbers + 1e9, 3)
    np.testing.assert_allclose(near, far, atol=1e-6)
