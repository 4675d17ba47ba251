"""Tests of what targets are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from karat.data.questions import Questions
from karat.errors import DataError
from karat.formats.question_table import read_questions
from tests.formats.question_samples import TREC_SERIES
from tests.question_files import SERIES, codes_and_lines


def read(folder: Path, types: str, exclude: Sequence[str] = ()) -> Questions:
    """Two series with their types."""
    (folder / "questions.xml").write_bytes(TREC_SERIES)
    (folder / "types.txt").write_text(types)
    return read_questions(folder / "questions.xml", exclude=exclude, target_types=folder / "types.txt")


@pytest.mark.parametrize(
    "types",
    ["#THING the Garonne\n#ORG Café Océan\n", "2 ORGANIZATION\n\n1 thing The  Garonne\n", "THING\nORG\n"],
)
def test_kinds_in_order_or_by_id(tmp_path: Path, types: str) -> None:
    """With or without number sign, id and name; ORG in one spelling."""
    assert [one.kind for one in read(tmp_path, types).series] == ["THING", "ORG"]


@pytest.mark.parametrize("types", ["#ORG Marks &amp; Spencer\n", "#ORG Marks & Spencer\n"])
def test_names_may_be_escaped_as_in_xml(tmp_path: Path, types: str) -> None:
    """As TREC's own file of types has them, and the questions do."""
    (tmp_path / "questions.tsv").write_text(SERIES.replace("the river\tTHING", "Marks & Spencer\t"))
    (tmp_path / "types.txt").write_text(types)
    (series,) = read_questions(tmp_path / "questions.tsv", target_types=tmp_path / "types.txt").series
    assert (series.target, series.kind) == ("Marks & Spencer", "ORG")


def test_the_order_is_that_of_the_file_whatever_is_excluded(tmp_path: Path) -> None:
    """Types are set before series are taken out."""
    (series,) = read(tmp_path, "#THING the Garonne\n#ORG Café Océan\n", exclude=["1"]).series
    assert (series.id, series.kind) == ("2", "ORG")


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("#ORG Café Océan\n#THING the Garonne\n", [("target-type", 1), ("target-type", 2)]),
        ("#THING the Garonne\n", [("target-type", None)]),
        ("#THING the Garonne\n#ORG Café Océan\n#ORG Café Océan\n", [("target-type", 3)]),
        ("#RIVER the Garonne\n#THING the Garonne\n#ORG Café Océan\n", [("target-type", 1)]),
        ("1 THING\n9 ORG\n", [("target-type", 2)]),
        ("1 THING\n1 ORG\n", [("target-type", 2)]),
    ],
)
def test_problems(tmp_path: Path, types: str, expected: list[tuple[str, int | None]]) -> None:
    """A name that is another's, a target without type, a type that is none, a series that is not there."""
    with pytest.raises(DataError) as caught:
        read(tmp_path, types)
    assert codes_and_lines(list(caught.value.problems)) == expected
