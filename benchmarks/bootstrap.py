"""10,000 bootstrap replicates of accuracy, kappa and information of one run of 10,000 pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, cohen_kappa_score, mutual_info_score

from benchmarks.synthetic import SEED, Codes, key_codes, run_codes
from benchmarks.timing import Differs, Row, best, faster, same
from karat.arrays import Floats
from karat.data.parameters import generator
from karat.data.tables import Table
from karat.kernels.counting import contingency
from karat.measures import accuracy, information, kappa

PAIRS, REPLICATES, TIMED = 10_000, 10_000, 50
"""The peer is timed on `TIMED` replicates; its time for all of them is in proportion."""


def measured(tables: Table) -> Floats:
    return np.stack([accuracy(tables), kappa(tables), information(tables)])


def ours(key: Codes, run: Codes) -> Floats:
    counts = contingency(key, run, 3, 3).astype(np.float64)
    drawn = generator(SEED, "benchmark").multinomial(PAIRS, counts.ravel() / PAIRS, size=REPLICATES)
    return measured(Table(drawn.reshape(REPLICATES, 3, 3).astype(np.float64)))


def theirs(key: Codes, run: Codes, draws: NDArray[np.int64]) -> Floats:
    values = []
    for drawn in draws:
        wanted, given = key[drawn], run[drawn]
        nats = mutual_info_score(wanted, given)
        values.append((accuracy_score(wanted, given), cohen_kappa_score(wanted, given), nats / np.log(2)))
    return np.array(values).T


def run(folder: Path) -> list[Row]:
    del folder
    key = key_codes(PAIRS)
    answers = run_codes(key, 1)[0]
    draws = np.random.default_rng(SEED).integers(0, PAIRS, size=(TIMED, PAIRS))
    expected = theirs(key, answers, draws)
    # The same resamples give the same numbers; karat's own resamples, the same distribution.
    same("the same replicates", measured(Table(contingency(key[draws], answers[draws], 3, 3))), expected)
    replicates = ours(key, answers)
    error = replicates.std(axis=-1) / np.sqrt(TIMED)
    if not (np.abs(replicates.mean(axis=-1) - expected.mean(axis=-1)) < 4 * error).all():
        raise Differs("bootstrap: karat's replicates are not where the peer's are")
    spread = replicates.std(axis=-1) / expected.std(axis=-1)
    if not ((spread > 0.6) & (spread < 1.6)).all():
        raise Differs("bootstrap: karat's replicates do not vary as the peer's do")
    karat = best(lambda: ours(key, answers), 10)
    peer = best(lambda: theirs(key, answers, draws), 3) * REPLICATES / TIMED
    return [faster(f"bootstrap: 10,000 replicates (peer: {TIMED}, in proportion)", karat, peer, 500)]
