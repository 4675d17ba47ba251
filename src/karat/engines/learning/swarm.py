"""A particle swarm: a search for the best point of a box that asks for nothing but values, a whole swarm at a time."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.kernels.random import generator


class Swarm(msgspec.Struct, frozen=True, kw_only=True):
    """How a swarm flies; the pulls are those under which it draws together without a brake (Clerc and Kennedy 2002)."""

    particles: int = 20
    iterations: int = 20
    patience: int = 5
    """It stops after so many iterations in which nothing better was found."""
    inertia: float = 0.729
    own_pull: float = 1.494
    common_pull: float = 1.494
    enough: float | None = None
    """It stops once this value is reached."""


class Found(msgspec.Struct, frozen=True):
    """The best point a swarm met, its value, and the best value after the beginning and after each iteration."""

    best: tuple[float, ...]
    value: float
    history: tuple[float, ...]


def search(
    objective: Callable[[Floats], Floats],
    low: Floats,
    high: Floats,
    seed: int = 0,
    swarm: Swarm = Swarm(),
    known: Floats | None = None,
) -> Found:
    """The point of the box (d,) with the highest value; `objective` values a whole swarm (k, d) → (k,) at once.

    `known` points (m, d) take the places of the first particles, so that the end is no worse than any of them. NaN is
    worse than any value. Of equally good points the first met is kept.
    """
    random = generator(seed, "swarm")
    shape, span = (swarm.particles, len(low)), high - low
    places = low + span * random.random(shape)
    if known is not None:
        places[: len(known)] = np.clip(known, low, high)[: swarm.particles]
    moves = (low + span * random.random(shape) - places) / 2
    own, own_values = places.copy(), _values(objective, places)
    best = int(np.argmax(own_values))
    leader, value = own[best].copy(), float(own_values[best])
    history = [value]
    idle = 0
    for _ in range(swarm.iterations):
        if idle >= swarm.patience or (swarm.enough is not None and value >= swarm.enough):
            break
        to_own = swarm.own_pull * random.random(shape) * (own - places)
        to_leader = swarm.common_pull * random.random(shape) * (leader - places)
        moves = np.clip(swarm.inertia * moves + to_own + to_leader, -span, span)
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
        history.append(value)
    return Found(tuple(leader.tolist()), value, tuple(history))


def _values(objective: Callable[[Floats], Floats], places: Floats) -> Floats:
    values = np.asarray(objective(places.copy()), dtype=np.float64)
    return np.where(np.isnan(values), -np.inf, values)
