"""`karat qa` and `karat nuggets` as a user meets them, and the studies that take their score matrices."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from karat.examples import HERE
from tests.cli.calls import as_json, karat

QA = HERE / "qa"
ASKED = [str(QA / "questions.xml"), str(QA / "runs")]
JUDGED = ["--judgments", str(QA / "judgments.tsv")]
NUGGETS = ["--nuggets", str(QA / "nuggets.tsv"), "--matches", str(QA / "matches.tsv")]
PATTERNS = ["--patterns", str(QA / "patterns.txt")]
PILOT = [str(QA / "nuggets.tsv"), str(QA / "matches.tsv"), "--answers", str(QA / "runs")]
RAG = [str(QA / "rag" / "nuggets.jsonl"), str(QA / "rag" / "assignments")]


def test_qa_json() -> None:
    """The fields that are promised, and every file in the signature."""
    made = as_json("qa", *ASKED, *JUDGED, *NUGGETS, *PATTERNS)
    assert set(made["runs"][0]) >= {"run", "factoid", "nil", "list", "other", "by_type", "by_series", "series"}
    names = {Path(one["name"]).name for one in made["signature"]["files"]}
    assert {"questions.xml", "judgments.tsv", "nuggets.tsv", "matches.tsv", "patterns.txt", "careful.tsv"} <= names
    assert len(made["runs"]) >= 5
    assert len(made["series"]) >= 8
    assert made["signature"]["missing"] == "missing"
    assert made["betas"]["crossings"]


def test_nuggets_json() -> None:
    """The fields that are promised; the answers, and the ratings, are in the signature too."""
    made = as_json("nuggets", *RAG)
    promised = "run strict_vital vital strict_weighted weighted strict_all all f strict_f topics missing"
    assert set(made["runs"][0]) >= set(promised.split())
    made = as_json("nuggets", *PILOT, "--ratings", str(QA / "ratings.tsv"))
    names = {Path(one["name"]).name for one in made["signature"]["files"]}
    assert {"nuggets.tsv", "matches.tsv", "careful.tsv", "ratings.tsv"} <= names
    assert len(made["assessors"]) == len(made["ratings"]) == 2


@pytest.mark.parametrize("format", ["text", "json", "csv", "latex", "html"])
@pytest.mark.parametrize(
    "command", [["qa", *ASKED, *JUDGED, *NUGGETS, *PATTERNS], ["nuggets", *PILOT], ["nuggets", *RAG]]
)
def test_formats(command: list[str], format: str) -> None:
    """Every format comes out whole; CSV has a row a number."""
    done = karat(*command, "--format", format, "--quiet")
    assert done.returncode == 0
    assert "verbose" in done.stdout or "brief" in done.stdout
    if format == "csv":
        rows = list(csv.reader(io.StringIO(done.stdout)))
        assert len(rows) > 100
        assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("unit", ["series", "factoid", "list", "other"])
def test_matrix_of_each_unit(tmp_path: Path, unit: str) -> None:
    """Mean scores of the matrix are those of the runs; questions come with their series."""
    file = tmp_path / "scores.csv"
    made = as_json("qa", *ASKED, *JUDGED, *NUGGETS, "--scores-out", str(file), "--unit", unit)
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert ("cluster" in rows[0]) == (unit != "series")
    where = {
        "series": ("by_series",),
        "factoid": ("factoid", "score"),
        "list": ("list", "score"),
        "other": ("other", "score"),
    }
    for run in made["runs"]:
        value = run
        for step in where[unit]:
            value = value[step]
        numbers = [float(row["score"]) for row in rows if row["run"] == run["run"]]
        assert value["value"] == pytest.approx(sum(numbers) / len(numbers))


@pytest.mark.parametrize("unit", ["series", "factoid"])
@pytest.mark.parametrize(
    ("command", "field"),
    [
        (["compare", "--test", "t"], "pairs"),
        (["compare", "--test", "randomisation"], "pairs"),
        (["swap", "--trials", "5", "--replicates", "2"], "procedure"),
        (["size"], "sizes"),
        (["sensitivity"], "settings"),
    ],
)
def test_matrix_goes_on(tmp_path: Path, unit: str, command: list[str], field: str) -> None:
    """The studies of reliability take the matrix over series, and over factoids in their series."""
    file = tmp_path / "scores.csv"
    assert karat("qa", *ASKED, *JUDGED, *NUGGETS, "--scores-out", str(file), "--unit", unit).returncode == 0
    made = as_json(command[0], "--scores", str(file), *command[1:])
    assert made[field]


@pytest.mark.parametrize("measure", ["confidence_weighted", "nil_precision", "type_score", "nugget_recall"])
def test_matrix_of_any_measure(tmp_path: Path, measure: str) -> None:
    """What ranks the runs is written and compared, although it need not be a mean over questions."""
    file = tmp_path / "scores.csv"
    options = ["--rank-by", measure, "--ranked", "--scores-out", str(file)]
    made = as_json("qa", *ASKED, *JUDGED, *NUGGETS, *options)
    assert made["ranked_by"] == measure
    values = {one["run"]: one["ranking"]["value"] for one in made["runs"]}
    compared = {one["run"]: one["value"] for one in as_json("compare", "--scores", str(file))["runs"]}
    known = {run: value for run, value in values.items() if value is not None}
    assert {run: value for run, value in compared.items() if value is not None} == pytest.approx(known)
    assert len(known) == (4 if measure == "nil_precision" else 7)


def test_exclude() -> None:
    """A series and a question are taken out, although answers, judgments and nuggets speak of them."""
    made = as_json("qa", *ASKED, *JUDGED, *NUGGETS, "--exclude", "7", "--exclude", "1.4")
    whole = as_json("qa", *ASKED, *JUDGED, *NUGGETS)
    assert made["asked"]["excluded"] == ["7", "1.4"]
    assert made["signature"]["parameters"]["exclude"] == ["7", "1.4"]
    assert "7" not in made["runs"][0]["series"]
    assert made["asked"]["units"]["series"]["asked"] == whole["asked"]["units"]["series"]["asked"] - 1
    for one, other in zip(made["runs"], whole["runs"], strict=True):
        assert one["series"]["2"] == other["series"]["2"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["qa", *ASKED, *NUGGETS[:2]], 2, "--nuggets needs the matches"),
        (["qa", *ASKED], 2, "there is nothing to score by"),
        (["qa", *ASKED, *JUDGED, "--exclude", "99"], 2, "99"),
        (["qa", *ASKED, *JUDGED, "--accept", "wrong"], 2, "accept"),
        (["qa", *ASKED, *JUDGED, "--unjudged", "patterns"], 2, "--patterns FILE"),
        (["qa", *ASKED, *JUDGED, "--weights", "0", "0", "0"], 2, "--weights"),
        (
            ["qa", ASKED[0], str(QA / "runs" / "careful.tsv"), str(QA / "runs" / "careful.tsv"), *JUDGED],
            1,
            "duplicate-run",
        ),
        (["nuggets", *PILOT[:2], "--answers", str(QA / "runs" / "careful.tsv")], 1, "run-without: no answers of run"),
    ],
)
def test_refused(arguments: list[str], status: int, message: str) -> None:
    """What is wrong is said, with the status that says whose fault it is."""
    done = karat(*arguments)
    assert done.returncode == status
    assert message in done.stderr


def test_part_of_the_runs() -> None:
    """Fewer runs than the matches have: the others are named in a warning, and the scores stay."""
    done = karat("qa", ASKED[0], str(QA / "runs" / "careful.tsv"), *JUDGED, *NUGGETS, "--format", "json")
    assert done.returncode == 0
    assert "run-beside" in done.stderr
    alone, whole = json.loads(done.stdout), as_json("qa", *ASKED, *JUDGED, *NUGGETS)
    (same,) = [run for run in whole["runs"] if run["run"] == "careful"]
    assert alone["runs"][0]["series"] == same["series"]
