"""Tests of rating tables: what is written is read, and every problem is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.errors import DataError
from karat.formats.rating_table import read_ratings

TABLE = "run\tqid\tassessor\tcontent\torganisation\na\t1\tann\t8\t2.5\na\t2\tann\t4\t\nb\t1\tben\t0\t10\n"


def problems(folder: Path, content: str, name: str = "ratings.tsv") -> list[tuple[str, int | None]]:
    """Codes and lines of what is wrong."""
    (folder / name).write_text(content)
    with pytest.raises(DataError) as caught:
        read_ratings(folder / name)
    return [(one.code, one.line) for one in caught.value.problems]


def test_read(tmp_path: Path) -> None:
    """Names in the order they are met; an empty cell was not rated."""
    (tmp_path / "ratings.tsv").write_text(TABLE)
    made = read_ratings(tmp_path / "ratings.tsv")
    assert (made.runs, made.units, made.assessors) == (("a", "b"), ("1", "2"), ("ann", "ben"))
    assert made.criteria == ("content", "organisation")
    np.testing.assert_array_equal(made.values, [[8, 2.5], [4, np.nan], [0, 10]])
    assert made.sources[0].name.endswith("ratings.tsv")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("a\t1\tann\tgood\n", [("score", 2)]),
        ("a\t1\tann\tinf\na\t2\tann\tnan\n", [("score", 2), ("score", 3)]),
        ("a\t1\tann\t1\na\t1\tann\t2\n", [("duplicate-id", 3)]),
        ("", [("empty-file", None)]),
    ],
)
def test_bad_rows(tmp_path: Path, rows: str, expected: list[tuple[str, int | None]]) -> None:
    """Words, numbers without end, an answer rated twice, no rows at all."""
    assert problems(tmp_path, "run\tqid\tassessor\tcontent\n" + rows) == expected


def test_missing_columns(tmp_path: Path) -> None:
    """Run, unit and assessor are needed, and something that is rated."""
    assert problems(tmp_path, "run\tqid\tcontent\na\t1\t5\n") == [("columns", 1)]
    assert problems(tmp_path, "run\tqid\tassessor\na\t1\tann\n") == [("empty-file", None)]


def test_two_columns_for_one_role(tmp_path: Path) -> None:
    """Neither is taken for a criterion."""
    assert problems(tmp_path, TABLE.replace("content", "unit")) == [("columns", 1)]
