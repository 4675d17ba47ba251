"""Ratings on declared criteria: what is read, and every problem with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from karat.arrays import NAN
from karat.errors import DataError, UsageError
from karat.formats.justification_ratings import read_justifications

HEADER = "run\tunit\tjudge\tunderstandable\tcompelling\n"


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
    np.testing.assert_array_equal(made.values, [[NAN, NAN], [1, 0], [0, NAN]])
    assert [one.code for one in made.warnings] == ["no-judges"]


def test_exchangeable_by_wish(tmp_path: Path) -> None:
    """A column of judges is not read then, and nothing is told."""
    (tmp_path / "r.tsv").write_text(HEADER + "a\t1\tann\t2\t\na\t1\tben\t1\t\n")
    made = read_justifications(tmp_path / "r.tsv", exchangeable=True)
    assert (made.assessors, made.exchangeable, made.warnings) == (("slot 1", "slot 2"), True, ())


@pytest.mark.parametrize("name", ["jduge", "Judge", "anotator", "judges"])
def test_a_slip_in_the_header(tmp_path: Path, name: str) -> None:
    """Is no file without judges; nor is one under `run` a file without runs."""
    header = HEADER.replace("judge", name)
    assert problems(tmp_path, "a\t1\tann\t2\t\n", header) == [("no-column", 1)]
    assert problems(tmp_path, "a\t1\tann\t2\t\n", header, rating_column={"assessor": name}) == []
    assert problems(tmp_path, "a\t1\tann\t2\t\n", header, exchangeable=True) == []
    assert problems(tmp_path, "a\t1\tann\t2\t\n", HEADER.replace("run", "runs")) == [("no-column", 1)]
    assert problems(tmp_path, "a\t1\tann\t2\t\n", HEADER.replace("judge", "comment")) == [("no-judges", 1)]


def test_rare_names(tmp_path: Path) -> None:
    """A run, judge or pair of a single row is told with its line and the nearest name; small tables have none."""
    rows = [(run, f"pair {n}", judge) for run in ("chatty", "terse") for n in range(4) for judge in ("ann", "ben")]
    whole = [f"{run}\t{pair}\t{judge}\t2\t\n" for run, pair, judge in rows]
    assert problems(tmp_path, "".join(whole)) == []
    for slip, meant in (("chattty", "chatty"), ("bne", "ben"), ("pairr 3", "pair 3")):
        changed = [*whole[:7], whole[7].replace(meant, slip), *whole[8:]]
        (tmp_path / "r.tsv").write_text(HEADER + "".join(changed))
        (warning,) = read_justifications(tmp_path / "r.tsv").warnings
        assert (warning.code, warning.line) == ("rare-name", 9)
        assert f"{slip!r} in 1 of 16 rows" in warning.found
        assert warning.fix == f"correct it if {meant!r} was meant; otherwise nothing to do"


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
    with pytest.raises(UsageError, match="role for rating_column"):
        problems(tmp_path, "", rating_column={"why": "x"})
    with pytest.raises(UsageError, match="write a number"):
        problems(tmp_path, "", not_applicable=["x"])
