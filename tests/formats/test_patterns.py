"""Tests of answer patterns as files hold them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import UsageError
from karat.formats.patterns import read_patterns, split_line, write
from karat.formats.registry import pattern_formats
from tests.formats.question_samples import PATTERNS
from tests.question_files import codes_and_lines, patterns_of, questions_of, told

QUESTIONS = questions_of()


def test_patterns_and_documents() -> None:
    """Several lines a question; documents are the last words that are spelled as such."""
    patterns = patterns_of(PATTERNS, QUESTIONS)
    assert [(one.question, one.regex.pattern, sorted(one.documents)) for one in patterns.patterns] == [
        (0, r"100\s?(km|kilometers)", []),
        (0, "62 miles", []),
        (2, "[Uu]pper Town", ["APW19980601.0001", "NYT19990101.0123"]),
    ]
    assert told(pattern_formats, PATTERNS, QUESTIONS) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1.1 French", ("1.1", "French", [])),
        ("  1.1   two  words  ", ("1.1", "two  words", [])),
        ("1.1\tFrench", ("1.1", "French", [])),
        ("1.1 SO2", ("1.1", "SO2", [])),
        ("1.1 FT923-5797", ("1.1", "", ["FT923-5797"])),
        ("1.1 Ann FT923-5797", ("1.1", "Ann", ["FT923-5797"])),
        ("1.1 Ann LA010190-0001 AP880212-0001", ("1.1", "Ann", ["AP880212-0001", "LA010190-0001"])),
        ("1.1 Ann XIE19960101.0005", ("1.1", "Ann", ["XIE19960101.0005"])),
        ("1.1 Ann NYT_ENG_20050101.0012", ("1.1", "Ann", ["NYT_ENG_20050101.0012"])),
        ("1.1 AP880212-0001 Ann", ("1.1", "AP880212-0001 Ann", [])),
        ("1.1 Apollo AP-11", ("1.1", "Apollo AP-11", [])),
        ("1.1 Boeing B747-400", ("1.1", "Boeing B747-400", [])),
        ("1.1 ann apw19980601.0001", ("1.1", "ann apw19980601.0001", [])),
        ("1.1\tAnn or Bo\tdoc-1 doc-2", ("1.1", "Ann or Bo", ["doc-1", "doc-2"])),
        ("1.1\tAnn\tdoc-1\tdoc-2", ("1.1", "Ann", ["doc-1", "doc-2"])),
        ("1.1\tAnn\t\t", ("1.1", "Ann", [])),
        ("1.1", ("1.1", "", [])),
        ("", ("", "", [])),
    ],
)
def test_what_is_a_document(line: str, expected: tuple[str, str, list[str]]) -> None:
    """With tabs, all after the second; without, the last words that a TREC collection could have as ids."""
    name, regex, documents = split_line(line)
    assert (name, regex, sorted(documents)) == expected


def test_the_same_pattern_in_several_lines() -> None:
    """It is one answer with all the documents; where a line names none, every document supports it."""
    first = "1.1 Ann FT923-5797\n1.1 Ann FT923-5798\n"
    (pattern,) = patterns_of(first, QUESTIONS).patterns
    assert sorted(pattern.documents) == ["FT923-5797", "FT923-5798"]
    (pattern,) = patterns_of(first + "1.1 Ann\n", QUESTIONS).patterns
    assert pattern.documents == frozenset()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("1.1 Ann\n1.1\n", [("pattern", 2)]),
        ("1.1 Ann\n1.1 FT923-5797\n", [("pattern", 2)]),
        ("1.1 (Ann\n1.2 *\n", [("pattern", 1), ("pattern", 2)]),
        ("1.1 (?=a)b\n", [("pattern", 1)]),
        ("1.1 x*\n", [("wide-pattern", 1)]),
        ("1.1 Ann\n1.1 .\n", [("wide-pattern", 2)]),
        (f"1.1 {'x' * 5000}\n", [("pattern", 1)]),
        ("1.1 Ann\n9.9 Bo\n", [("unknown-id", 2)]),
        ("1.1 Ann\n\n\n1.2 Bo\n\n", []),
        ("qid\tregex\n1.1\tAnn\n", []),
        ("1.1 NIL\n1.2 Bo\n", []),
        ("1.1 NIL\n1.1 Bo\n", [("nil-key", 1)]),
        ("", [("empty-file", None)]),
        ("9.8 Bo\n9.9 Bo\n", [("unknown-id", 1)]),
        ("<a>\n", [("format", None)]),
    ],
)
def test_problems_are_told_where_they_are(content: str, expected: list[tuple[str, int | None]]) -> None:
    """Code and line of each; empty lines and a header mean nothing."""
    assert codes_and_lines(told(pattern_formats, content, QUESTIONS)) == expected


def test_the_reason_is_given() -> None:
    """What the compiler says of it."""
    (problem,) = told(pattern_formats, "1.1 (Ann\n", QUESTIONS)
    assert "'(Ann' of question '1.1': missing )" in problem.found


def test_a_question_without_known_answer() -> None:
    """NIL is no pattern."""
    patterns = patterns_of("1.1 NIL\n1.2 Bo\n", QUESTIONS)
    assert [len(one) for one in patterns.of_question] == [0, 1, 0, 0]
    assert patterns.covered.tolist() == [True, True, False, False]
    assert patterns_of(write(patterns), QUESTIONS).nil == patterns.nil == {0}


def test_a_pattern_that_accepts_everything_is_left_out() -> None:
    """And counted; the file is read all the same."""
    patterns = patterns_of("1.1 Ann\n1.1 .*\n1.2 x?\n", QUESTIONS)
    assert [one.spelled for one in patterns.patterns] == ["Ann"]
    assert patterns.left_out == 2
    assert patterns.covered.tolist() == [True, False, False, False]


def test_several_files_are_one(tmp_path: Path) -> None:
    """The same expression in two files is one answer with the documents of both; NIL in one contradicts the other."""
    (tmp_path / "a.txt").write_text("1.1 Ann FT923-5797\n1.2 NIL\n1.3 NIL\n")
    (tmp_path / "b.txt").write_text("1.1 Ann FT923-5798\n1.2 Bo\n")
    patterns = read_patterns([tmp_path / "a.txt", tmp_path / "b.txt"], QUESTIONS)
    assert [(one.spelled, sorted(one.documents)) for one in patterns.patterns] == [
        ("Ann", ["FT923-5797", "FT923-5798"]),
        ("Bo", []),
    ]
    assert patterns.nil == {2}
    assert [(one.code, one.line, Path(one.file).name) for one in patterns.warnings] == [("nil-key", 2, "a.txt")]
    assert [Path(source.name).name for source in patterns.sources] == ["a.txt", "b.txt"]
    assert len(read_patterns(tmp_path, QUESTIONS).patterns) == 2
    with pytest.raises(UsageError, match="an empty list"):
        read_patterns([], QUESTIONS)


def test_excluded_questions_are_passed_over() -> None:
    """Their patterns are not unknown."""
    assert told(pattern_formats, PATTERNS, QUESTIONS.without(["1.1"])) == []


words = st.text("abcXYZ019.?()|[]-\\ds,'\u00e9 ", min_size=1, max_size=12).map(lambda text: " ".join(text.split()))


@given(st.lists(st.tuples(st.sampled_from(["1.1", "1.2"]), words, st.sets(st.sampled_from(["D1", "e-2"]))), min_size=1))
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read(rows: list[tuple[str, str, set[str]]]) -> None:
    """Whatever was read once comes back, documents of any spelling too; what was refused is refused."""
    content = "".join(f"{name}\t{regex}\t{' '.join(sorted(documents))}\n" for name, regex, documents in rows)
    if any(problem.severity == "error" for problem in told(pattern_formats, content, QUESTIONS)):
        return
    once = patterns_of(content, QUESTIONS)
    assert not once.patterns or patterns_of(write(once), QUESTIONS).patterns == once.patterns
