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
    ("index", "interval", "told"),
    [
        (float("nan"), None, "undefined"),
        (1.2, None, "too few to tell"),
        (0.7, (0.5, 0.9), "missing"),
        (1.4, (1.1, 1.9), "over"),
        (0.9, (0.7, 1.1), "cannot be told from 1"),
        (1.0, (0.95, 1.04), "ideal"),
        (1.0, (1.0, 1.0), "ideal"),
    ],
)
def test_reading(index: float, interval: tuple[float, float] | None, told: str) -> None:
    """The interval decides, not the number."""
    assert reading(index, interval) == told
