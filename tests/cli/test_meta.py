"""`karat meta` on assignments of nuggets, and assignments that are no scores."""

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
