"""A particle swarm: a search for the best point of a box that asks for nothing but values, a whole swarm at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from karat.arrays import Floats
from karat.kernels.random import generator

PARTICLES = 20
INERTIA, PULL = 0.729, 1.494
"""Under these a swarm draws together without a brake (Clerc and Kennedy 2002)."""


def search(
    objective: Callable[[Floats], Floats],
    low: Floats,
    high: Floats,
    seed: int = 0,
    known: Floats | None = None,
    iterations: int = 20,
    patience: int = 5,
) -> tuple[Floats, float]:
    """The point of the box (d,) with the highest value, and that; `objective` values a whole swarm (k, d) → (k,).

    `known` points (m, d) take the places of the first particles, so that the end is no worse than any of them. NaN is
    worse than any value. Of equally good points the first met is kept. The search ends after so many iterations, or
    after `patience` of them in which nothing better was found.
    """
    random = generator(seed, "swarm")
    shape, span = (PARTICLES, len(low)), high - low
    places = low + span * random.random(shape)
    if known is not None:
        places[: len(known)] = np.clip(known, low, high)[:PARTICLES]
    moves = (low + span * random.random(shape) - places) / 2
    own, own_values = places.copy(), _values(objective, places)
    best = int(np.argmax(own_values))
    leader, value = own[best].copy(), float(own_values[best])
    idle = 0
    for _ in range(iterations):
        if idle >= patience:
            break
        to_own = PULL * random.random(shape) * (own - places)
        to_leader = PULL * random.random(shape) * (leader - places)
        moves = np.clip(INERTIA * moves + to_own + to_leader, -span, span)
        reached = places + moves
        places = np.clip(reached, low, high)
        moves = np.where(places == reached, moves, 0.0)  # a wall stops what runs into it
        values = _values(objective, places)
        better = values > own_values
        own, own_values = np.where(better[:, None], places, own), np.where(better, values, own_values)
        best = int(np.argmax(own_values))
        idle = 0 if own_values[best] > value else idle + 1
        if idle == 0:
            leader, value = own[best].copy(), float(own_values[best])
    return leader, value


def _values(objective: Callable[[Floats], Floats], places: Floats) -> Floats:
    values = np.asarray(objective(places.copy()), dtype=np.float64)
    return np.where(np.isnan(values), -np.inf, values)
