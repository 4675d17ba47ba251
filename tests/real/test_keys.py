"""Tests on real keys: counts and labels, against published figures or a parse of another kind."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from karat.formats.pairs import read_pairs
from tests.files import NO_E, C, E, U

RTE: list[tuple[str, dict[str, int]]] = [
    ("rte/RTE1_dev.xml", {E: 283, NO_E: 284}),
    ("rte/rte1_dev_original.xml", {E: 283, NO_E: 284}),
    ("rte/RTE1_test.xml", {E: 400, NO_E: 400}),
    ("rte/RTE2_dev.xml", {E: 400, NO_E: 400}),
    ("rte/RTE3_dev.xml", {E: 412, NO_E: 388}),
    ("rte/RTE3_dev_3way.xml", {E: 412, U: 298, C: 90}),
    ("rte/RTE3_test.xml", {E: 410, NO_E: 390}),
    ("rte/RTE3_test_3way.xml", {E: 410, U: 317, C: 73}),
    ("rte/RTE3_test_blind.xml", {}),
    ("rte/RTE5_dev.xml", {E: 300, U: 210, C: 90}),
    ("rte3-german/key.xml", {E: 409, NO_E: 391}),
]


@pytest.mark.parametrize(("name", "counts"), RTE, ids=[name for name, _ in RTE])
def test_rte(real: Path, name: str, counts: dict[str, int]) -> None:
    """Every year's file is read without a warning, and its pairs are those a plain search finds."""
    pairs = read_pairs(real / name)
    text = (real / name).read_text(encoding="utf-8")
    assert pairs.label_counts() == counts
    assert pairs.warnings == ()
    assert list(pairs.ids) == re.findall(r"<pair[^>]*?\bid=\"([^\"]*)\"", text)
    tasks = re.findall(r"<pair[^>]*?\btask=\"([^\"]*)\"", text)
    assert Counter(pairs.attributes["task"]) == Counter(tasks)


def test_the_three_way_key_folds_to_the_two_way_one(real: Path) -> None:
    """The re-release agrees with RTE-3 on every pair's entailment."""
    two, three = read_pairs(real / "rte/RTE3_test.xml"), read_pairs(real / "rte/RTE3_test_3way.xml")
    assert two.ids == three.ids
    assert ((two.labels == 0) == (three.labels == 0)).all()


def test_length_is_only_in_the_blind_file(real: Path) -> None:
    """Attributes are those of the file at hand."""
    assert set(read_pairs(real / "rte/RTE3_test_blind.xml").attributes["length"]) == {"short", "long"}
    assert "length" not in read_pairs(real / "rte/RTE3_test.xml").attributes


def test_fracas(real: Path) -> None:
    """346 problems, 12 without answer; yes, no and unknown as they stand in the file."""
    pairs = read_pairs(real / "fracas/fracas.xml")
    answers = Counter(re.findall(r'fracas_answer="(\w+)"', (real / "fracas/fracas.xml").read_text()))
    assert len(pairs) == 346
    assert int((pairs.labels < 0).sum()) == answers["undef"] == 12
    assert pairs.label_counts() == {E: answers["yes"], U: answers["unknown"], C: answers["no"]}
    assert set(pairs.attributes["premises"]) == {"1", "2", "3", "4", "5"}


def test_chaosnli(real: Path) -> None:
    """1,514 pairs with a hundred ballots each; seven have four old labels."""
    path = real / "chaosnli/chaosNLI_snli.jsonl"
    pairs = read_pairs(path)
    assert pairs.ballots is not None
    assert (len(pairs), len(pairs.ballots)) == (1514, 151_400)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert pairs.ballots.counts().tolist() == [row["label_count"] for row in rows]
    assert sum(len(labels.split("; ")) == 4 for labels in pairs.attributes["old_labels"] if labels) == 7


def test_multinli(real: Path) -> None:
    """9,815 pairs."""
    path = real / "mnli-matched/key.tsv"
    gold = Counter(line.split("\t")[1] for line in path.read_text().splitlines()[1:])
    expected = {E: gold["entailment"], U: gold["neutral"], C: gold["contradiction"]}
    assert read_pairs(path).label_counts() == expected
    assert sum(expected.values()) == 9815


def test_breaking_nli(real: Path) -> None:
    """8,193 pairs in 14 categories, three ballots each."""
    pairs = read_pairs(real / "breaking-nli/dataset.jsonl")
    assert len(pairs) == 8193
    assert len(set(pairs.attributes["category"])) == 14
    assert pairs.ballots is not None
    assert set(pairs.ballots.counts().sum(axis=1).tolist()) == {3}


def test_anli_tags(real: Path) -> None:
    """1,000 pairs, texts that span lines included, as the csv module reads them."""
    path = real / "anli/ANLI_analysis_r1_dev.csv"
    pairs = read_pairs(path)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(pairs.ids) == [row["uid"] for row in rows]
    assert list(pairs.attributes["tags"]) == [row["tags"] for row in rows]
    gold = Counter(row["gold_label"] for row in rows)
    assert pairs.label_counts() == {E: gold["e"], U: gold["n"], C: gold["c"]}
    assert len(pairs) == 1000


@pytest.mark.parametrize(("name", "size"), [("SICK_trial.txt", 500), ("SICK_test_annotated.txt", 4927)])
def test_sick(real: Path, name: str, size: int) -> None:
    """Labels as a plain split of the lines counts them."""
    pairs = read_pairs(real / "sick" / name)
    gold = Counter(line.split("\t")[4] for line in (real / "sick" / name).read_text().splitlines()[1:])
    assert len(pairs) == size
    assert pairs.label_counts() == {E: gold["ENTAILMENT"], U: gold["NEUTRAL"], C: gold["CONTRADICTION"]}
