"""Preferences: 1,000,000 comparisons of 100 runs, from arrays against a logistic regression, and from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best, faster, same
from karat.data.preferences import LEFT, TIE, Preferences, counted_verdicts
from karat.data.provenance import VERDICTS, Source
from karat.formats.preference_table import read_preferences
from karat.statistics.bradley_terry import fit
from karat.studies.prefer.study import prefer

RUNS, ROWS, UNITS, ASSESSORS = 100, 1_000_000, 50_000, 50
SECONDS = 10.0


def synthetic() -> Preferences:
    """Comparisons that follow the model, of questions that come twenty times each."""
    random = np.random.default_rng(SEED)
    strength = random.normal(0, 0.7, RUNS)
    left = random.integers(0, RUNS, ROWS, dtype=np.int32)
    right = (left + random.integers(1, RUNS, ROWS, dtype=np.int32)) % RUNS
    gap = strength[left] - strength[right] + 0.1
    odds = np.stack([np.exp(gap / 2), np.exp(-gap / 2), np.full(ROWS, 0.5)])
    verdict = (random.random(ROWS) > np.cumsum(odds / odds.sum(axis=0), axis=0)[:2]).sum(axis=0).astype(np.int8)
    return Preferences(
        runs=tuple(f"run{place}" for place in range(RUNS)),
        left=left,
        right=right.astype(np.int32),
        verdict=verdict,
        units=tuple(f"q{place}" for place in range(UNITS)),
        unit=random.integers(0, UNITS, ROWS, dtype=np.int32),
        assessors=tuple(f"a{place}" for place in range(ASSESSORS)),
        assessor=random.integers(0, ASSESSORS, ROWS, dtype=np.int32),
        sources=(Source("made", "0" * 64),),
    )


def regression(made: Preferences) -> np.ndarray:
    """The strengths by scikit-learn's logistic regression on the comparisons that are not ties."""
    kept = made.verdict < TIE
    rows = np.arange(int(kept.sum()))
    values = np.repeat([1.0, -1.0], len(rows))
    columns = np.concatenate([made.left[kept], made.right[kept]])
    design = csr_array((values, (np.tile(rows, 2), columns)), shape=(len(rows), RUNS))
    found = LogisticRegression(C=1e6, tol=1e-8, max_iter=1000).fit(design, made.verdict[kept] == LEFT).coef_[0]
    return np.asarray(found - found.mean())


def strengths(made: Preferences, ties: bool = True) -> np.ndarray:
    """The same by counts."""
    kept = made.verdict <= (TIE if ties else TIE - 1)
    return fit(counted_verdicts(RUNS, made.left[kept], made.right[kept], made.verdict[kept])).strength


def run(folder: Path) -> list[Row]:
    made = synthetic()
    same("strengths without ties", [strengths(made, ties=False)], [regression(made)], 1e-4)
    theirs = best(lambda: regression(made), 1, warm=False)
    what = f"preferences: strengths of {RUNS} runs from {ROWS:,} comparisons (peer: without ties)"
    rows = [faster(what, best(lambda: strengths(made), 3), theirs, 3)]
    seconds = best(lambda: prefer(made), 2)
    what = f"preferences: the whole study, {RUNS} runs × {ROWS:,} comparisons, {UNITS:,} units, {ASSESSORS} assessors"
    rows.append(Row(what, f"{seconds:.1f} s", "", "", f"< {SECONDS:g} s", seconds < SECONDS))
    file = folder / "preferences.csv"
    assert made.unit is not None
    assert made.assessor is not None
    codes = [one.tolist() for one in (made.unit, made.left, made.right, made.assessor, made.verdict)]
    with file.open("w") as out:
        out.write("qid,left,right,assessor,preference\n")
        out.writelines(
            f"q{unit},run{a},run{b},a{who},{VERDICTS[said]}\n" for unit, a, b, who, said in zip(*codes, strict=True)
        )
    seconds = best(lambda: read_preferences(file), 1, warm=False)
    return [*rows, Row(f"preferences: reading {ROWS:,} rows of CSV", f"{seconds:.1f} s", "", "", "", True)]
