"""Tests of reading questions, answers, verdicts and patterns from paths: everything wrong, of all files, at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.errors import DataError, UsageError
from karat.formats.answer_table import read_answers
from karat.formats.patterns import read_patterns
from karat.formats.question_table import read_questions
from karat.formats.verdict_table import read_verdicts
from tests.formats.question_samples import ANSWERS, PATTERNS, TREC_SERIES, VERDICTS
from tests.question_files import SERIES, tabs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Questions, answers in two files, verdicts and patterns."""
    (tmp_path / "questions.tsv").write_text(SERIES)
    (tmp_path / "verdicts.tsv").write_text(VERDICTS)
    (tmp_path / "patterns.txt").write_text(PATTERNS)
    (tmp_path / "runs").mkdir()
    rows = ANSWERS.splitlines(keepends=True)
    for run in ("one", "two"):
        content = rows[0] + "".join(row for row in rows if row.startswith(run))
        (tmp_path / "runs" / f"{run}.tsv").write_text(content)
    return tmp_path


def test_everything_is_read(folder: Path) -> None:
    """A folder of runs is read as its files are."""
    questions = read_questions(folder / "questions.tsv", exclude=["1.4"])
    assert (len(questions), questions.source.name) == (3, str(folder / "questions.tsv"))
    answers = read_answers(folder / "runs", questions)
    assert answers.runs == ("one", "two")
    assert [Path(source.name).name for source in answers.sources] == ["one.tsv", "two.tsv"]
    np.testing.assert_array_equal(answers.counts, [[1, 1, 2], [1, 1, 1]])
    assert len(read_verdicts(folder / "verdicts.tsv", questions)) == 8
    assert len(read_patterns(folder / "patterns.txt", questions).patterns) == 3


def test_patterns_may_ignore_case(folder: Path) -> None:
    """Where the caller says so."""
    questions = read_questions(folder / "questions.tsv")
    for ignore_case in (False, True):
        pattern = read_patterns(folder / "patterns.txt", questions, ignore_case=ignore_case).patterns[1]
        assert bool(pattern.regex.search("62 MILES")) == ignore_case


def test_problems_of_all_files_at_once(folder: Path) -> None:
    """File by file, line by line."""
    (folder / "runs" / "one.tsv").write_text(tabs("run|qid|doc|answer", "one|1.1|D|", "one|1.2|D|x", "one|8|D|x"))
    (folder / "runs" / "two.tsv").write_text("nonsense\n")
    with pytest.raises(DataError) as caught:
        read_answers([folder / "runs", folder / "none.tsv"], read_questions(folder / "questions.tsv"))
    told = [(Path(one.file).name, one.code, one.line) for one in caught.value.problems if one.severity == "error"]
    assert told == [
        ("one.tsv", "empty-answer", 2),
        ("one.tsv", "unknown-id", 4),
        ("two.tsv", "format", None),
        ("none.tsv", "unreadable", None),
    ]


def test_a_run_in_two_files(folder: Path) -> None:
    """It is told where it comes again."""
    (folder / "runs" / "two.tsv").write_text((folder / "runs" / "one.tsv").read_text())
    with pytest.raises(DataError) as caught:
        read_answers(folder / "runs", read_questions(folder / "questions.tsv"))
    assert [one.code for one in caught.value.problems] == ["duplicate-run"]


def test_no_files(folder: Path) -> None:
    """Nothing given is a wrong call."""
    with pytest.raises(UsageError, match="at least 1 of them"):
        read_answers([], read_questions(folder / "questions.tsv"))


def test_problems_of_questions_and_types_at_once(tmp_path: Path) -> None:
    """A file of types that is not there does not hide what is wrong with the questions."""
    (tmp_path / "questions.xml").write_bytes(TREC_SERIES.replace(b"FACTOID", b"ESSAY"))
    with pytest.raises(DataError) as caught:
        read_questions(tmp_path / "questions.xml", target_types=tmp_path / "none.txt")
    assert sorted({one.code for one in caught.value.problems}) == ["question-type", "unreadable"]


def test_a_format_may_be_named(folder: Path) -> None:
    """An unknown one is a wrong call."""
    assert len(read_questions(folder / "questions.tsv", reader="table")) == 4
    with pytest.raises(UsageError, match="did you mean 'trec-series'"):
        read_questions(folder / "questions.tsv", reader="trec-serie")
