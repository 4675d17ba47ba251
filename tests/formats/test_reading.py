"""Tests of reading: several files, folders of them, and every problem of all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import DataError, UsageError
from karat.formats.pairs import read_pairs
from karat.formats.runs import read_runs
from tests.files import three_way

GOOD = "1 YES\n2 UNKNOWN\n3 NO\n"


def test_files_and_folders(tmp_path: Path) -> None:
    """A folder stands for its files by name; hidden ones and folders inside are passed over."""
    (tmp_path / "inner").mkdir()
    for name in ("b.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_text(GOOD)
    responses = read_runs(tmp_path, three_way())
    assert responses.names == ("a", "b")
    assert read_runs([tmp_path / "b.txt", str(tmp_path / "a.txt")], three_way()).names == ("b", "a")


def test_a_folder_without_runs_is_told(tmp_path: Path) -> None:
    """Nothing to score is not a success."""
    with pytest.raises(DataError, match="empty-file: a folder without files; expected a folder of runs"):
        read_runs(tmp_path, three_way())


def test_all_problems_of_all_files_at_once(tmp_path: Path) -> None:
    """One error carries what is wrong with every file, and the files without fault do not hide it."""
    (tmp_path / "a.txt").write_text("1 YES\n2 PERHAPS\n3 NO\n")
    (tmp_path / "b.txt").write_text(GOOD)
    (tmp_path / "c.txt").write_text("1 YES\n1 UNKNOWN\n3 NO\n")
    (tmp_path / "d.txt").write_bytes(GOOD.encode() + b"\xe9\n")
    with pytest.raises(DataError) as caught:
        read_runs([tmp_path, tmp_path / "none.txt"], three_way())
    found = {(Path(problem.file).name, problem.code) for problem in caught.value.problems}
    assert found == {
        ("a.txt", "label-outside-task"),
        ("a.txt", "ambiguous-no"),
        ("c.txt", "duplicate-id"),
        ("c.txt", "missing-id"),
        ("d.txt", "encoding"),
        ("none.txt", "unreadable"),
    }


def test_two_runs_of_one_name(tmp_path: Path) -> None:
    """Names are how runs are told apart: two alike are an error that names both files."""
    (tmp_path / "run.txt").write_text(GOOD)
    (tmp_path / "run.tsv").write_text(GOOD)
    with pytest.raises(DataError, match=r"duplicate-run: a run 'run' again \(first .*run\.tsv\)"):
        read_runs(tmp_path, three_way())


def test_warnings_stay_with_what_was_read(tmp_path: Path) -> None:
    """A key's warnings are the key's, a run's the responses'."""
    (tmp_path / "key.csv").write_text("id,text,hypothesis,label\n1,a,b,YES\n2,a,b,UNKNOWN\n3,a,b,-")
    (tmp_path / "run.txt").write_text(GOOD.rstrip())
    key = read_pairs(tmp_path / "key.csv")
    assert {warning.code for warning in key.warnings} == {"no-final-newline", "unlabelled"}
    responses = read_runs(tmp_path / "run.txt", key)
    assert [Path(warning.file).name for warning in responses.warnings] == ["run.txt"]


def test_an_option_that_does_not_exist(tmp_path: Path) -> None:
    """A wrong keyword is a wrong call, with the nearest that exists."""
    with pytest.raises(UsageError, match="did you mean 'label'"):
        read_pairs(tmp_path, labels={})
