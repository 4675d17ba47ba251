"""Krippendorff's alpha of 6 assessors × 100,000 units, and of two assessors' numbers: time, and memory."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.large import resident
from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best, faster, python, same
from karat.data.ballots import Ballots, Scale
from karat.data.coincidences import Coincidence
from karat.kernels.coincidence import spreads
from karat.measures.agreement import alpha, spread_alpha

ASSESSORS, UNITS, VALUES, NUMBERS = 6, 100_000, 5, 200
"""The peer's memory grows with the square of the different numbers: a few hundred are all it can be given."""
GROWTH = 2.5
"""Twice the units may take so many times the memory; were it of the square, four times."""


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


def two_columns(units: int) -> str:
    """A number of either assessor for every unit, no two alike: a file for `karat agree --level interval`."""
    random = np.random.default_rng(SEED)
    numbers = random.normal(size=(2, units)) + random.normal(size=units)
    rows = (f"{unit}\t{a!r}\t{b!r}" for unit, (a, b) in enumerate(numbers.T.tolist()))
    return "\n".join(["unit\tfirst\tsecond", *rows]) + "\n"


def measure(path: Path) -> tuple[float, float]:
    """Seconds and megabytes that all of `karat agree` takes, from the file to every coefficient, in a fresh process."""
    from karat.formats.ballots import read_ballots
    from karat.studies.agree.study import agree

    before, start = resident("VmRSS"), perf_counter()
    agree(read_ballots(path, level="interval", assessor=["first", "second"]))
    return perf_counter() - start, (resident("VmHWM") - before) / 1e6


def linear_memory(folder: Path) -> list[Row]:
    """2 × 100,000 different numbers through the whole study, against half as many."""
    seconds, megabytes = [], []
    for units in (UNITS // 2, UNITS):
        path = folder / f"{units}.tsv"
        path.write_text(two_columns(units), encoding="utf-8")
        took, peak = python("-m", "benchmarks.alpha", str(path)).split()
        seconds.append(float(took))
        megabytes.append(float(peak))
    growth, square = megabytes[1] / megabytes[0], 8 * (2 * UNITS) ** 2 / 1e9
    taken, needed = f"{seconds[1]:.2g} s, {megabytes[1]:.0f} MB", f"a square of numbers: {square:.0f} GB"
    what, wanted = f"agree, interval: 2 × {UNITS:,} different numbers, file to result", f"memory ≤ {GROWTH:g} × of half"
    return [Row(what, taken, needed, f"{growth:.2f} ×", wanted, growth <= GROWTH)]


def run(folder: Path) -> list[Row]:
    import krippendorff  # here: under the GPL, so that no other benchmark needs it

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
    return rows + linear_memory(folder)


if __name__ == "__main__":
    print(*measure(Path(sys.argv[1])))
