"""Tests of the weights that keep a ranking: the polygon against brute force over a fine grid of weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.arrays import Floats
from karat.statistics.weight_region import grid_of_weights, share_of_all, weight_region

FINE = grid_of_weights(14)


def keeps(parts: Floats, official: Floats, weights: Floats) -> bool:
    """Whether no two runs that are apart under the official weights are in the other order, pair by pair."""
    for a in range(len(parts)):
        for b in range(a):
            ahead, here = (parts[a] - parts[b]) @ official, (parts[a] - parts[b]) @ weights
            if abs(ahead) > 1e-12 and ahead * here < 0:
                return False
    return True


def inside(corners: Floats, weights: Floats) -> float:
    """How far inside a convex polygon (in the plane of the first two weights); negative is outside."""
    x, y = corners[:, 0], corners[:, 1]
    dx, dy = np.roll(x, -1) - x, np.roll(y, -1) - y
    sides = dx * (weights[1] - y) - dy * (weights[0] - x)
    turn = np.sign(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return float((sides * turn).min())


tenths = st.integers(0, 10).map(lambda value: value / 10)


@given(
    st.lists(st.tuples(tenths, tenths, tenths), min_size=2, max_size=6),
    st.sampled_from([(0.5, 0.25, 0.25), (1 / 3, 1 / 3, 1 / 3), (1.0, 0.0, 0.0), (0.0, 0.3, 0.7)]),
)
def test_against_a_grid(rows: list[tuple[float, float, float]], weights: tuple[float, float, float]) -> None:
    """A point of the grid keeps the ranking where it is inside, and does not where it is outside."""
    parts, official = np.array(rows), np.array(weights)
    corners = weight_region(parts, official)
    assert corners.sum(axis=1) == pytest.approx(np.ones(len(corners)))
    assert (corners >= -1e-12).all()
    if share_of_all(corners) < 1e-9:  # the official weights stand on an edge: the region has no breadth
        return
    for point in FINE:
        depth = inside(corners, point)
        if abs(depth) > 1e-9:
            assert keeps(parts, official, point) == (depth > 0)


def test_area() -> None:
    """The share is that of points at random which keep the ranking."""
    random = np.random.default_rng(5)
    parts, official = random.random((3, 3)), np.array([0.5, 0.25, 0.25])
    points = random.dirichlet([1, 1, 1], 4000)
    share = share_of_all(weight_region(parts, official))
    assert 0.05 < share < 0.95
    assert np.mean([keeps(parts, official, point) for point in points]) == pytest.approx(share, abs=0.03)


def test_two_runs() -> None:
    """Runs that are good at one thing each: one line halves the triangle."""
    region = weight_region(np.array([[1.0, 0, 0], [0, 1.0, 0]]), np.array([0.5, 0.25, 0.25]))
    assert share_of_all(region) == pytest.approx(1 / 2)
    assert sorted(map(tuple, region.tolist())) == [(0.0, 0.0, 1.0), (0.5, 0.5, 0.0), (1.0, 0.0, 0.0)]


def test_dominant() -> None:
    """A run that is better at everything stays ahead under all weights."""
    region = weight_region(np.array([[0.9, 0.8, 0.7], [0.5, 0.5, 0.5]]), np.array([0.5, 0.25, 0.25]))
    assert share_of_all(region) == pytest.approx(1)


def test_tied() -> None:
    """Runs that the official weights tie bind nobody; nor do runs that are alike in everything."""
    official = np.array([0.5, 0.25, 0.25])
    assert share_of_all(weight_region(np.array([[1.0, 0, 0], [0, 1.0, 1.0]]), official)) == 1
    assert share_of_all(weight_region(np.ones((3, 3)), official)) == 1


def test_order_of_runs() -> None:
    """The region is the same whatever the order in which runs are given."""
    parts, official = np.random.default_rng(1).random((5, 3)), np.array([0.5, 0.25, 0.25])
    shares = [share_of_all(weight_region(parts[order], official)) for order in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1])]
    assert shares[0] == pytest.approx(shares[1])
    assert 0 < shares[0] < 1


def test_grid() -> None:
    """Whole tenths: 66 points that sum to 1, each once."""
    grid = grid_of_weights()
    assert len({tuple(point) for point in grid.tolist()}) == len(grid) == 66
    assert grid.sum(axis=1) == pytest.approx(np.ones(66))
