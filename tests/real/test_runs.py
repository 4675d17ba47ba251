"""Tests on real runs: the accuracies are the published ones, or scikit-learn's on a parse of another kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from sklearn.metrics import accuracy_score

from karat.data.responses import Responses
from karat.errors import DataError
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from karat.labels import THREE, TWO, Way
from karat.measures.contingency import accuracy

CUT = "MaxEntClassificationEDA_Base+GNPos_DE.txt"


def accuracies(responses: Responses, way: Way) -> dict[str, float]:
    """The accuracy of every run by name."""
    values = accuracy(responses.count(way)).tolist()
    return dict(zip(responses.names, values, strict=True))


def test_edits(real: Path) -> None:
    """The two EDITS runs have exactly the figures their authors give."""
    key = read_pairs(real / "rte/RTE3_test.xml")
    runs = read_runs(real / "rte3-english-runs", key)
    assert accuracies(runs, TWO) == {"edits-basic": 0.62375, "edits-wordnet": 0.63125}


def test_the_german_runs(real: Path) -> None:
    """25 are read and agree with their own gold column; the one that was cut off is refused with the count."""
    key = read_pairs(real / "rte3-german/key.xml")
    files = sorted((real / "rte3-german/runs").iterdir())
    assert len(files) == 26
    whole = [file for file in files if file.name != CUT]
    runs = read_runs(whole, key)
    assert runs.warnings == ()
    expected = {}
    for file in whole:
        rows = [line.lower().split("\t") for line in file.read_text().splitlines()]
        expected[file.stem] = accuracy_score([row[1] for row in rows], [row[2] for row in rows])
    assert accuracies(runs, TWO) == pytest.approx(expected, abs=1e-12)


def test_the_run_that_was_cut_off(real: Path) -> None:
    """Every one of the 628 pairs it lacks is a problem, and the summary says how many."""
    key = read_pairs(real / "rte3-german/key.xml")
    with pytest.raises(DataError) as caught:
        read_runs(real / "rte3-german/runs", key)
    missing = [problem for problem in caught.value.problems if problem.code == "missing-id"]
    assert len(missing) == 628
    assert {Path(problem.file).name for problem in caught.value.problems} == {CUT}
    assert "missing-id: 628 in total" in str(caught.value)


def against_sklearn(key: Path, runs: Path, gold: dict[str, str], pattern: str) -> None:
    """Accuracies of all runs in a folder are scikit-learn's."""
    responses = read_runs(runs, read_pairs(key))
    expected = {}
    for file in sorted(runs.iterdir()):
        answers = dict(re.findall(pattern, file.read_text(), re.MULTILINE))
        assert answers.keys() == gold.keys()
        expected[file.stem] = accuracy_score(list(gold.values()), [answers[name].lower() for name in gold])
    assert accuracies(responses, THREE) == pytest.approx(expected, abs=1e-12)


def gold_of(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Labels by id, in lower case."""
    return {name: label.lower() for name, label in rows}


def test_multinli(real: Path) -> None:
    """Ten runs."""
    folder = real / "mnli-matched"
    rows = [line.split("\t") for line in (folder / "key.tsv").read_text().splitlines()[1:]]
    gold = gold_of((row[0], row[1]) for row in rows)
    assert len(list((folder / "runs").iterdir())) == 10
    against_sklearn(folder / "key.tsv", folder / "runs", gold, r"^(\S+)\t(\S+)$")


def test_breaking_nli(real: Path) -> None:
    """Ten runs."""
    folder = real / "breaking-nli"
    rows = map(json.loads, (folder / "dataset.jsonl").read_text().splitlines())
    gold = gold_of((str(row["pairID"]), row["gold_label"]) for row in rows)
    assert len(list((folder / "runs").iterdir())) == 10
    against_sklearn(folder / "dataset.jsonl", folder / "runs", gold, r"^(\S+)\t(\S+)$")


def test_sick(real: Path) -> None:
    """Three runs under banners."""
    folder = real / "sick"
    rows = [line.split("\t") for line in (folder / "SICK_test_annotated.txt").read_text().splitlines()[1:]]
    gold = gold_of((row[0], row[4]) for row in rows)
    assert len(list((folder / "runs").iterdir())) == 3
    against_sklearn(folder / "SICK_test_annotated.txt", folder / "runs", gold, r"^(\d+)\t(\S+)$")


def test_multinli_as_a_data_frame_is_written(real: Path, tmp_path: Path) -> None:
    """An index, the key and the prediction in one file, against a key without texts: the prediction is scored."""
    folder = real / "mnli-matched"
    rows = [line.split("\t") for line in (folder / "key.tsv").read_text().splitlines()[1:]]
    said = dict(line.split() for line in (folder / "runs" / "bert-seed-1.tsv").read_text().splitlines())
    table = [(str(place), row[0], row[1], said[row[0]]) for place, row in enumerate(rows)]
    frame = "".join(",".join([*row, str(row[2] == row[3])]) + "\n" for row in table)
    (tmp_path / "run.csv").write_text(",index,gold_label,Predicted Label,correct\n" + frame)
    (tmp_path / "key.csv").write_text("index,gold_label\n" + "".join(f"{row[1]},{row[2]}\n" for row in table))
    (tmp_path / "unnamed.csv").write_text("index,label,bert\n" + "".join(",".join(row[1:]) + "\n" for row in table))
    key = read_pairs(tmp_path / "key.csv")
    expected = accuracy_score([row[2] for row in table], [row[3] for row in table])
    assert accuracies(read_runs(tmp_path / "run.csv", key), THREE) == {"run": pytest.approx(expected)}
    with pytest.raises(DataError, match="labels in the columns label, bert"):
        read_runs(tmp_path / "unnamed.csv", key)
    (copy,) = read_runs(tmp_path / "key.csv", key).warnings
    assert copy.code == "equals-key"
