"""Sampling: shares become whole numbers, rules label as they say, and what is drawn is what was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.data.parameters import generator
from karat.statistics.sampling import (
    largest_size,
    level_counts,
    lost_under,
    ruled,
    shares_to_counts,
    stratified,
    weighted_sample,
)

VOTES = np.array([[2, 0, 0], [1, 1, 0], [0, 2, 0], [0, 1, 2], [0, 0, 0], [1, 1, 1]])


def test_rules() -> None:
    """Majority has no label on a tie, unanimous none on a dispute, the third calls disputes UNKNOWN."""
    assert ruled(VOTES, "majority", 1).tolist() == [0, -1, 1, 2, -1, -1]
    assert ruled(VOTES, "unanimous", 1).tolist() == [0, -1, 1, -1, -1, -1]
    assert ruled(VOTES, "unknown", 1).tolist() == [0, 1, 1, 1, -1, 1]
    assert ruled(VOTES, "unknown", -1).tolist() == [0, -1, 1, -1, -1, -1]


def test_lost() -> None:
    """A disputed candidate is lost to each label in the share of its votes, unless the rule gives that label."""
    lost = lost_under(VOTES, ruled(VOTES, "unknown", 1))
    assert lost == pytest.approx([1 / 2 + 1 / 3, 0, 2 / 3 + 1 / 3])


@given(mix=st.lists(st.integers(0, 20), min_size=2, max_size=5).filter(any), size=st.integers(0, 500))
def test_shares(mix: list[int], size: int) -> None:
    """Whole numbers that add up, none off by one or more, none where the share is 0."""
    shares = np.array(mix) / sum(mix)
    counts = shares_to_counts(shares, size)
    assert counts.sum() == size
    assert (np.abs(counts - shares * size) < 1).all()
    assert (counts[shares == 0] == 0).all()


@given(
    mix=st.lists(st.integers(0, 9), min_size=2, max_size=4).filter(any),
    available=st.lists(st.integers(0, 60), min_size=4, max_size=4),
)
def test_largest(mix: list[int], available: list[int]) -> None:
    """The largest set can be drawn."""
    shares, there = np.array(mix) / sum(mix), np.array(available[: len(mix)])
    size = largest_size(there, shares)
    assert (shares_to_counts(shares, size) <= there).all()
    assert (shares * (size + len(mix)) > there).any()


def test_stratified() -> None:
    """So many of each label, none twice, in file order, by the seed."""
    labels = np.random.default_rng(0).integers(-1, 3, 200)
    counts = np.array([20, 10, 5])
    drawn = stratified(labels, counts, np.random.default_rng(1))
    assert np.bincount(labels[drawn]).tolist() == [20, 10, 5]
    assert (np.diff(drawn) > 0).all()
    assert drawn.tolist() == stratified(labels, counts, np.random.default_rng(1)).tolist()
    assert drawn.tolist() != stratified(labels, counts, np.random.default_rng(2)).tolist()


@given(st.lists(st.integers(0, 12), min_size=1, max_size=6), st.integers(0, 60))
def test_dealt_one_by_one(available: list[int], size: int) -> None:
    """The same as dealing round by round to whoever has some left."""
    counts, left = [0] * len(available), min(size, sum(available))
    while left:
        for place, there in enumerate(available):
            if left and counts[place] < there:
                counts[place] += 1
                left -= 1
    assert level_counts(np.array(available), size).tolist() == counts


def test_odds() -> None:
    """One of two is drawn with the odds of the weights; nobody twice, and in order."""
    random = generator(0, "test")
    first = np.mean([weighted_sample(np.array([3.0, 1.0]), 1, random)[0] == 0 for _ in range(4000)])
    assert first == pytest.approx(0.75, abs=0.03)
    drawn = weighted_sample(np.arange(1.0, 9), 5, random).tolist()
    assert drawn == sorted(set(drawn))
    assert len(drawn) == 5
