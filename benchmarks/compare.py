"""All pairs of runs tested at once: 60 runs × 800 units, and 1,000 runs × 10,000 units beside one matrix product."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.stats import binomtest, permutation_test

from benchmarks.synthetic import SEED
from benchmarks.timing import Differs, Row, best, faster, no_slower, same
from karat.arrays import Floats
from karat.statistics.paired import Paired, exact_randomisation, randomisation
from karat.studies.compare.contrasts import Simulation

RUNS, UNITS, REPLICATES, TIMED = 60, 800, 10_000, 3
"""The peer is timed on `TIMED` pairs; its time for all of them is in proportion."""
MANY, LARGE = 1000, 10_000


def scores(runs: int, units: int) -> Floats:
    """Right and wrong, from four in ten to nine in ten."""
    random = np.random.default_rng(SEED)
    return (random.random((runs, units)) < np.linspace(0.4, 0.9, runs)[:, None]).astype(np.float64)


def paired_of(values: Floats) -> Paired:
    first, second = np.triu_indices(len(values), 1)
    return Paired.of(values, first, second)


def theirs(values: Floats, a: int, b: int) -> float:
    random = np.random.default_rng(SEED)
    result = permutation_test(
        (values[a], values[b]),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=REPLICATES,
        rng=random,
    )
    return float(result.pvalue)


def run(folder: Path) -> list[Row]:
    del folder
    values = scores(RUNS, UNITS)
    drawing = Simulation(REPLICATES, 0)
    some = [(20, 22), (30, 34), (40, 47)][:TIMED]
    paired = paired_of(values)
    p, error = randomisation(paired, drawing.signs(UNITS))
    exact = exact_randomisation(paired)
    if not (np.abs(p - exact) <= 6 * error + 1 / REPLICATES).all():
        raise Differs("compare: simulated and exact p-values are further apart than chance allows")
    for a, b in some:
        place = int(np.flatnonzero((paired.first == a) & (paired.second == b))[0])
        if not abs(theirs(values, a, b) - p[place]) <= 6 * np.sqrt(2) * error[place] + 2 / REPLICATES:
            raise Differs("compare: karat's p-values are not where the peer's are")
        won, lost = (int(side[place]) for side in paired.wins)
        same("exact p", exact[place], binomtest(won, won + lost).pvalue)
    peer = best(lambda: [theirs(values, a, b) for a, b in some], 1, warm=False) / len(some) * len(paired.first)
    simulated = best(lambda: randomisation(paired_of(values), drawing.signs(UNITS)), 5)
    closed = best(lambda: exact_randomisation(paired_of(values)), 10)
    many = scores(MANY, LARGE)
    single = many.astype(np.float32)
    product = best(lambda: single @ single.T, 5)
    all_pairs = best(lambda: exact_randomisation(paired_of(many)), 3)
    of_pairs = f"{len(paired.first):,} pairs of {RUNS} runs × {UNITS} units"
    return [
        faster(f"compare: {of_pairs}, 10,000 flips (peer: {TIMED} pairs, in proportion)", simulated, peer, 1000),
        faster(f"compare: {of_pairs}, exact (peer: 10,000 flips)", closed, peer, 10_000),
        no_slower("compare: 499,500 pairs of 1,000 runs × 10,000 units, exact (peer: X·Xᵀ)", all_pairs, product, 8),
    ]
