"""Two judgments of 1,000 runs on 500 units: the whole study, on amounts, on grades, and with few units by people."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best
from karat.arrays import Floats
from karat.data.judgments import Judgments
from karat.data.scores import Scores
from karat.studies.meta.study import meta

RUNS, UNITS, LABELLED = 1000, 500, 200
SECONDS = 15.0


def synthetic() -> Floats:
    """Scores (2, runs, units) by two judges who agree in part, on units of unequal difficulty."""
    random = np.random.default_rng(SEED)
    base = random.normal(0.5, 0.1, (RUNS, 1)) + random.normal(0, 0.2, UNITS)
    return base + random.normal(0, 0.2, (2, RUNS, UNITS))


def judgments(scores: Floats, labelled: int = UNITS) -> Judgments:
    """By people, perhaps on the first units only, and by a program."""
    runs, units = (tuple(map(str, range(number))) for number in scores.shape[1:])
    people, program = (Scores(runs, units, values, "score") for values in scores)
    return Judgments.of({"people": people.of_units(np.arange(UNITS) < labelled), "program": program})


def run(_: Path) -> list[Row]:
    made = synthetic()
    cases = {
        "amounts": judgments(made),
        "grades": judgments(np.round(made * 4) / 4),
        f"amounts, {LABELLED} units by people": judgments(made, LABELLED),
    }
    rows = []
    for what, each in cases.items():
        seconds = best(lambda each=each: meta(each), 1, warm=False)  # type: ignore[misc]
        name = f"meta: the whole study, {RUNS:,} runs × {UNITS} units × 2 judges, {what}"
        rows.append(Row(name, f"{seconds:.1f} s", "", "", f"< {SECONDS:g} s", seconds < SECONDS))
    return rows
