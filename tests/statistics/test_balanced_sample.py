"""Balanced samples: counts against dealing one by one, weights against their odds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.kernels.random import generator
from karat.statistics.balanced_sample import level_counts, weighted_sample


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
