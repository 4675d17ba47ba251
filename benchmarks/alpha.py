"""Krippendorff's alpha of 6 assessors × 100,000 units, and of two assessors' numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best, faster, same
from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import Coincidence
from karat.kernels.coincidence import spreads
from karat.measures.agreement import alpha, spread_alpha

ASSESSORS, UNITS, VALUES, NUMBERS = 6, 100_000, 5, 200
"""The peer's memory grows with the square of the different numbers: a few hundred are all it can be given."""


def ballots() -> Ballots:
    """A fifth of the ballots are missing, as they are in life."""
    random = np.random.default_rng(SEED)
    truth = random.integers(0, VALUES, UNITS)
    said = np.where(random.random((ASSESSORS, UNITS)) < 0.7, truth, random.integers(0, VALUES, (ASSESSORS, UNITS)))
    assessor, unit = np.nonzero(random.random(said.shape) < 0.8)
    return Ballots(
        units=tuple(map(str, range(UNITS))),
        assessors=tuple(map(str, range(ASSESSORS))),
        scale=Scale(tuple(map(str, range(VALUES))), "ordinal"),
        unit=unit.astype(np.int32),
        assessor=assessor.astype(np.int32),
        code=said[assessor, unit].astype(np.int32),
    )


def run(folder: Path) -> list[Row]:
    import krippendorff  # here: under the GPL, so that no other benchmark needs it

    del folder
    given = ballots()
    matrix = np.where(given.matrix() < 0, np.nan, given.matrix())
    rows = []
    for level in ("nominal", "ordinal"):

        def ours(level: str = level) -> float:
            return float(alpha(Coincidence.of(given), level))  # type: ignore[arg-type]

        def theirs(level: str = level) -> float:
            return float(krippendorff.alpha(matrix, level_of_measurement=level))  # type: ignore[arg-type]

        same(f"alpha, {level}", ours(), theirs())
        rows.append(faster(f"alpha, {level}: 6 assessors × 100,000 units", best(ours), best(theirs, 3), 2))
    random = np.random.default_rng(SEED)
    numbers = random.normal(size=(2, NUMBERS)) + random.normal(size=NUMBERS)
    unit = np.tile(np.arange(NUMBERS), 2)

    def continuous() -> float:
        return float(spread_alpha(spreads(unit, numbers.ravel(), NUMBERS).sum(axis=0)))

    def continuous_peer() -> float:
        return float(krippendorff.alpha(numbers, level_of_measurement="interval"))

    same("alpha, interval", continuous(), continuous_peer())
    rows.append(
        faster(f"alpha, interval: 2 × {NUMBERS} different numbers", best(continuous), best(continuous_peer, 2), 2)
    )
    return rows
