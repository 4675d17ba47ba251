"""Ballots made for tests: from rows of labels, and at random, unbalanced and with values missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.arrays import Floats
from karat.data.ballots import Ballots, Level, Scale


def ballots_of(rows: Sequence[str], level: Level = "nominal", values: str = "", exchangeable: bool = False) -> Ballots:
    """A row an assessor, a letter a unit, a dot where nothing was said; the order of values is that given."""
    scale = Scale(tuple(values or sorted(set("".join(rows)) - {"."})), level)
    cells = [(a, u, letter) for a, row in enumerate(rows) for u, letter in enumerate(row) if letter != "."]
    return Ballots(
        units=tuple(f"u{unit}" for unit in range(len(rows[0]))),
        assessors=tuple("abcdefgh"[: len(rows)]),
        scale=scale,
        unit=np.array([unit for _, unit, _ in cells], dtype=np.int32),
        assessor=np.array([assessor for assessor, _, _ in cells], dtype=np.int32),
        code=np.array([scale.values.index(letter) for _, _, letter in cells], dtype=np.int32),
        exchangeable=exchangeable,
    )


def random_rows(seed: int, values: int = 4, missing: float = 0.3) -> list[str]:
    """Two to five assessors of 3 to 40 units who agree more often than by chance."""
    random = np.random.default_rng(seed)
    assessors, units = random.integers(2, 6), random.integers(3, 40)
    truth = random.integers(0, values, units)
    said = np.where(
        random.random((assessors, units)) < random.random(), truth, random.integers(0, values, (assessors, units))
    )
    letters = np.where(random.random(said.shape) < missing * random.random(), ".", np.array(list("0123456789"))[said])
    return ["".join(row) for row in letters]


def reliability(ballots: Ballots) -> Floats:
    """Assessors × units, NaN where nothing was said: what other libraries take."""
    said = ballots.matrix()
    return np.where(said < 0, np.nan, said)
