"""Tests of Excel workbooks as tables of any kind."""

from __future__ import annotations

import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.align import columns
from karat.formats import workbook
from tests.files import C, E, U, answers_of, codes_of, key_problems, read_key, read_run, run_problems, three_way
from tests.files import workbook as book

KEY: list[list[object]] = [["id", "text", "hypothesis", "label"], [1, "a", "b", "YES"], ["x 2", "c", "d", "UNKNOWN"]]


def test_a_workbook_is_a_table() -> None:
    """A key, with numbers as ids; empty rows and columns at the end are none."""
    key = read_key(book([*KEY, [], [None, None]]), "key.xlsx")
    assert (key.ids, key.texts, key.labels.tolist()) == (("1", "x 2"), ("a", "c"), [0, 1])


def test_runs_scores_and_ballots(tmp_path: Path) -> None:
    """Every kind of table may be a workbook."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(book([["id", "prediction"], [1, "E"], [2, "N"], [3.0, "C"]]))
    assert answers_of(karat.read_runs(path, three_way()).runs[0]) == [E, U, C]
    path.write_bytes(book([["run", "q1", "q2"], ["a", 1, 0.5], ["b", True, None]]))
    assert karat.read_scores(path).values[:, 0].tolist() == [1, 1]
    path.write_bytes(book([["unit", "assessor", "label"], [1, "ann", "good"], [1, "bo", "bad"]]))
    assert karat.read_ballots(path).assessors == ("ann", "bo")


def test_booleans_and_dates(tmp_path: Path) -> None:
    """TRUE and FALSE are labels as elsewhere; dates are texts."""
    day = datetime.datetime(2026, 1, 5)
    path = tmp_path / "key.xlsx"
    path.write_bytes(book([["id", "label", "day"], [1, True, day], [2, False, day]]))
    key = karat.read_pairs(path)
    assert (key.labels.tolist(), key.attributes["day"][0]) == ([0, 1], "2026-01-05 00:00:00")


def test_several_sheets() -> None:
    """The first that has data is read, and the others are named."""
    (problem,) = key_problems(book([], KEY, [["note"], ["x"]]), "key.xlsx")
    assert problem.code == "several-sheets"
    assert problem.found == "the sheets 'Sheet1', 'Sheet2'; 'Sheet1' was read"
    assert read_key(book([], KEY, [["note"]]), "key.xlsx").ids == ("1", "x 2")


def test_rows_that_are_too_long_have_a_line() -> None:
    """The number of the row in the sheet, counting empty ones."""
    problems = key_problems(book([*KEY, [], [3, "e", "f", "NO", "more"]]), "key.xlsx")
    assert [(one.code, one.line, one.found) for one in problems if one.severity == "error"] == [
        ("columns", 5, "5 fields")
    ]


def test_nothing_in_it() -> None:
    """A workbook without data, and a header alone."""
    assert codes_of(key_problems(book([]), "key.xlsx")) == ["empty-file"]
    assert "empty-file" in codes_of(key_problems(book([KEY[0]]), "key.xlsx"))


def test_damaged_workbooks() -> None:
    """Cut off, without its parts, with a part that is not XML, or another zip file: a sentence each."""
    whole = book(KEY)
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("readme.txt", "hello")
    broken = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(broken, "w") as archive:
        for name in source.namelist():
            archive.writestr(name, "<no" if name.endswith("sheet1.xml") else source.read(name))
    for data in (whole[:300], whole[:-40], other.getvalue(), broken.getvalue()):
        (problem,) = key_problems(data, "key.xlsx")
        assert problem.code == "workbook"
        assert "CSV" in problem.fix
        assert codes_of(run_problems(data, three_way(), "run.xlsx")) == ["workbook"]


def test_a_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data that would unpack to much more than the file, and more cells than a table may have, are refused."""
    bomb = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book(KEY))) as source, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            archive.writestr(name, source.read(name))
        archive.writestr("xl/media/zeros", bytes(20 << 20))
    assert codes_of(key_problems(bomb.getvalue(), "key.xlsx")) == ["too-large"]
    assert columns.MAX_TABLE_CELLS > 1000
    monkeypatch.setattr(workbook, "MAX_TABLE_CELLS", 7)
    assert codes_of(key_problems(book(KEY), "key.xlsx")) == ["too-large"]


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the extra."""
    monkeypatch.setattr(workbook, "find_spec", lambda _: None)
    with pytest.raises(karat.UsageError, match=r"karat\[excel\]"):
        read_key(book(KEY), "key.xlsx")


def test_a_file_written_by_pandas(tmp_path: Path) -> None:
    """With its index, which is a column of ids without a name."""
    import pandas

    path = tmp_path / "key.xlsx"
    pandas.DataFrame({"text": ["a"], "hypothesis": ["b"], "label": ["YES"]}).to_excel(path)
    key = karat.read_pairs(path)
    assert (key.ids, key.labels.tolist()) == (("0",), [0])


def test_a_title_and_a_sheet_of_remarks() -> None:
    """Rows of one cell above the header are a title, and a sheet of such rows is none of data."""
    table: list[list[Any]] = [["id", "label"], [1, "E"], [2, "N"], [3, "C"]]
    run, problems = read_run(book([["My predictions"], ["as of today"], *table]), three_way(), "run.xlsx")
    assert answers_of(run) == [E, U, C]
    assert problems == []
    run, problems = read_run(book([["read me"], ["it is all there"]], table), three_way(), "run.xlsx")
    assert answers_of(run) == [E, U, C]
    assert codes_of(problems) == ["several-sheets"]


def test_a_sheet_is_named_after_the_file(tmp_path: Path) -> None:
    """A key and two runs in one workbook: the sheets name the runs, and one that is not there is refused."""
    path = tmp_path / "all.xlsx"
    runs: list[list[list[object]]] = [[["id", "prediction"], [1, "E"], ["x 2", said]] for said in ("N", "C")]
    path.write_bytes(book(KEY, *runs))
    read = karat.read_runs([f"{path}#Sheet1", f"{path}#Sheet2"], karat.read_pairs(f"{path}#Sheet"))
    assert [(run.info.name, answers_of(run)) for run in read.runs] == [("Sheet1", [E, U]), ("Sheet2", [E, C])]
    assert not any(one.code == "several-sheets" for one in read.warnings)
    with pytest.raises(karat.DataError, match="the sheets 'Sheet', 'Sheet1', 'Sheet2'; expected a sheet 'x' with data"):
        karat.read_pairs(f"{path}#x")
