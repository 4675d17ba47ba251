"""Comparisons of real runs: how many differ significantly, held against plain binomial tests."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.formats.scores import read_scores
from karat.labels import TWO
from karat.studies.compare.study import compare

CUT = "MaxEntClassificationEDA_Base+GNPos_DE.txt"


@pytest.mark.parametrize(
    ("name", "units", "holm", "bh", "plain"),
    [
        ("rte_irt_all_coded.csv", 139, 440, 1425, 1745),
        ("adversarial-nli_irt_all_coded.csv", 3200, 2205, 3083, 3145),
    ],
)
def test_ninety_models(real: Path, name: str, units: int, holm: int, bh: int, plain: int) -> None:
    """How many of 4,005 pairs of 90 models differ, by corrections worked out here from scipy's p-values."""
    path = real / "responses-90" / name
    with path.open(newline="") as file:
        _, *rows = csv.reader(file)
    right = np.array([[float(cell) for cell in row[1:]] for row in rows])
    first, second = np.triu_indices(90, 1)
    won = ((right[first] - right[second]) > 0).sum(axis=1)
    total = (right[first] != right[second]).sum(axis=1)
    p = np.array([stats.binomtest(int(a), int(n)).pvalue if n else 1.0 for a, n in zip(won, total, strict=True)])
    raised = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1))
    expected = {
        "holm": int((raised <= 0.05).sum()),
        "bh": int((stats.false_discovery_control(p) <= 0.05).sum()),
        "none": int((p <= 0.05).sum()),
    }
    scores = read_scores(path)
    for correction, number in expected.items():
        result = compare(scores, correction=correction)
        assert (result.units, result.test, len(result.pairs)) == (units, "exact", 4005)
        assert len(result.significant) == number
    assert expected == {"holm": holm, "bh": bh, "none": plain}


def test_the_german_runs(real: Path) -> None:
    """25 whole runs of the Excitement platform: five answer one label only and are alike, and alike has p = 1."""
    key = read_pairs(real / "rte3-german/key.xml")
    files = sorted(file for file in (real / "rte3-german/runs").iterdir() if file.name != CUT)
    runs = read_runs(files, key)
    result = compare(runs)
    assert (len(result.runs), len(result.pairs), result.units) == (25, 300, 800)
    right = dict(zip(runs.names, runs.right(TWO).values, strict=True))
    for pair in result.pairs:
        if (right[pair.a] == right[pair.b]).all():
            assert pair.p == 1.0
            assert not pair.different
        assert bool(set(result.letters.get(pair.a, "")) & set(result.letters.get(pair.b, ""))) == (not pair.different)
    assert len(result.significant) == 95


def test_ten_seeds_of_one_model(real: Path) -> None:
    """Ten seeds of BERT on 9,815 pairs of MultiNLI: hardly any pair differs, and many are shown to be close."""
    key = read_pairs(real / "mnli-matched/key.tsv")
    runs = read_runs(real / "mnli-matched/runs", key)
    result = compare(runs, equivalence=0.01)
    assert (result.way, len(result.pairs)) == ("3", 45)
    assert len(result.significant) == 0
    assert sum(pair.equivalent is True for pair in result.pairs) == 29


def test_check_against_a_baseline(real: Path) -> None:
    """89 models against one from the middle of the ranking, on 3,200 units of ANLI: worse ones as scipy finds them."""
    scores = read_scores(real / "responses-90/adversarial-nli_irt_all_coded.csv")
    base = scores.runs.index("roberta-base-100M-3_25")
    result = compare(scores, versus=scores.runs[base], fail_if_worse=0)
    assert result.gate is not None
    won, lost = ((scores.values > scores.values[base]).sum(axis=1), (scores.values < scores.values[base]).sum(axis=1))
    p = {run: stats.binomtest(int(w), int(w + b)).pvalue if w + b else 1.0
         for run, w, b in zip(scores.runs, won, lost, strict=True)}  # fmt: skip
    others, significant = [run for run in p if run != scores.runs[base]], set()
    for place, run in enumerate(sorted(others, key=p.__getitem__)):
        if p[run] * (89 - place) > 0.05:
            break
        significant.add(run)
    behind = {run for run, w, b in zip(scores.runs, won, lost, strict=True) if w < b}
    assert set(result.gate.of("worse")) == significant & behind
    assert (len(result.gate.of("worse")), len(result.gate.of("better"))) == (27, 25)
    strict = compare(scores, versus=scores.runs[base], fail_if_worse=0.02, strict=True).gate
    assert strict is not None
    assert (len(strict.of("worse")), len(strict.of("within the margin")), len(strict.failing)) == (7, 39, 50)
