"""Tests of Label Studio's exports, and of TREC's qrels, as ballots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tools import harness_logs as logs

import karat
from karat.errors import DataError, UsageError
from tests.files import C, E, U, answers_of, three_way
from tests.fuzz.facts import ballot_facts

CAST = [
    ("1", "ann", "good"), ("1", "bo", "bad"), ("2", "ann", "bad"), ("2", "bo", "bad"), ("3", "ann", "good"),
    ("3", "bo", "good"),
]  # fmt: skip


def ballots(folder: Path, data: bytes, name: str = "export.json", **options: Any) -> karat.Ballots:
    """The ballots of an export."""
    (folder / name).write_bytes(data)
    return karat.read_ballots(folder / name, **options)


def test_annotations_are_ballots(tmp_path: Path) -> None:
    """The task is the unit, the annotator the assessor, the choice the label."""
    assert ballot_facts(ballots(tmp_path, logs.label_studio(logs.ANNOTATED))) == CAST
    units = ballots(tmp_path, logs.label_studio(logs.ANNOTATED), ballot_column={"unit": "data.uid"}).units
    assert units == ("u1", "u2", "u3")


def test_annotators_without_names(tmp_path: Path) -> None:
    """Some exports have only their numbers."""
    tasks = json.loads(logs.label_studio(logs.ANNOTATED))
    for task in tasks:
        for number, one in enumerate(task["annotations"]):
            one["completed_by"] = number + 1
    assert ballots(tmp_path, json.dumps(tasks).encode()).assessors == ("1", "2")


def test_cancelled_annotations_are_left_out(tmp_path: Path) -> None:
    """And counted."""
    export = logs.label_studio(logs.ANNOTATED).replace(b'"was_cancelled": false', b'"was_cancelled": true', 2)
    found = ballots(tmp_path, export)
    assert ballot_facts(found) == CAST[2:]
    assert [(one.code, one.found) for one in found.warnings] == [("cancelled", "2 cancelled annotations")]


def test_several_controls_need_a_name(tmp_path: Path) -> None:
    """The names are told; a rating is a number."""
    tasks = json.loads(logs.label_studio(logs.ANNOTATED))
    for task in tasks:
        for one in task["annotations"]:
            one["result"].append({"from_name": "clarity", "type": "rating", "value": {"rating": len(one["result"])}})
    export = json.dumps(tasks).encode()
    with pytest.raises(DataError, match=r"sentiment, clarity; .*ballot_column={'label': 'NAME'}"):
        ballots(tmp_path, export)
    assert ballot_facts(ballots(tmp_path, export, ballot_column={"label": "sentiment"})) == CAST
    found = ballots(tmp_path, export, ballot_column={"label": "clarity"}, level="ordinal")
    assert found.scale.values == ("1",)


def test_predictions_are_runs(tmp_path: Path) -> None:
    """By the version of the model; without predictions, the fix says so."""
    path = tmp_path / "export.json"
    path.write_bytes(logs.label_studio(logs.ANNOTATED, logs.PREDICTED))
    (run,) = karat.read_runs(path, three_way()).runs
    assert (run.info.name, answers_of(run)) == ("m1", [E, U, C])
    path.write_bytes(logs.label_studio(logs.ANNOTATED))
    with pytest.raises(DataError, match="tasks without predictions"):
        karat.read_runs(path, three_way())


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_flat_exports_are_tables(tmp_path: Path, suffix: str) -> None:
    """JSON-MIN and CSV have the annotator in a column; the column of labels has the name of the control."""
    rows = [
        {"id": unit, "text": "t", "sentiment": label, "annotator": who, "annotation_id": 7, "lead_time": 1.5}
        for unit, who, label in CAST
    ]
    data = (
        json.dumps(rows)
        if suffix == ".json"
        else "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows), ""])
    )
    found = ballots(tmp_path, data.encode(), f"flat{suffix}", ballot_column={"label": "sentiment"})
    assert ballot_facts(found) == CAST


def test_qrels_are_ballots(tmp_path: Path) -> None:
    """One file per assessor, who is called by it; the unit is topic and document."""
    for name, data in logs.QRELS.items():
        (tmp_path / name).write_bytes(data)
    found = karat.read_ballots([tmp_path / name for name in logs.QRELS], level="ordinal")
    assert (found.assessors, found.units) == (("ann", "bo"), ("301 D1", "301 D2", "302 D1"))
    assert ballot_facts(found)[0] == ("301 D1", "ann", "2")
    assert karat.agree(found).units == 3
    with pytest.raises(UsageError, match="level='nominal'"):
        karat.agree(karat.read_ballots([tmp_path / name for name in logs.QRELS]))


def test_damaged_qrels(tmp_path: Path) -> None:
    """A line that is none, a document twice."""
    data = b"301 0 D1 2\n301 0 D2 1\n301 0 D2\n301 0 D1 0\n"
    with pytest.raises(DataError) as caught:
        ballots(tmp_path, data, "a.qrels", level="ordinal")
    assert [(one.code, one.line) for one in caught.value.problems] == [("run-line", 3)]
    with pytest.raises(DataError) as caught:
        ballots(tmp_path, data.replace(b"301 0 D2\n", b""), "a.qrels", level="ordinal")
    assert [(one.code, one.line) for one in caught.value.problems] == [("duplicate-id", 3)]
