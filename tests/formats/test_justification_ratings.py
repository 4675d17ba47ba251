"""Ratings on declared criteria: what is read, and every problem with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from karat.errors import DataError, UsageError
from karat.formats.justification_ratings import read_justifications

HEADER = "run\tunit\tjudge\tunderstandable\tcompelling\n"
NAN = float("nan")


def problems(folder: Path, rows: str, header: str = HEADER, **options: Any) -> list[tuple[str, int | None]]:
    """Codes and lines of what is wrong, or only told."""
    (folder / "r.tsv").write_text(header + rows)
    try:
        found = read_justifications(folder / "r.tsv", **options).warnings
    except DataError as error:
        found = error.problems
    return [(one.code, one.line) for one in found]


def test_read(tmp_path: Path) -> None:
    """Not asked is empty, skipped is `skip`; further columns are not read."""
    header = HEADER.replace("run", "comment\trun")
    rows = "x\ta\t1\tann\t4\t5\n\ta\t1\tben\t2\t\ny\ta\t2\tann\tSkip\t\n\tb\t1\tann\t3\t1\n"
    (tmp_path / "r.tsv").write_text(header + rows)
    made = read_justifications(tmp_path / "r.tsv")
    assert (made.runs, made.units, made.assessors) == (("a", "b"), ("1", "2"), ("ann", "ben"))
    np.testing.assert_array_equal(made.values, [[4, 5], [2, NAN], [NAN, NAN], [3, 1]])
    assert made.skipped.tolist() == [False, False, True, False]
    assert not made.exchangeable
    assert made.places[3] == (str(tmp_path / "r.tsv"), 5)
    assert made.not_asked(made.scales[1]).tolist() == [False, True, False, False]
    cube = made.cube(made.criterion("compelling"))
    assert cube.shape == (2, 2, 2)
    assert cube[0, 0].tolist() == [5, 1]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("a\t1\tann\t2\t1\n", [("unasked", 2)]),
        ("a\t1\tann\t4\t\n", [("not-rated", 2)]),
        ("a\t1\tann\t\t4\n", [("not-rated", 2), ("unasked", 2)]),
        ("a\t1\tann\t6\t4\n", [("rating", 2)]),
        ("a\t1\tann\tgood\t4\n", [("rating", 2)]),
        ("a\t1\tann\t3.5\t4\n", [("rating", 2)]),
        ("a\t1\tann\tskip\t4\n", [("rating", 2)]),
        ("a\t1\tann\t3\t4\na\t1\tann\t3\t4\n", [("duplicate-id", 3)]),
        ("\t1\tann\t3\t4\n", [("no-id", 2)]),
        ("a\t1\tann\t3\t4\na\t2\tann\t\t\n", [("unrated", None)]),
        ("a\t1\tann\t3\t4\nb\t1\tann\tskip\t\n", [("skipped-partly", 3)]),
        ("a\t1\tann\tskip\t\nb\t1\tann\tskip\t\nb\t1\tben\t1\t\n", []),
        ("", [("empty-file", None)]),
        ("a\t1\tann\t\t\n", [("empty-file", None), ("unrated", None)]),
    ],
)
def test_problems(tmp_path: Path, rows: str, expected: list[tuple[str, int | None]]) -> None:
    """Scales, conditions, skips, rows that are twice there or empty."""
    assert sorted(problems(tmp_path, rows), key=str) == sorted(expected, key=str)


def test_all_problems_at_once(tmp_path: Path) -> None:
    """Those of all files."""
    for name, cell in (("one", "9"), ("two", "0")):
        (tmp_path / f"{name}.tsv").write_text(f"{HEADER}a\t{name}\tann\t{cell}\t\n")
    with pytest.raises(DataError) as caught:
        read_justifications([tmp_path / "one.tsv", tmp_path / "two.tsv", tmp_path / "none.tsv"])
    assert {Path(one.file).stem for one in caught.value.problems} == {"one", "two", "none"}


def test_dropped(tmp_path: Path) -> None:
    """A rating that should not have been asked for is left out with a warning, where that is said."""
    assert problems(tmp_path, "a\t1\tann\t2\t1\n", unasked="drop") == [("unasked-dropped", 2)]
    assert np.isnan(read_justifications(tmp_path / "r.tsv", unasked="drop").values[0, 1])


def test_exchangeable(tmp_path: Path) -> None:
    """Without a column of judges they are slots; without one of runs the file is one; −9 is not applicable."""
    (tmp_path / "gpt.csv").write_text("item,fact,amount\n1,-9,\n1,1,0\n2,0,\n")
    criteria = ["fact:-1..1", "amount:-1..1?fact>=1"]
    made = read_justifications(
        tmp_path / "gpt.csv", criterion=criteria, not_applicable=["-9"], rating_column={"unit": "item"}
    )
    assert (made.runs, set(made.assessors), made.exchangeable) == (("gpt",), {"slot 1", "slot 2"}, True)
    np.testing.assert_array_equal(made.values, [[1, 0], [0, NAN]])  # a row with nothing in it is no rating


def test_with_and_without_judges(tmp_path: Path) -> None:
    """Files must agree on whether there are judges."""
    (tmp_path / "a.tsv").write_text(HEADER + "a\t1\tann\t2\t\n")
    (tmp_path / "b.tsv").write_text(HEADER.replace("judge\t", "") + "b\t1\t2\t\n")
    with pytest.raises(DataError, match="with and without judges"):
        read_justifications([tmp_path / "a.tsv", tmp_path / "b.tsv"])


def test_columns(tmp_path: Path) -> None:
    """A criterion without a column, and one that goes by another name."""
    assert problems(tmp_path, "a\t1\tann\t2\n", HEADER.replace("\tcompelling", "")) == [("no-column", 1)]
    assert problems(tmp_path, "a\t1\tann\t2\t\n", HEADER.replace("compelling", "why")) == [("no-column", 1)]
    assert (
        problems(tmp_path, "a\t1\tann\t2\t\n", HEADER.replace("compelling", "why"), rating_column={"compelling": "why"})
        == []
    )
    with pytest.raises(UsageError, match="role for --rating-column"):
        problems(tmp_path, "", rating_column={"why": "x"})
    with pytest.raises(UsageError, match="write a number"):
        problems(tmp_path, "", not_applicable=["x"])
