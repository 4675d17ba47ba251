"""Scores as whole multiples of a step."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.kernels.lattice import as_lattice


@pytest.mark.parametrize(
    ("values", "whole", "step"),
    [
        ([0, 1, 1], [0, 1, 1], 1.0),
        ([0, 0.25, 0.75], [0, 1, 3], 0.25),
        ([0.1, 0.2, 0.3], [1, 2, 3], 0.1),
        ([2, 4, 10], [1, 2, 5], 2.0),
        ([0, 0, 0], [0, 0, 0], 1.0),
        ([1 / 3, 1 / 2], [2, 3], 1 / 6),
        ([-0.5, 0.5], [-1, 1], 0.5),
    ],
)
def test_the_largest_step(values: list[float], whole: list[int], step: float) -> None:
    """The step is the largest that all values are multiples of, decimal fractions included."""
    found = as_lattice(np.array([values]))
    assert found is not None
    assert found[0].tolist() == [whole]
    assert found[1] == pytest.approx(step)


def test_not_scored_is_nothing() -> None:
    """NaN does not spoil the lattice."""
    found = as_lattice(np.array([[0.5, np.nan]]))
    assert found is not None
    assert found[0].tolist() == [[1, 0]]


def test_real_numbers_are_none() -> None:
    """Scores of no common step, too fine a one or too large are real numbers."""
    assert as_lattice(np.random.default_rng(0).random((3, 50))) is None
    assert as_lattice(np.array([[1e-7, 1.0]])) is None
    assert as_lattice(np.array([[1e12, 1.0]])) is None
    assert as_lattice(np.arange(5000.0)[None]) is None


@given(st.lists(st.fractions(-5, 5, max_denominator=12), min_size=1, max_size=8))
def test_multiples_give_the_values_back(values: list[Fraction]) -> None:
    """Whole numbers times the step are the scores; their common denominator is found where it is small enough."""
    found = as_lattice(np.array([[float(value) for value in values]]))
    common = np.lcm.reduce([value.denominator for value in values])
    assert (found is not None) == (common <= 1000)
    if found:
        np.testing.assert_allclose(found[0] * found[1], [[float(value) for value in values]], atol=1e-12)


def test_tiny_scores_are_no_zeros() -> None:
    """Scores far below one keep their differences."""
    values = np.array([1e-10, 3e-10, 2.5e-10, 7e-11])
    found = as_lattice(values)
    if found is not None:
        multiples, step = found
        np.testing.assert_allclose(multiples * step, values, rtol=1e-9)
