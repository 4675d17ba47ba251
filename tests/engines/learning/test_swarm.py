"""A swarm finds a planted optimum, keeps to its box, and flies the same way twice."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from karat.arrays import Floats
from karat.engines.edits.engine import PARTICLES, search

LOW, HIGH = np.zeros(3), np.full(3, 5.0)
search_long = partial(search, iterations=200, patience=200)


def hill(places: Floats) -> Floats:
    """One top, at (1, 2, 4)."""
    return -((places - [1, 2, 4]) ** 2).sum(axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_planted_optimum(seed: int) -> None:
    """Given time it arrives; in 20 iterations it is near."""
    assert search_long(hill, LOW, HIGH, seed)[0] == pytest.approx([1, 2, 4], abs=1e-3)
    assert search(hill, LOW, HIGH, seed)[1] > -0.1


def test_many_tops() -> None:
    """Of a rugged land with one highest top, that one."""

    def rugged(places: Floats) -> Floats:
        away = places - [3.3, 1.7]
        return -(away**2 - 2 * np.cos(2 * np.pi * away) + 2).sum(axis=1)

    assert search_long(rugged, np.zeros(2), np.full(2, 5.0), 1)[0] == pytest.approx([3.3, 1.7], abs=1e-3)


def test_a_top_on_the_wall() -> None:
    """Particles that run into a wall stay on it, and are never asked about beyond it."""

    def outwards(places: Floats) -> Floats:
        assert ((places >= LOW) & (places <= HIGH)).all()
        return places @ np.array([1.0, -1.0, 1.0])

    assert search(outwards, LOW, HIGH)[0] == pytest.approx([5, 0, 5])


def test_same_seed_same_flight() -> None:
    """A seed fixes all; another seed flies elsewhere."""
    assert search(hill, LOW, HIGH, 4)[0].tolist() == search(hill, LOW, HIGH, 4)[0].tolist()
    assert search(hill, LOW, HIGH, 4)[0].tolist() != search(hill, LOW, HIGH, 5)[0].tolist()


def test_patience_and_batches() -> None:
    """One call a swarm; it stops after five iterations with nothing better."""
    sizes = []

    def flat(places: Floats) -> Floats:
        sizes.append(len(places))
        return np.zeros(len(places))

    search(flat, LOW, HIGH)
    assert sizes == [PARTICLES] * 6


def test_known_points() -> None:
    """The end is no worse than a point already known, even one that nothing else would find."""
    needle = np.array([0.0, 1.0, 1.0])
    best, value = search(lambda places: (places == needle).all(axis=1).astype(float), LOW, HIGH, known=needle[None])
    assert (best.tolist(), value) == ([0, 1, 1], 1)


def test_undefined_values() -> None:
    """NaN is worse than any value."""

    def half(places: Floats) -> Floats:
        return np.where(places[:, 0] < 2.5, np.nan, -places[:, 0])

    assert search(half, LOW, HIGH)[0][0] >= 2.5
