"""Accuracy, kappa, information and the table of 100 runs × 10,000 pairs, from codes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix, mutual_info_score

from benchmarks.synthetic import Codes, key_codes, run_codes
from benchmarks.timing import Row, best, faster, same
from karat.data.tables import Table
from karat.kernels.counting import contingency
from karat.measures import accuracy, information, kappa

RUNS, PAIRS = 100, 10_000


def ours(key: Codes, runs: Codes) -> list[NDArray[np.float64]]:
    counted = Table(contingency(key, runs, 3, 3))
    return [accuracy(counted), kappa(counted), information(counted), counted.counts]


def theirs(key: Codes, runs: Codes) -> list[list[float]]:
    columns: list[list[float]] = [[], [], [], []]
    for run in runs:
        columns[0].append(accuracy_score(key, run))
        columns[1].append(cohen_kappa_score(key, run))
        columns[2].append(mutual_info_score(key, run))
        columns[3].append(confusion_matrix(key, run))
    return columns


def run(folder: Path) -> list[Row]:
    del folder
    key = key_codes(PAIRS)
    runs = run_codes(key, RUNS)
    values, expected = ours(key, runs), theirs(key, runs)
    for place, name in enumerate(("accuracy", "kappa", "information", "table")):
        unit = np.log(2) if name == "information" else 1.0  # the peer's is in nats
        same(name, values[place], np.array(expected[place]) / unit)
    karat, peer = best(lambda: ours(key, runs), 50), best(lambda: theirs(key, runs), 5)
    return [faster("codes: 100 runs × 10,000 pairs, 3 measures and the table", karat, peer, 200)]
