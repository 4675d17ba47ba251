"""Ballots from files: long, wide, a key's own labels, tables; scales; and everything that can be wrong with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from karat.data.ballots import Ballots
from karat.errors import DataError, UsageError
from karat.formats.ballots import read_ballots
from tests.files import place_of, three_way, two_way

LONG = "unit\tassessor\tlabel\n1\tanna\tENTAILMENT\n1\tben\tUNKNOWN\n2\tanna\tCONTRADICTION\n"


def read(folder: Path, content: str, name: str = "ballots.tsv", **options: Any) -> Ballots:
    """The ballots of a file with this content."""
    (folder / name).write_text(content, encoding="utf-8")
    return read_ballots(folder / name, **options)


def said(ballots: Ballots) -> list[tuple[str, str, str]]:
    """Unit, assessor and label of every ballot, in words."""
    return [
        (ballots.units[unit], ballots.assessors[assessor], ballots.scale.values[code])
        for unit, assessor, code in zip(ballots.unit, ballots.assessor, ballots.code, strict=True)
    ]


def test_several_columns_name_a_unit(tmp_path: Path) -> None:
    """Their cells together are the name; a column that is really called so comes first."""
    table = "run\tqid\tassessor\tlabel\na\t1\tanna\tyes\na\t2\tanna\tno\nb\t1\tben\tno\n"
    found = read(tmp_path, table, ballot_column={"unit": "run+qid"}, level="nominal")
    assert said(found) == [("a 1", "anna", "yes"), ("a 2", "anna", "no"), ("b 1", "ben", "no")]
    plain = read(
        tmp_path,
        "run+qid\trun\tqid\tassessor\tlabel\nx\ta\t1\tanna\tyes\ny\ta\t1\tanna\tno\n",
        ballot_column={"unit": "run+qid"},
    )
    assert plain.units == ("x", "y")
    with pytest.raises(DataError, match=r"run\+topic"):
        read(tmp_path, table, ballot_column={"unit": "run+topic"})


FORMS = {
    "tsv": ("b.tsv", LONG),
    "csv": ("b.csv", LONG.replace("\t", ",")),
    "other names": ("b.csv", "judge,pair_id,rating\nanna,1,ENTAILMENT\nben,1,UNKNOWN\nanna,2,CONTRADICTION\n"),
    "jsonl": (
        "b.jsonl",
        "".join(
            json.dumps(dict(zip(("item", "worker", "judgment"), row, strict=True))) + "\n"
            for row in ((1, "anna", "ENTAILMENT"), (1, "ben", "neutral"), (2, "anna", "contradiction"))
        ),
    ),
}


@pytest.mark.parametrize(("name", "content"), FORMS.values(), ids=FORMS)
def test_long(tmp_path: Path, name: str, content: str) -> None:
    """A row a ballot, in any carrier and under the usual names; units and assessors in the order of the file."""
    ballots = read(tmp_path, content, name)
    assert said(ballots) == [
        ("1", "anna", "ENTAILMENT"),
        ("1", "ben", "UNKNOWN"),
        ("2", "anna", "CONTRADICTION"),
    ]
    assert ballots.scale.values == ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")
    assert len(ballots.sources[0].sha256) == 64
    assert not ballots.exchangeable


def test_gzip_and_named_columns(tmp_path: Path) -> None:
    """Columns of other names are named; gzip is unpacked."""
    content = "wer,was,wovon\nanna,x,1\nben,y,1\n"
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(content.encode()))
    columns = {"assessor": "wer", "label": "was", "unit": "wovon"}
    assert said(read_ballots(tmp_path / "b.csv.gz", ballot_column=columns)) == [("1", "anna", "x"), ("1", "ben", "y")]


def test_wide(tmp_path: Path) -> None:
    """A column an assessor; without a column of units rows are numbered, and an empty cell is no ballot."""
    content = "name,anna,ben\np,1,2\nq,,2\np,2,1\n"
    rows = read(tmp_path, content, assessor=("anna", "ben"))
    assert said(rows) == [
        ("1", "anna", "1"),
        ("1", "ben", "2"),
        ("2", "ben", "2"),
        ("3", "anna", "2"),
        ("3", "ben", "1"),
    ]
    named = read(tmp_path, content.rsplit("p,2", 1)[0], assessor=("anna", "ben"), ballot_column={"unit": "name"})
    assert named.units == ("p", "q")


def test_slots(tmp_path: Path) -> None:
    """Exchangeable ballots need no assessor; their places within a unit are slots, empty ones not counted."""
    ballots = read(tmp_path, "unit,label\np,a\nq,\np,b\nq,b\n", exchangeable=True)
    assert said(ballots) == [("p", "slot 1", "a"), ("p", "slot 2", "b"), ("q", "slot 1", "b")]
    assert ballots.exchangeable
    assert read(tmp_path, LONG, exchangeable=True).exchangeable


def test_labels_of_a_key(tmp_path: Path) -> None:
    """ChaosNLI's counts and SNLI's annotators are exchangeable ballots, at the level asked for."""
    example = {"premise": "t", "hypothesis": "h", "source": "s", "uid": "1"}
    chaos = {"uid": "1", "label_counter": {"e": 3, "n": 1, "c": 1}, "majority_label": "e", "example": example}
    ballots = read(tmp_path, json.dumps(chaos) + "\n", "chaos.jsonl", level="ordinal")
    assert ballots.counts().tolist() == [[3, 1, 1]]
    assert ballots.exchangeable
    assert ballots.scale.level == "ordinal"
    plain = '<entailment-corpus><pair id="1" entailment="YES"><t>a</t><h>b</h></pair></entailment-corpus>'
    with pytest.raises(DataError, match="a test set without ballots"):
        read(tmp_path, plain, "key.xml")


def test_a_table(tmp_path: Path) -> None:
    """Two assessors' table, on one line or several; a triangle does not say who said what."""
    square = read(tmp_path, '{"labels": ["Y", "N"], "table": [[2, 1], [0, 1]], "assessors": ["a", "b"]}', "t.json")
    assert said(square)[4:6] == [("3", "a", "Y"), ("3", "b", "N")]
    assert not square.exchangeable
    triangle = read(tmp_path, '{\n "labels": ["Y", "N"],\n "table": [\n [2],\n [1, 1]]\n}\n', "t.json", level="ordinal")
    assert triangle.exchangeable
    assert (len(triangle), triangle.scale.level) == (8, "ordinal")
    assert len(triangle.sources[0].sha256) == 64
    assert read(tmp_path, '{"labels": ["Y", "N"], "table": [[2, 1], [0, 1]]}', "t.json", exchangeable=True).exchangeable


TABLES = {
    "ragged": '{"labels": ["Y", "N"], "table": [[2, 1], [0]]}',
    "negative": '{"labels": ["Y", "N"], "table": [[2, 1], [0, -1]]}',
    "halves": '{"labels": ["Y", "N"], "table": [[2, 1], [0, 0.5]]}',
    "no labels": '{"table": [[2, 1], [0, 1]]}',
    "a label twice": '{"labels": ["Y", "Y"], "table": [[2, 1], [0, 1]]}',
    "too large": '{"labels": ["Y", "N"], "table": [[2, 1], [0, 99999999999]]}',
    "cut off": '{"labels": ["Y", "N"], "table": [[2, 1], [0',
    "another key": '{"labels": ["Y", "N"], "table": [[2, 1], [0, 1]], "total": 4}',
}


@pytest.mark.parametrize("content", TABLES.values(), ids=TABLES)
def test_tables_that_are_none(tmp_path: Path, content: str) -> None:
    """What fits no table is told with an example of one."""
    with pytest.raises(DataError, match="or a triangle"):
        read(tmp_path, content, "t.json")


SCALES: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "numbers sort as numbers": ("10 9 2 -1", {}, ("-1", "2", "9", "10")),
    "one number in two spellings": ("1.0 2 1 2.50 2.5", {}, ("1.0", "2", "2.50")),
    "words sort as words": ("no yes maybe", {}, ("maybe", "no", "yes")),
    "YES and NO alone are words": ("YES NO", {}, ("NO", "YES")),
    "a three-way label among them": ("YES UNKNOWN", {}, ("ENTAILMENT", "UNKNOWN", "CONTRADICTION")),
    "not a number": ("nan 1", {}, ("1", "nan")),
    "said": ("0 1", {"label": {"0": "NO_ENTAILMENT", "1": "ENTAILMENT"}}, ("ENTAILMENT", "NO_ENTAILMENT")),
    "ordered": ("low high", {"order": ("low", "mid", "high"), "level": "ordinal"}, ("low", "mid", "high")),
    "ordinal numbers": ("3 1", {"level": "ordinal"}, ("1", "3")),
}


@pytest.mark.parametrize(("labels", "options", "values"), SCALES.values(), ids=SCALES)
def test_scales(tmp_path: Path, labels: str, options: dict[str, Any], values: tuple[str, ...]) -> None:
    """The values of a scale, in order."""
    rows = "".join(f"u{place},a,{label}\n" for place, label in enumerate(labels.split()))
    ballots = read(tmp_path, "unit,assessor,label\n" + rows, "b.csv", **options)
    assert ballots.scale.values == values
    assert ballots.scale.level == options.get("level", "nominal")


def test_an_order_that_is_not_said(tmp_path: Path) -> None:
    """The alphabet is no order: words need one on an ordinal scale, and are no interval scale."""
    content = "unit,assessor,label\n1,a,low\n1,b,high\n"
    with pytest.raises(UsageError, match="'low' is not a number; give the labels from low to high: order=…"):
        read(tmp_path, content, level="ordinal")
    with pytest.raises(UsageError, match="'low' is not a number; use level='ordinal'"):
        read(tmp_path, content, level="interval")


def test_a_key_gives_units_and_labels(tmp_path: Path) -> None:
    """With a key its units and its way hold: three-way ballots fold to a two-way key."""
    ballots = read(tmp_path, LONG, key=three_way())
    assert ballots.units == ("1", "2", "3")
    folded = read(tmp_path, LONG, key=two_way())
    assert folded.scale.values == ("ENTAILMENT", "NO_ENTAILMENT")
    rated = read(tmp_path, "unit,assessor,label\n1,anna,7\n2,anna,9\n", key=two_way())
    assert rated.scale.values == ("7", "9")
    assert [label for _, _, label in said(folded)] == ["ENTAILMENT", "NO_ENTAILMENT", "NO_ENTAILMENT"]


BAD: dict[str, tuple[str, dict[str, Any], list[Any]]] = {
    "twice": (LONG + "1\tanna\tUNKNOWN\n", {}, [("duplicate-id", 5, None, "error")]),
    "no such unit": (LONG + "9\tanna\tUNKNOWN\n", {"key": True}, [("unknown-id", 5, None, "error")]),
    "a label outside": (LONG, {"order": ("ENTAILMENT", "UNKNOWN")}, [("format", 4, None, "error")]),
    "no column": ("unit\tassessor\n1\tanna\n", {}, [("no-column", 1, None, "error")]),
    "no assessor": ("unit\tlabel\n1\tx\n", {}, [("no-column", 1, None, "error")]),
    "no such assessor": (
        LONG,
        {"assessor": ("carl",), "ballot_column": {"unit": "row"}},
        [("format", 1, None, "error")],
    ),
    "nothing": ("unit\tassessor\tlabel\n", {}, [("empty-file", None, None, "error")]),
    "a field too many": (LONG + "2\tben\tUNKNOWN\tsure\n", {}, [("columns", 5, 1, "error")]),
    "labels of a key, and another": (
        LONG + "2\tben\tMAYBE\n",
        {"key": True},
        [("label", 5, None, "error")],
    ),
}


@pytest.mark.parametrize(("content", "options", "places"), BAD.values(), ids=BAD)
def test_damage(tmp_path: Path, content: str, options: dict[str, Any], places: list[Any]) -> None:
    """Each rule, at its line, all at once."""
    if options.pop("key", False):
        options["key"] = three_way()
    with pytest.raises(DataError) as caught:
        read(tmp_path, content, **options)
    found = [place_of(problem) for problem in caught.value.problems]
    assert found == places


def test_a_wrong_option(tmp_path: Path) -> None:
    """Options are checked before anything is read."""
    with pytest.raises(UsageError, match="level"):
        read(tmp_path, LONG, level="cardinal")
    with pytest.raises(UsageError, match="did you mean 'level'"):
        read(tmp_path, LONG, levels="ordinal")
