"""The indices: exact cases, and the weighted correlation against numpy's on repeated units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.statistics.correlation_index import (
    correlation_index,
    deviation_index,
    pair_index,
    reading,
    weighted_correlation,
)


def test_indices() -> None:
    """A ratio, and the distance of two; NaN where there is nothing to divide by."""
    index = correlation_index(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.0, 0.0]))
    assert index[0] == 2
    assert np.isnan(index[1:]).all()
    assert deviation_index(np.array(0.9), np.array(1.4)) == pytest.approx(0.5)


def test_pair_index() -> None:
    """m/k if right, 0 if wrong and k > 0, undefined if k = 0."""
    found = pair_index(np.array([1.0, 0, 1, 0]), np.array([2.0, 2, 0, 0]), np.full(4, 3.0))
    assert found[:2].tolist() == [1.5, 0]
    assert np.isnan(found[2:]).all()


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=12))
def test_weighted_correlation(rows: list[tuple[int, int, int]]) -> None:
    """Weights are repetitions; undefined exactly where one side does not vary."""
    x, y, w = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    found = weighted_correlation(x, y / 4, np.stack([w, w * 3]))
    a, b = np.repeat(x, w.astype(int)), np.repeat(y, w.astype(int))
    if not len(a) or np.ptp(a) == 0 or np.ptp(b) == 0:
        assert np.isnan(found).all()
    else:
        assert found == pytest.approx(np.full(2, np.corrcoef(a, b)[0, 1]))


@pytest.mark.parametrize(
    ("index", "interval", "p", "tests", "told"),
    [
        (float("nan"), None, float("nan"), 1, "undefined"),
        (1.2, None, float("nan"), 1, "too few to tell"),
        (1.2, None, 0.4, 1, "too few to tell"),
        (0.7, (0.5, 0.9), 0.01, 1, "missing"),
        (0.7, (0.5, 0.9), 0.06, 1, "not significant"),
        (1.4, (1.1, 1.9), 0.01, 1, "over"),
        (0.9, (0.7, 1.1), 0.3, 1, "not significant"),
        (1.0, (0.95, 1.04), 0.9, 1, "ideal"),
        (1.0, (0.91, 1.09), 0.9, 1, "ideal"),
        (1.0, (0.91, 1.09), 0.9, 20, "not significant"),
        (1.0, (1.0, 1.0), 1.0, 20, "ideal"),
        (1.0, (0.95, 1.04), float("nan"), 1, "not tested"),
        (0.0, (0.0, 0.0), 0.2, 1, "not significant"),
    ],
)
def test_reading(index: float, interval: tuple[float, float] | None, p: float, tests: int, told: str) -> None:
    """The corrected test decides, not the number; nearness to 1 is a claim as well, and one of many."""
    assert reading(index, interval, p, 0.05, tests) == told
