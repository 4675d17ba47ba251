"""Tests of columns: what every reader returns, and the checks that all kinds of files share."""

from __future__ import annotations

from karat.align.columns import Columns, report_same_runs, seen_before
from karat.data.provenance import Source
from karat.errors import Problems

COLUMNS = Columns(Source("a/run.txt.gz", ""), {"id": ["1", "2"]}, [4, None])


def test_a_column_that_is_missing_is_empty() -> None:
    """It can be asked for, and be known to be missing."""
    assert (COLUMNS["id"], COLUMNS["label"]) == (["1", "2"], ["", ""])
    assert (COLUMNS.get("label"), len(COLUMNS), COLUMNS.file, COLUMNS.source.stem) == (None, 2, "a/run.txt.gz", "run")


def test_places() -> None:
    """A row has a line, where the file has lines; a cell has a column where the reader knows it."""
    assert [COLUMNS.place(row) for row in (0, 1)] == [(4, None), (None, None)]
    problems = Problems()
    at = Columns(COLUMNS.source, COLUMNS.values, COLUMNS.lines, at=lambda row, name: (row + 1, len(name)))
    at.report(problems, "no-id", "a pair without id", 1, "label")
    (problem,) = problems
    assert (problem.file, problem.line, problem.column) == ("a/run.txt.gz", 2, 5)


def test_again() -> None:
    """What stands in a file twice is said with the line of the first, where it has one."""
    met: dict[str, int | None] = {}
    assert [seen_before(met, "x", line) for line in (3, 5, 7)] == [None, " (first in line 3)", " (first in line 3)"]
    assert [seen_before(met, "y", None) for _ in range(2)] == [None, ""]


def test_an_empty_file_is_told_once() -> None:
    """Where a file has errors they are the reason that it has no rows."""
    problems, empty = Problems(), Columns(Source("f", ""), {}, [])
    for _ in range(2):
        empty.need_rows(problems, "no pairs", "at least one pair")
    COLUMNS.need_rows(problems, "no pairs", "at least one pair")
    assert [problem.code for problem in problems] == ["empty-file"]


def test_a_run_in_two_files() -> None:
    """The second file is told where the first is."""
    problems = Problems()
    report_same_runs([(["one", "two"], "a"), (["two"], "b")], problems)
    (problem,) = problems
    assert (problem.code, problem.file, problem.found) == ("duplicate-run", "b", "a run 'two' again (first a)")
