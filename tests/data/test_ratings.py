"""Tests of ratings: means of each assessor, and criteria by name."""

from __future__ import annotations

import numpy as np
import pytest

from karat.arrays import NAN
from karat.data.ratings import Ratings
from karat.errors import UsageError


def ratings() -> Ratings:
    """Two runs by two assessors on two units; the second assessor did not rate the second run."""
    return Ratings(
        runs=("a", "b"),
        units=("1", "2"),
        assessors=("ann", "ben"),
        criteria=("content", "organisation"),
        run=np.array([0, 0, 1, 1, 0], dtype=np.int32),
        unit=np.array([0, 1, 0, 1, 0], dtype=np.int32),
        assessor=np.array([0, 0, 0, 0, 1], dtype=np.int32),
        values=np.array([[8.0, 2.0], [4.0, 6.0], [10.0, NAN], [0.0, 5.0], [7.0, 7.0]]),
    )


def test_means() -> None:
    """Over the units that each assessor rated; NaN where none."""
    np.testing.assert_array_equal(ratings().means(ratings().criterion("content")), [[6, 5], [7, NAN]])
    np.testing.assert_array_equal(ratings().means(ratings().criterion("organisation")), [[4, 5], [7, NAN]])
    assert len(ratings()) == 5


def test_unknown_criterion() -> None:
    """Only what the table has."""
    with pytest.raises(UsageError, match="did you mean 'content'"):
        ratings().criterion("contents")
