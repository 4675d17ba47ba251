"""Average precision of 100 runs × 10,000 pairs without ties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score

from benchmarks.synthetic import SEED, key_codes
from benchmarks.timing import Row, best, faster, same
from karat.arrays import Floats
from karat.data.orders import Ranking
from karat.measures import average_precision

RUNS, PAIRS = 100, 10_000


def ours(scores: Floats, gains: Floats) -> Floats:
    return average_precision(Ranking.of("entailment", scores, gains).count())


def theirs(scores: Floats, gains: Floats) -> list[float]:
    return [average_precision_score(gains, run) for run in scores]


def run(folder: Path) -> list[Row]:
    del folder
    random = np.random.default_rng(SEED)
    gains = (key_codes(PAIRS) == 0).astype(np.float64)
    scores = random.normal(size=(RUNS, PAIRS)) + gains
    same("average precision", ours(scores, gains), theirs(scores, gains))
    karat, peer = best(lambda: ours(scores, gains)), best(lambda: theirs(scores, gains))
    return [faster("average precision: 100 runs × 10,000 pairs, no ties", karat, peer, 5)]
