"""`karat meta` on assignments of nuggets, verdicts on answers and qrels, and assignments that are no scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from karat.examples import HERE
from tests.cli.calls import as_json, karat

RAG = HERE / "qa" / "rag"
LISTED = RAG / "nuggets.jsonl"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The shipped assignments as a program would make them that grants whatever is half said."""
    folder = tmp_path / "program"
    folder.mkdir()
    for path in (RAG / "assignments").iterdir():
        text = path.read_text("utf-8").replace('"partial_support"', '"support"')
        (folder / path.name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("score", ["vital", "strict_all"])
def test_folders_of_assignments(tmp_path: Path, program: Path, score: str) -> None:
    """Scores are made as `karat nuggets` makes them."""
    for name, folder in (("assignments", RAG / "assignments"), ("program", program)):
        out = tmp_path / f"{name}.csv"
        assert karat("nuggets", LISTED, folder, "--scores-out", out, "--measure", score).returncode == 0
    made = as_json("meta", "--nuggets", LISTED, RAG / "assignments", program, "--score", score)
    by_hand = as_json("meta", tmp_path / "assignments.csv", tmp_path / "program.csv")
    assert (made["reference"], made["judges"]) == ("assignments", by_hand["judges"])
    assert made["judges"][0]["runs"][0]["bias"]["value"] >= 0
    assert {"nuggets.jsonl"} < {Path(one["name"]).name for one in made["signature"]["files"]}
    assert {one["code"] for one in made["warnings"]} >= {"assignment"}


def test_assignments_are_no_scores(program: Path) -> None:
    """Their only numbers are the lengths of answers, which must not rank runs."""
    for done in (karat("meta", RAG / "assignments", program), karat("compare", "--scores", program)):
        assert done.returncode == 1
        assert "nuggets of answers; expected scores; score them first" in done.stderr


def test_answers_are_no_scores(tmp_path: Path) -> None:
    """A run of TREC RAG is refused for the same reason."""
    line = {"run_id": "a", "topic_id": "1", "references": [], "response_length": 3, "answer": [{"text": "so it is"}]}
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line | {"run_id": name}) + "\n")
    done = karat("compare", "--scores", tmp_path / "a.jsonl", "--scores", tmp_path / "b.jsonl")
    assert "answers; expected scores; score them first" in done.stderr


def test_judges_called_alike(program: Path) -> None:
    """Folders name their judges, so the same name twice is refused."""
    assert "these are alike: program, program" in karat("meta", "--nuggets", LISTED, program, program).stderr


QA = HERE / "qa"
ASKED = (QA / "questions.xml", QA / "runs")
NUGGETS = ("--nuggets", QA / "nuggets.tsv", "--matches", QA / "matches.tsv")


def lenient(text: str) -> str:
    """Verdicts of a program that takes an inexact answer for a right one."""
    return text.replace("\tX\t", "\tR\t")


@pytest.fixture
def verdicts(tmp_path: Path) -> dict[str, Path]:
    """The shipped verdicts, those of a program, and both in a table with a column `assessor`."""
    text = (QA / "judgments.tsv").read_text("utf-8")
    head, *rows = text.splitlines()
    both = [f"{head}\tassessor"]
    for name, said in (("people", rows), ("program", lenient(text).splitlines()[1:])):
        both += [f"{row}\t{name}" for row in said]
    texts = {"people": text, "program": lenient(text), "both": "\n".join(both) + "\n"}
    paths = {name: tmp_path / f"{name}.tsv" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], "utf-8")
    return paths


@pytest.mark.parametrize("more", [(), ("--rank-by", "factoid_accuracy")])
def test_verdicts(verdicts: dict[str, Path], tmp_path: Path, more: tuple[str, ...]) -> None:
    """A file per judge, or one with the judges' names: scores are those that `karat qa` writes."""
    for name in ("people", "program"):
        out = tmp_path / f"{name}.csv"
        done = karat("qa", *ASKED, *NUGGETS, *more, "--judgments", verdicts[name], "--scores-out", out)
        assert done.returncode == 0
    by_hand = as_json("meta", tmp_path / "people.csv", tmp_path / "program.csv")
    asked = [*map(str, ("meta", *ASKED, *NUGGETS, *more))]
    made = as_json(*asked, "--judgments", verdicts["people"], "--judgments", verdicts["program"])
    assert (made["reference"], made["judges"]) == ("people", by_hand["judges"])
    assert as_json(*asked, "--judgments", verdicts["both"])["judges"] == by_hand["judges"]
    assert {"people.tsv", "program.tsv", "questions.xml"} < {one["name"] for one in made["signature"]["files"]}


def test_people_who_judged_a_few_series(verdicts: dict[str, Path]) -> None:
    """The others are left out for them, and stay for the program; --unjudged wrong takes their answers for wrong."""
    head, *rows = verdicts["people"].read_text("utf-8").splitlines()
    few = verdicts["people"]
    few.write_text("\n".join([head, *(row for row in rows if int(row.split(".")[0]) <= 5)]) + "\n", "utf-8")
    asked = [*map(str, ("meta", *ASKED, *NUGGETS, "--judgments", few, "--judgments", verdicts["program"]))]
    made = as_json(*asked)["judges"][0]
    assert (made["units"], made["alone"]) == (5, 7)
    assert as_json(*asked, "--unjudged", "wrong")["judges"][0]["units"] == 12


def test_judgments_need_questions_and_runs(verdicts: dict[str, Path]) -> None:
    """Verdicts alone score nothing, and a measure has another option."""
    given = ("--judgments", verdicts["both"])
    assert (
        "questions.xml alone has no runs; give QUESTIONS RUN..." in karat("meta", QA / "questions.xml", *given).stderr
    )
    assert "is --rank-by" in karat("meta", *ASKED, *given, "--score", "all").stderr
    twice = karat("meta", *ASKED, *NUGGETS, "--judgments", verdicts["people"], "--judgments", verdicts["people"])
    assert "these are alike: people, people" in twice.stderr


def test_qrels(tmp_path: Path) -> None:
    """Two files of `topic 0 run grade` are the scores of two judges."""
    grades = {"people": ("3214", "1122"), "program": ("3324", "2132")}
    for name, rows in grades.items():
        lines = [f"{100 + at} 0 {run} {row[at]}" for run, row in zip("ab", rows, strict=True) for at in range(4)]
        (tmp_path / f"{name}.qrels").write_text("\n".join(lines) + "\n", "utf-8")
    made = as_json("meta", tmp_path / "people.qrels", tmp_path / "program.qrels")["judges"][0]
    assert [(run["run"], run["reference"], run["judge"]) for run in made["runs"]] == [("a", 2.5, 3.0), ("b", 1.5, 2.0)]
