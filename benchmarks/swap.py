"""The swap method: the paper's shape against plain loops, and 500 runs × 2,000 units with and without numba."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best, faster, same
from karat.arrays import Floats
from karat.data.parameters import generator
from karat.data.scores import Scores
from karat.kernels.swap import OPPOSITE
from karat.statistics.swap import count_swaps
from karat.studies.swap.study import swap

RUNS, UNITS, SIZES, TRIALS = 63, 64, range(5, 33), 50
TIMED = 2
"""The loops are timed on `TIMED` trials of each size; their time for all of them is in proportion."""
LARGE, LARGE_SIZES, LARGE_TRIALS, SECONDS = (500, 2000), 200, 1000, 300
WIDTH = Fraction(1, 100)


def scores(runs: int, units: int) -> Floats:
    random = np.random.default_rng(SEED)
    return (random.random((runs, units)) < np.linspace(0.3, 0.7, runs)[:, None]).astype(np.float64)


def loops(right: list[list[int]], trials: int) -> list[list[int]]:
    """What a plain script does; the sets are karat's, so that the counts are comparable."""
    opposite = [[0] * 102 for _ in SIZES]
    for row, size in enumerate(SIZES):
        for trial in range(trials):
            drawn = generator(0, "swap", "sets", size, trial).permutation(UNITS)[: 2 * size].tolist()
            first = [sum(run[unit] for unit in drawn[:size]) for run in right]
            second = [sum(run[unit] for unit in drawn[size:]) for run in right]
            for one in range(len(right)):
                for other in range(one):
                    ahead, after = first[one] - first[other], second[one] - second[other]
                    if ahead * after < 0:
                        opposite[row][1 + abs(ahead) * 100 // size] += 1
    return opposite


def run(folder: Path) -> list[Row]:
    del folder
    right = scores(RUNS, UNITS)
    plain = [[int(value) for value in row] for row in right]
    made = count_swaps(right, SIZES, TIMED, WIDTH, 0).counts[..., OPPOSITE]
    same("errors in every cell", made, np.array(loops(plain, TIMED))[:, : made.shape[1]])
    ours = best(lambda: count_swaps(right, SIZES, TRIALS, WIDTH, 0), 3)
    theirs = best(lambda: loops(plain, TIMED), 1, warm=False) * TRIALS / TIMED
    what = f"swap: 63 × 64, sizes 5–32, 50 trials (peer: {TIMED}, in proportion)"
    return [faster(what, ours, theirs, 3), *_large(), _study()]


def _study() -> Row:
    """The whole study with its defaults: the procedure, the fits, the rates for fresh samples and every interval."""
    runs, units = LARGE
    names = tuple(f"run{run}" for run in range(runs)), tuple(f"unit{unit}" for unit in range(units))
    # Units of uneven difficulty, so that pairs of runs differ in their variance too.
    random = np.random.default_rng(SEED)
    chance = 1 / (
        1 + np.exp(random.normal(0, 1.5, units) - random.normal(0, 1, (runs, 1)) * random.uniform(0.3, 2, units))
    )
    given = Scores(*names, (random.random((runs, units)) < chance).astype(np.float64))
    took = best(lambda: swap(given), 1)
    what = "swap: the whole study with its defaults, 500 × 2,000, all intervals"
    return Row(what, f"{took:,.1f} s", "", "", "", True)


def _large() -> list[Row]:
    """A few of the sizes are timed; the time for all of them is in proportion."""
    some = [100, 400, 700, 1000]
    big = scores(*LARGE)
    rows = []
    for compiled, trials in ((True, LARGE_TRIALS), (False, 50)):
        if compiled and importlib.util.find_spec("numba") is None:
            continue
        one = best(lambda c=compiled, t=trials: count_swaps(big, some, t, WIDTH, 0, compiled=c), 1)  # type: ignore[misc]
        whole = one * LARGE_SIZES / len(some) * LARGE_TRIALS / trials
        name = "numba" if compiled else "numpy"
        limit = f"< {SECONDS} s" if compiled else ""
        what = f"swap: 500 × 2,000, 200 sizes, 1,000 trials, {name} (in proportion)"
        rows.append(Row(what, f"{whole:,.0f} s", "", "", limit, whole < SECONDS or not compiled))
    return rows
