"""Tests of judged answers as rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.answers import NIL
from karat.data.verdicts import CORRECT, INCORRECT, INEXACT, SINGLE_STRING, UNSUPPORTED, Verdicts
from karat.errors import DataError
from karat.formats.registry import verdict_formats
from karat.formats.verdict_table import read_verdicts
from tests import strategies
from tests.formats.question_samples import VERDICTS
from tests.formats.samples import lines
from tests.question_files import codes_and_lines, questions_of, tabs, told, verdicts_of

write = verdict_formats["table"].facts["write"]

QUESTIONS = questions_of()


def test_letters_words_and_the_assessors_own() -> None:
    """Verdicts in any case; a row without document is the assessor's own."""
    verdicts = verdicts_of(VERDICTS, QUESTIONS)
    assert verdicts.verdict.tolist() == [
        CORRECT, INCORRECT, UNSUPPORTED, CORRECT, CORRECT, CORRECT, INEXACT, CORRECT
    ]  # fmt: skip
    assert verdicts.known() == [{f"{SINGLE_STRING}100 km"}, set(), {"upper", "lower"}, set()]
    assert verdicts.documents[5] == ""
    assert told(verdict_formats, VERDICTS, QUESTIONS) == []


@pytest.mark.parametrize(
    ("spelled", "code"),
    [
        *[("W", 0), ("u", 1), ("X", 2), ("R", 3), ("Wrong", 0), ("INCORRECT", 0), ("Unsupported", 1), ("inexact", 2)],
        *[
            ("right", 3),
            ("Correct", 3),
            ("l", 4),
            ("Locally correct", 4),
            ("1", None),
            ("yes", None),
            ("", None),
            ("RR", None),
            ("-", None),
        ],
    ],
)
def test_spellings_of_verdicts(spelled: str, code: int | None) -> None:
    """What is none of them is told; numbers are never guessed at."""
    content = tabs("qid|doc|answer|verdict|group", f"1.1|D1|x|{spelled}|")
    problems = codes_and_lines(told(verdict_formats, content, QUESTIONS))
    assert problems == ([("verdict", 2)] if code is None else [])
    if code is not None:
        assert verdicts_of(content, QUESTIONS).verdict.tolist() == [code]


def test_json_lines() -> None:
    """The same by the same names; group and document may be missing."""
    content = lines({"qid": "1.1", "answer": "100 km", "verdict": "R"})
    verdicts = verdicts_of(content, QUESTIONS, "verdicts.jsonl")
    assert (verdicts.documents, verdicts.strings, verdicts.groups) == (("",), ("100 km",), ("",))


def test_columns_that_must_be_there() -> None:
    """A verdict is needed."""
    (problem,) = told(verdict_formats, "qid\tanswer\n1.1\tx\n", QUESTIONS, reader="table")
    assert (problem.code, problem.expected) == ("columns", "a column verdict or judgment or judgement")
    assert codes_and_lines(told(verdict_formats, "qid\tanswer\tverdict\n", QUESTIONS)) == [("empty-file", None)]


ASSESSED = "qid|doc|answer|verdict|group|assessor"


def test_one_assessor_may_be_named() -> None:
    """And need not be, in every row."""
    content = tabs(ASSESSED, "1.1|D|x|R||ann", "1.1|E|x|W||ann", "1.2|D|y|R||")
    assert verdicts_of(content, QUESTIONS).verdict.tolist() == [CORRECT, INCORRECT, CORRECT]


def test_several_assessors() -> None:
    """Two people who judged the same answers are no answers judged twice; of a tie, the strictest verdict counts."""
    content = tabs(ASSESSED, "1.1|D|x|R||ann", "1.1|D|x|W||bo", "1.2|D|x|R||ann", "1.2|D|x|R||bo")
    verdicts = verdicts_of(content, QUESTIONS)
    assert verdicts.verdict.tolist() == [INCORRECT, CORRECT]
    assert [name for name, _ in verdicts.each] == ["ann", "bo"]


def test_several_files_are_one(tmp_path: Path) -> None:
    """What two files say of one answer agrees or not, and the other file is named; or it is another assessor's."""
    header, row = "qid\tdoc\tanswer\tverdict\tassessor\n", "1.1\tD\tx\t{}\t{}\n"
    for name, rows in (("a", row.format("R", "ann")), ("b", row.format("R", "ann") + "1.2\tD\ty\tW\tann\n")):
        (tmp_path / f"{name}.tsv").write_text(header + rows)
    verdicts = read_verdicts([tmp_path / "a.tsv", tmp_path / "b.tsv"], QUESTIONS)
    assert (len(verdicts), len(verdicts.sources)) == (2, 2)
    (warning,) = verdicts.warnings
    assert (warning.code, warning.line) == ("judged-twice", 2)
    assert f"correct, in line 2 of {tmp_path / 'a.tsv'} correct" in warning.found
    (tmp_path / "c.tsv").write_text(header + row.format("W", "ann"))
    (tmp_path / "d.tsv").write_text(header + row.format("R", "bo"))
    with pytest.raises(DataError) as caught:
        read_verdicts([tmp_path / "a.tsv", tmp_path / "c.tsv"], QUESTIONS)
    assert [(Path(one.file).stem, one.code) for one in caught.value.problems] == [("c", "verdicts-differ")]
    assert len(read_verdicts([tmp_path / "a.tsv", tmp_path / "d.tsv"], QUESTIONS).each) == 2


@st.composite
def verdict_sets(draw: st.DrawFn) -> Verdicts:
    """Verdicts on distinct [document, string] pairs of `QUESTIONS`."""
    texts = strategies.texts.filter(lambda text: text.upper() != NIL)
    documents = st.just("") | strategies.ids.filter(lambda name: name.upper() != NIL)
    pairs = st.tuples(st.integers(0, 3), documents, texts) | st.tuples(st.integers(0, 3), st.just(NIL), st.just(""))
    rows = draw(st.lists(pairs, min_size=1, max_size=6, unique_by=lambda row: (*row[:2], " ".join(row[2].split()))))
    size = len(rows)
    return Verdicts(
        units=tuple(QUESTIONS.index),
        question=np.array([row[0] for row in rows], dtype=np.int32),
        documents=tuple(row[1] for row in rows),
        strings=tuple(row[2] for row in rows),
        verdict=np.array(draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)), dtype=np.int8),
        groups=tuple(draw(st.lists(st.just("") | strategies.texts, min_size=size, max_size=size))),
    )


@given(verdict_sets(), st.sampled_from([".tsv", ".csv", ".jsonl"]))
@settings(max_examples=50, deadline=None)
def test_what_is_written_is_read(verdicts: Verdicts, suffix: str) -> None:
    """Questions, documents, strings, verdicts and groups come back as they were."""
    back = verdicts_of(write(verdicts, suffix), QUESTIONS, f"verdicts{suffix}")
    assert back.index == verdicts.index
    assert back.groups == verdicts.groups
    np.testing.assert_array_equal(back.verdict, verdicts.verdict)
