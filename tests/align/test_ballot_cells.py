"""Ballots of several files on the same units, texts that begin with a label, rows that do not belong together."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karat.align.ballot_cells import leading_label
from karat.data.ballots import Adjudication, Ballots
from karat.errors import DataError, UsageError
from karat.formats.ballots import read_ballots
from karat.studies.agree.study import agree
from tests.files import place_of
from tests.formats.test_ballots import said

PEOPLE = "id\tanswer\tanna\tben\n7\tParis\tYes\tYes\n7\tRome\tNo\tYes\n8\tBonn\tNo\t\n"
PROGRAM = (
    "id\tanswer\tauto\n7\t'paris'\tYes, it is.\n7\tOslo\tNo, it is not.\n8\tBonn\tThe candidate is partly right.\n"
)
WIDE = {"assessor": ("anna", "ben", "auto"), "leading": ("Yes", "No"), "ballot_column": {"unit": "row"}}


def read(folder: Path, *contents: str, **options: Any) -> Ballots:
    """The ballots of files a.tsv, b.tsv … with these contents."""
    files = [folder / f"{letter}.tsv" for letter in "abc"[: len(contents)]]
    for file, content in zip(files, contents, strict=True):
        file.write_text(content, encoding="utf-8")
    return read_ballots(files, **options)


def test_columns_of_several_files(tmp_path: Path) -> None:
    """Each assessor is looked for in each file; where rows are the units, ids may repeat."""
    ballots = read(tmp_path, PEOPLE, PROGRAM, **WIDE)
    assert ballots.assessors == ("anna", "ben", "auto")
    assert ballots.units == ("1", "2", "3")
    assert said(ballots) == [
        ("1", "anna", "Yes"),
        ("1", "ben", "Yes"),
        ("2", "anna", "No"),
        ("2", "ben", "Yes"),
        ("3", "anna", "No"),
        ("1", "auto", "Yes"),
        ("2", "auto", "No"),
    ]
    assert [Path(source.name).name for source in ballots.sources] == ["a.tsv", "b.tsv"]
    assert ballots.sources[0].sha256 != ballots.sources[1].sha256


def test_a_text_that_begins_with_no_label(tmp_path: Path) -> None:
    """It is no ballot, and told with its line."""
    ballots = read(tmp_path, PEOPLE, PROGRAM, **WIDE)
    assert [place_of(one) for one in ballots.warnings] == [("no-label", 4, None, "warning")]
    (told,) = ballots.warnings
    assert "'The candidate is partly right.' of unit '3' by 'auto'" in str(told)
    assert "expected a text that begins with Yes or No" in str(told)
    with pytest.raises(DataError, match="no ballots"):
        read(tmp_path, PROGRAM, assessor=("auto",), leading=("maybe",), ballot_column={"unit": "row"})


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yes", "Yes"),
        ("yes, the candidate is right", "Yes"),
        ("**No.** It is not", "No"),
        ('"No answer" was given', "No answer"),
        ("Not quite", ""),
        ("The answer is Yes", ""),
        ("No", "No"),
        ("-1: worse", "-1"),
        ("1 of 5", "1"),
        ("1.5", ""),
        ("10", ""),
        ("", ""),
    ],
)
def test_leading_labels(text: str, label: str) -> None:
    """A whole word at the beginning, in any case, the longest that fits; quotes and stars are passed over."""
    assert leading_label(["Yes", "No", "No answer", "1", "-1"])(text) == label


def test_rows_that_say_another_thing(tmp_path: Path) -> None:
    """A ballot on another answer than people judged is left out and told; case and quotes are no difference."""
    ballots = read(tmp_path, PEOPLE, PROGRAM, **WIDE, same=("answer",))
    assert [one for one in said(ballots) if one[1] == "auto"] == [("1", "auto", "Yes")]
    assert [(one.code, one.line) for one in ballots.warnings] == [("other-unit", 3), ("no-label", 4)]
    assert "'Oslo' as answer of unit '2'; expected 'Rome' as in " in str(ballots.warnings[0])
    assert f"{tmp_path / 'a.tsv'}:3" in str(ballots.warnings[0])


def test_rows_of_long_files(tmp_path: Path) -> None:
    """Long files join by their units, and one person may stand in both."""
    first = "unit\tassessor\tlabel\ttext\n1\tanna\tx\tone\n2\tanna\ty\ttwo\n"
    second = "unit\tassessor\tlabel\ttext\n2\tben\ty\ttwo\n3\tanna\tx\tthree\n1\tben\tx\tother\n"
    joined = read(tmp_path, first, second, same=("text",))
    assert said(joined) == [("1", "anna", "x"), ("2", "anna", "y"), ("2", "ben", "y"), ("3", "anna", "x")]


def test_units_by_name(tmp_path: Path) -> None:
    """With a column of units, files need neither the same rows nor their order."""
    first, second = "name\tanna\np\tx\nq\ty\n", "name\tben\nr\tx\nq\tx\np\ty\n"
    ballots = read(tmp_path, first, second, assessor=("anna", "ben"), ballot_column={"unit": "name"})
    assert said(ballots) == [
        ("p", "anna", "x"),
        ("q", "anna", "y"),
        ("r", "ben", "x"),
        ("q", "ben", "x"),
        ("p", "ben", "y"),
    ]


@pytest.mark.parametrize("name", ["unit", "id"])
def test_units_in_another_order(tmp_path: Path, name: str) -> None:
    """Files join by the column of units and not by row: two people who agree have a kappa of 1."""
    first = f"{name}\tanna\n1\tx\n2\ty\n3\tx\n4\ty\n"
    second = f"{name}\tben\n2\ty\n1\tx\n4\ty\n3\tx\n"
    result = agree(read(tmp_path, first, second, assessor=("anna", "ben")))
    assert result.coefficients["kappa"].value == 1


def test_a_name_that_all_files_have(tmp_path: Path) -> None:
    """Of several columns that could tell the units, one that is in every file does."""
    first, second = "unit\tid\tanna\n7\t1\tx\n8\t2\ty\n", "id\tben\n2\ty\n1\tx\n"
    joined = read(tmp_path, first, second, assessor=("anna", "ben"))
    assert sorted(said(joined)) == [("1", "anna", "x"), ("1", "ben", "x"), ("2", "anna", "y"), ("2", "ben", "y")]


UNITS = ("p", "q", "r", "s", "t", "u")
COLUMNS = st.dictionaries(st.sampled_from(UNITS), st.sampled_from(["x", "y", ""]), min_size=1)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(anna=COLUMNS, ben=COLUMNS, random=st.randoms(use_true_random=False))
def test_any_order_of_rows(tmp_path: Path, anna: dict[str, str], ben: dict[str, str], random: Random) -> None:
    """Rows of either file in any order give the same ballots; a unit that one file lacks is a missing ballot."""
    anna |= {"z": "x"}  # one ballot at least: no file is empty of them
    files = []
    for name, cast in (("anna", anna), ("ben", ben)):
        rows = [f"{unit}\t{label}\n" for unit, label in cast.items()]
        random.shuffle(rows)
        files.append("".join([f"unit\t{name}\n", *rows]))
    plain = {(unit, name, label) for name, cast in (("anna", anna), ("ben", ben)) for unit, label in cast.items()}
    ballots = read(tmp_path, *files, assessor=("anna", "ben"))
    assert sorted(said(ballots)) == sorted(cast for cast in plain if cast[2])


def test_a_unit_twice(tmp_path: Path) -> None:
    """Told with both lines, also where no assessor judged it twice; not where rows are said to be the units."""
    content = "unit\tanna\tben\n7\tx\t\n8\tx\ty\n7\t\ty\n"
    with pytest.raises(
        DataError, match=r"a.tsv:4: duplicate-unit: unit '7' again \(first on line 2\); expected one row"
    ):
        read(tmp_path, content, assessor=("anna", "ben"))
    rows = read(tmp_path, content, assessor=("anna", "ben"), ballot_column={"unit": "row"})
    assert said(rows) == [("1", "anna", "x"), ("2", "anna", "x"), ("2", "ben", "y"), ("3", "ben", "y")]
    called = read(tmp_path, "row\tanna\nq\tx\n", assessor=("anna",), ballot_column={"unit": "row"})
    assert called.units == ("q",)


WRONG: dict[str, tuple[list[str], dict[str, Any], str]] = {
    "other rows": (
        [PEOPLE, PROGRAM.rsplit("8", 1)[0]],
        WIDE,
        r"b.tsv: format: 2 rows; expected 3 as in .*a.tsv, since rows are the units; name a column",
    ),
    "nobody's column": ([PEOPLE, PROGRAM], WIDE | {"assessor": ("anna", "auto", "carl")}, "expected a column carl"),
    "a file of nobody": (
        [PEOPLE, "id\tdora\n7\tx\n7\tx\n8\tx\n"],
        {"assessor": ("anna", "ben")},
        r"b.tsv:1: format: columns id, dora; expected a column anna or ben; name a column that is there: assessor",
    ),
    "units in one file alone": (
        ["anna\nx\ny\n", "id\tben\n2\ty\n1\tx\n"],
        {"assessor": ("anna", "ben")},
        r"a.tsv:1: no-column: columns anna; expected a column unit or id or",
    ),
    "in both": (
        [PEOPLE, PEOPLE],
        {"assessor": ("anna",), "ballot_column": {"unit": "row"}},
        r"b.tsv:2: duplicate-id: unit '1' judged again by 'anna' \(first in .*a.tsv line 2\)",
    ),
    "same in one file": (
        [PEOPLE, PROGRAM],
        WIDE | {"same": ("ben",)},
        "1 file with a column ben; expected at least two",
    ),
    "a table beside": (
        [PEOPLE, '{"labels": ["Y", "N"], "table": [[2, 1], [0, 1]]}'],
        {"assessor": ("anna",)},
        "b.tsv: format: a table of two assessors; expected rows, where there are several files",
    ),
}


@pytest.mark.parametrize(("contents", "options", "told"), WRONG.values(), ids=WRONG)
def test_files_that_do_not_fit(tmp_path: Path, contents: list[str], options: dict[str, Any], told: str) -> None:
    """What does not join is told with the file."""
    with pytest.raises(DataError, match=told):
        read(tmp_path, *contents, **options)


def test_a_role_that_is_none(tmp_path: Path) -> None:
    """Columns have three roles."""
    with pytest.raises(UsageError, match="did you mean 'unit'"):
        read(tmp_path, PEOPLE, ballot_column={"units": "id"})


REASONED = "unit,assessor,label,reason,kind\n1,anna,x,,\n1,ben,y,,\n2,anna,x,,\n2,ben,x,,\n1,cleo,x,Difference,tense\n"


def test_adjudications_are_no_ballots(tmp_path: Path) -> None:
    """A row with a reason is read apart, told, and neither a ballot nor its author an assessor."""
    file = tmp_path / "a.csv"
    file.write_text(REASONED)
    ballots = read_ballots(file)
    assert ballots.assessors == ("anna", "ben")
    assert len(ballots) == 4
    assert ballots.adjudications == (Adjudication("1", "cleo", 0, "difference", "tense"),)
    assert [(one.code, one.found) for one in ballots.warnings] == [("adjudications", "1 with a reason")]
    # Without names, an adjudication takes nobody's slot.
    file.write_text("unit,label,reason\n1,x,\n1,x,error\n1,y,\n")
    slots = read_ballots(file, exchangeable=True)
    assert said(slots) == [("1", "slot 1", "x"), ("1", "slot 2", "y")]
    assert [one.reason for one in slots.adjudications] == ["error"]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("2,cleo,x,mistake,", "reason 'mistake'; expected error or difference"),
        ("2,cleo,,error,", "reason 'error' without a label; expected the label that was decided on"),
        ("2,cleo,x,,tense", "kind 'tense' without a reason"),
        ("1,dora,x,error,", "unit '1' adjudicated again by 'dora' (first in line 6)"),
    ],
)
def test_a_wrong_adjudication(tmp_path: Path, row: str, found: str) -> None:
    """One of two reasons, a label with it, a kind only beside it, a unit once."""
    file = tmp_path / "a.csv"
    file.write_text(REASONED + row + "\n")
    with pytest.raises(DataError, match=re.escape(found)):
        read_ballots(file)


def test_remarks_are_no_reasons(tmp_path: Path) -> None:
    """A column that happens to be called reason and holds neither is not read, unless it is named."""
    file = tmp_path / "a.csv"
    file.write_text("unit,assessor,label,reason,kind\n1,anna,x,the text says so,k\n1,ben,y,,\n")
    assert len(read_ballots(file)) == 2
    assert read_ballots(file).adjudications == ()
    with pytest.raises(DataError, match="reason 'the text says so'"):
        read_ballots(file, ballot_column={"reason": "reason"})
    file.write_text("unit,assessor,label\n1,anna,x\n1,ben,y\n")
    with pytest.raises(DataError, match="a column why"):
        read_ballots(file, ballot_column={"reason": "why"})


def test_adjudications_alone(tmp_path: Path) -> None:
    """Nothing to adjudicate is no file of ballots."""
    file = tmp_path / "a.csv"
    file.write_text("unit,assessor,label,reason\n1,anna,x,error\n")
    with pytest.raises(DataError, match="only adjudications; expected a ballot"):
        read_ballots(file)


@pytest.mark.parametrize("name", ["unit", "pairID", "item_id", "ID", "uid"])
def test_units_by_their_usual_names(tmp_path: Path, name: str) -> None:
    """Rows in another order are the same ballots, whatever the column of units is called."""
    ballots = read(tmp_path, f"{name}\tanna\n1\tx\n2\ty\n", f"{name}\tben\n2\ty\n1\tx\n", assessor=("anna", "ben"))
    assert sorted(said(ballots)) == [("1", "anna", "x"), ("1", "ben", "x"), ("2", "anna", "y"), ("2", "ben", "y")]


def test_files_are_not_joined_by_row_in_silence(tmp_path: Path) -> None:
    """Without a column of units, several files are refused unless rows are said to be the units."""
    files = "text\tanna\na\tx\n", "text\tben\nb\ty\n"
    with pytest.raises(DataError, match=r"several files are joined; name it: ballot_column={'unit': 'NAME'}; or use"):
        read(tmp_path, *files, assessor=("anna", "ben"))
    assert read(tmp_path, *files, assessor=("anna", "ben"), ballot_column={"unit": "row"}).units == ("1",)
