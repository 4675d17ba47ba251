"""Clusters of real data: what units have in common, and how much wider intervals over clusters are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from karat.formats.ballots import read_ballots
from karat.formats.pairs import read_pairs
from karat.studies.agree.result import Agreement
from karat.studies.agree.study import agree

ORDER = ("not_support", "partial_support", "support")


def written(path: Path, rows: list[tuple[str, ...]]) -> Path:
    """A table of ballots."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)
    return path


def width(result: Agreement, name: str) -> float:
    """The width of the interval of a coefficient."""
    return result.coefficients[name].high - result.coefficients[name].low


def test_assignments_by_topic(real: Path, tmp_path: Path) -> None:
    """Whether answers of three systems have a nugget: three grades, by topic; easy topics make intervals wider."""
    rows: list[tuple[str, ...]] = [("unit", "topic", "assessor", "label")]
    for path in sorted((real / "rag24/assignments").iterdir()):
        seen: set[tuple[str, str]] = set()
        for line in path.read_text(encoding="utf-8").splitlines():
            answer = json.loads(line)
            for nugget in answer["nuggets"]:
                key = answer["qid"], nugget["text"]
                if nugget["assignment"] in ORDER and key not in seen:
                    seen.add(key)
                    grade = str(ORDER.index(nugget["assignment"]))
                    rows.append((f"{key[0]} {key[1]}", key[0], path.stem, grade))
    ballots = read_ballots(written(tmp_path / "assignments.tsv", rows), level="ordinal")
    plain, by_topic = agree(ballots), agree(ballots, cluster="topic")
    assert by_topic.clusters is not None
    assert 290 <= by_topic.clusters <= 301
    for name in ("agreement", "alpha", "ac2"):
        assert by_topic.coefficients[name].value == plain.coefficients[name].value
        assert 1.1 < width(by_topic, name) / width(plain, name) < 3


def test_crowd_by_text(real: Path) -> None:
    """RTE-1 has pairs that share a text; ten workers a pair disagree hardly more alike within a text than between."""
    key = read_pairs(real / "rte/RTE1_test.xml")
    label = {"1": "ENTAILMENT", "0": "NO_ENTAILMENT"}
    column = {"assessor": "!amt_worker_ids"}
    ballots = read_ballots(real / "rte1-crowd/ballots.tsv", key, label=label, ballot_column=column)
    plain, by_text = agree(ballots), agree(ballots, cluster="text")
    assert by_text.clusters is not None
    assert by_text.clusters < by_text.units == 800
    assert width(by_text, "alpha") / width(plain, "alpha") == pytest.approx(1, abs=0.15)


def test_ratings_by_explanation(real: Path, tmp_path: Path) -> None:
    """Three people on four questions about each explanation: the questions about one are a cluster."""
    rows: list[tuple[str, ...]] = [("unit", "explanation", "label")]
    with (real / "explanation-ratings/esnli.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for name in ("Answer.grammar", "Answer.new_info", "Answer.supports_label", "Answer.acceptable"):
                if row[name] in ("-1", "1"):
                    rows.append((f"{row['Input.id']} {name}", row["Input.id"], row[name]))
    ballots = read_ballots(written(tmp_path / "ratings.tsv", rows), exchangeable=True)
    plain, clustered = agree(ballots), agree(ballots, cluster="explanation")
    assert clustered.clusters is not None
    assert clustered.clusters < clustered.paired
    assert clustered.coefficients["alpha"].value == plain.coefficients["alpha"].value
    assert 0.7 < width(clustered, "alpha") / width(plain, "alpha") < 2
