"""Tests of nuggets as ballots: importance by several assessors, and assignments to answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from karat.data.ballots import Ballots
from karat.errors import DataError
from karat.formats.ballots import read_ballots
from karat.studies.agree.study import agree


def topic(qid: str, *nuggets: tuple[str, ...], **more: str) -> dict[str, object]:
    """A line of nuggets: text, importance and perhaps the assignment."""
    names = ("text", "importance", "assignment")
    return {"qid": qid, "nuggets": [dict(zip(names, one, strict=False)) for one in nuggets], **more}


def written(path: Path, *topics: dict[str, object]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(one) + "\n" for one in topics))
    return path


def cast(ballots: Ballots) -> set[tuple[str, str, str]]:
    """Unit, assessor and label of every ballot."""
    rows = zip(ballots.unit.tolist(), ballots.assessor.tolist(), ballots.code.tolist(), strict=True)
    return {(ballots.units[unit], ballots.assessors[who], ballots.scale.values[code]) for unit, who, code in rows}


def test_two_lists_of_the_same_nuggets(tmp_path: Path) -> None:
    """A file per assessor, in another order and with other blanks; what only one of them lists has one ballot."""
    ann = written(
        tmp_path / "ann.jsonl", topic("1", ("it freezes", "vital"), ("eels", "okay")), topic("2", ("a", "Vital"))
    )
    bo = written(tmp_path / "bo.jsonl", topic("1", ("eels", "vital"), ("it  freezes", "vital"), ("new", "okay")))
    ballots = read_ballots([ann, bo])
    assert cast(ballots) == {
        ("1 it freezes", "ann", "vital"), ("1 eels", "ann", "okay"), ("2 a", "ann", "vital"),
        ("1 eels", "bo", "vital"), ("1 it freezes", "bo", "vital"), ("1 new", "bo", "okay"),
    }  # fmt: skip
    assert agree(ballots).pairwise[0].agreement.value == 0.5


def test_one_file_of_several_assessors(tmp_path: Path) -> None:
    """Lines, or rows of a table, name them; the same text twice in a list is two nuggets, in order."""
    lists = [("ann", ("a", "vital"), ("a", "okay")), ("bo", ("a", "vital"), ("a", "vital"))]
    path = written(tmp_path / "all.jsonl", *(topic("1", *nuggets, assessor=who) for who, *nuggets in lists))
    expected = {("1 a", "ann", "vital"), ("1 a (2)", "ann", "okay"), ("1 a", "bo", "vital"), ("1 a (2)", "bo", "vital")}
    assert cast(read_ballots(path)) == expected
    rows = [f"1\t{at}\t{who}\t{kind}\t{text}" for who, *some in lists for at, (text, kind) in enumerate(some)]
    (tmp_path / "all.tsv").write_text("\n".join(["qid\tnugget\tassessor\timportance\ttext", *rows, ""]))
    assert cast(read_ballots(tmp_path / "all.tsv")) == expected


def test_labels_without_a_meaning_are_missing(tmp_path: Path) -> None:
    """They are reported by line, and are no ballots."""
    ann = written(tmp_path / "ann.jsonl", topic("1", ("a", "failed"), ("b", "okay")))
    bo = written(tmp_path / "bo.jsonl", topic("1", ("a", "vital"), ("b", "")))
    ballots = read_ballots([ann, bo])
    assert cast(ballots) == {("1 b", "ann", "okay"), ("1 a", "bo", "vital")}
    told = [(one.code, one.line, one.found, one.expected) for one in ballots.warnings]
    assert told == [
        ("no-label", 1, "importance 'failed' of nugget 'a' of topic '1'", "vital or okay"),
        ("no-label", 1, "importance '' of nugget 'b' of topic '1'", "vital or okay"),
    ]


def test_assignments(tmp_path: Path) -> None:
    """The label is whether the run's answer supports the nugget; with a column named, the importance."""
    people = written(
        tmp_path / "people.jsonl",
        topic("1", ("a", "vital", "support"), ("b", "okay", "partial_support"), run_id="x"),
        topic("1", ("a", "vital", "not_support"), ("b", "okay", "contradicted"), run_id="y"),
    )
    program = written(tmp_path / "program.jsonl", topic("1", ("a", "okay", "1"), ("b", "okay", "0.5"), run_id="x"))
    assert cast(read_ballots([people, program])) == {
        ("x 1 a", "people", "support"), ("x 1 b", "people", "partial_support"), ("y 1 a", "people", "not_support"),
        ("y 1 b", "people", "contradicted"), ("x 1 a", "program", "support"), ("x 1 b", "program", "partial_support"),
    }  # fmt: skip
    listed = written(tmp_path / "list.jsonl", topic("1", ("a", "vital"), ("b", "okay")))
    assert cast(read_ballots([listed, program], ballot_column={"label": "importance"})) == {
        ("1 a", "list", "vital"), ("1 b", "list", "okay"), ("1 a", "program", "okay"), ("1 b", "program", "okay"),
    }  # fmt: skip
    joined = read_ballots([people, program], ballot_column={"label": "importance", "unit": "run+qid+nugget"})
    assert ("x 1 a", "program", "okay") in cast(joined)


def test_folders_of_assignments(tmp_path: Path) -> None:
    """A file per run in a folder per judge: the judge is called like the folder; a file per judge is as before."""
    for judge, degree in (("people", "support"), ("program", "not_support")):
        (tmp_path / judge).mkdir()
        for run in ("x", "y"):
            written(tmp_path / judge / f"{run}.jsonl", topic("1", ("a", "vital", degree), run_id=run))
    expected = {
        ("x 1 a", "people", "support"), ("y 1 a", "people", "support"),
        ("x 1 a", "program", "not_support"), ("y 1 a", "program", "not_support"),
    }  # fmt: skip
    assert cast(read_ballots([tmp_path / "people", tmp_path / "program"])) == expected
    together = tmp_path / "together"
    together.mkdir()
    for judge in ("people", "program"):
        lines = [(tmp_path / judge / f"{run}.jsonl").read_text() for run in ("x", "y")]
        (together / f"{judge}.jsonl").write_text("".join(lines))
    assert cast(read_ballots(together)) == expected


def test_a_nugget_judged_twice(tmp_path: Path) -> None:
    """The same list again is told by line; and a line that is no topic."""
    path = written(tmp_path / "a.jsonl", topic("1", ("a", "vital"), assessor="ann"), topic("1", assessor="bo"))
    path.write_text(path.read_text() + '{"qid": "", "nuggets": 3}\n')
    with pytest.raises(DataError, match=r"a.jsonl:3: columns: a topic '' with nuggets '3'"):
        read_ballots(path)
    path = written(
        tmp_path / "a.jsonl", topic("1", ("a", "vital"), assessor="ann"), topic("1", ("a", "okay"), assessor="ann")
    )
    with pytest.raises(
        DataError, match=r"a.jsonl:2: duplicate-id: unit '1 a' judged again by 'ann' \(first in line 1\)"
    ):
        read_ballots(path)
