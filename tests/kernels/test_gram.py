"""Gram matrices against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from karat.kernels.gram import EXACT_SINGLE, gram, squared_distances, wins


def test_wins_are_counted() -> None:
    """The product counts what a loop counts, on both sides of the diagonal."""
    right = np.random.default_rng(0).random((7, 53)) < 0.6
    counted = [[sum(a and not b for a, b in zip(x, y, strict=True)) for y in right] for x in right]
    assert wins(right).tolist() == counted


@pytest.mark.parametrize("largest", [1, 3, 5000])
def test_whole_numbers_are_exact(largest: int) -> None:
    """In single precision while every sum is exact in it, in double beyond."""
    values = np.random.default_rng(1).integers(-largest, largest + 1, size=(4, 900))
    product = gram(values)
    assert product.dtype == (np.float32 if largest**2 * 900 < EXACT_SINGLE else np.float64)
    assert product.tolist() == (values @ values.T).tolist()


def test_distances_do_not_cancel() -> None:
    """A difference in one unit of ten thousand large scores is found, and rows that are alike are exactly 0 apart."""
    base = 1e6 + np.random.default_rng(2).random(10_000)
    near = base.copy()
    near[17] += 0.5
    distances = squared_distances(np.stack([base, near, base.copy()]))
    assert distances[0, 1] == pytest.approx(0.25, rel=1e-6)
    assert distances[0, 2] == 0.0
    values = np.random.default_rng(3).random((6, 40))
    naive = [[((a - b) ** 2).sum() for b in values] for a in values]
    np.testing.assert_allclose(squared_distances(values), naive, atol=1e-12)
