"""Ballots of several files on the same units, texts that begin with a label, rows that do not belong together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from karat.data.ballots import Ballots
from karat.errors import DataError, UsageError
from karat.formats.ballot_cells import leading_label
from karat.formats.ballots import read_ballots
from tests.files import place_of
from tests.formats.test_ballots import said

PEOPLE = "id\tanswer\tanna\tben\n7\tParis\tYes\tYes\n7\tRome\tNo\tYes\n8\tBonn\tNo\t\n"
PROGRAM = (
    "id\tanswer\tauto\n7\t'paris'\tYes, it is.\n7\tOslo\tNo, it is not.\n8\tBonn\tThe candidate is partly right.\n"
)
WIDE = {"assessor": ("anna", "ben", "auto"), "leading": ("Yes", "No")}


def read(folder: Path, *contents: str, **options: Any) -> Ballots:
    """The ballots of files a.tsv, b.tsv … with these contents."""
    files = [folder / f"{letter}.tsv" for letter in "abc"[: len(contents)]]
    for file, content in zip(files, contents, strict=True):
        file.write_text(content, encoding="utf-8")
    return read_ballots(files, **options)


def test_columns_of_several_files(tmp_path: Path) -> None:
    """Each assessor is looked for in each file; rows are the units, and ids may repeat."""
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
        read(tmp_path, PROGRAM, assessor=("auto",), leading=("maybe",))


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
        r"b.tsv:1: format: columns id, dora; expected a column anna or ben; name a column that is there: --assessor",
    ),
    "in both": (
        [PEOPLE, PEOPLE],
        {"assessor": ("anna",)},
        r"b.tsv:2: duplicate-id: unit '1' judged again by 'anna' \(first in .*a.tsv line 2\)",
    ),
    "same in one file": (
        [PEOPLE, PROGRAM],
        WIDE | {"same": ("ben",)},
        "1 file with a column ben; expected two or more",
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
