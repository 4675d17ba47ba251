"""Tests of answers as rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.answers import NIL, Answers
from karat.data.questions import Questions
from karat.formats.registry import answer_formats
from tests import strategies
from tests.formats.question_samples import ANSWERS
from tests.formats.samples import lines, parquet
from tests.question_files import answers_of, codes_and_lines, questions_of, tabs, told

write = answer_formats["table"].facts["write"]

FACTOIDS = questions_of("id\tquestion\n1\tWho?\n2\tWhy?\n")
CARRIERS: dict[str, str | bytes] = {
    "tsv": "run\tqid\trank\tdoc\tanswer\tconfidence\na\t2\t1\tNIL\t\t0.5\na\t1\t1\tD1\tAnn, or Bo\t1\n",
    "csv": 'run_id,question_id,rank,docid,answer,score\na,2,1,nil,,0.5\na,1,1,D1,"Ann, or Bo",1\n',
    "jsonl": lines(
        {"run": "a", "qid": 2, "doc": None, "answer": "NIL", "confidence": 0.5},
        {"run": "a", "qid": "1", "rank": 1, "doc": "D1", "answer": "Ann, or Bo", "confidence": "1"},
    ),
    "parquet": parquet(
        run=["a", "a"], qid=[2, 1], doc=["NIL", "D1"], answer=[None, "Ann, or Bo"], confidence=[0.5, 1.0]
    ),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_carrier(carrier: str) -> None:
    """The same answers come out of all; NIL in any case, or as the answer without document."""
    answers = answers_of(CARRIERS[carrier], FACTOIDS, f"answers.{carrier}")
    assert answers.runs == ("a",)
    assert answers.question.tolist() == [1, 0]
    assert answers.documents == (NIL, "D1")
    assert answers.strings[1] == "Ann, or Bo"
    np.testing.assert_array_equal(answers.confidence, [0.5, 1])


def test_ranks_order_the_answers_to_a_question() -> None:
    """Wherever the lines stand; what has no rank comes last, in file order."""
    rows = ["a|1|3|D|third", "b|1||D|only", "a|1|1|D|first", "a|1||D|last", "a|1|2|D|second", "a|2|1|D|x", "b|2|1|D|x"]
    answers = answers_of(tabs("run|qid|rank|doc|answer", *rows), FACTOIDS, answers=5)
    mine = [string for run, question, _, string in answers.rows() if (run, question) == (0, 0)]
    assert mine == ["first", "second", "third", "last"]
    assert [int(rank) for rank, run in zip(answers.rank, answers.run, strict=True) if run == 0] == [1, 2, 3, 4, 1]


def test_columns_that_may_be_missing() -> None:
    """Without `run` the file's name is the run's; without `doc` nothing is said of documents."""
    answers = answers_of("qid,answer\n1,Ann\n2,Bo\n", FACTOIDS, "folder/mine.csv")
    assert (answers.runs, answers.documents, answers.confidence) == (("mine",), ("", ""), None)
    assert told(answer_formats, "qid,answer\n1,Ann\n2,Bo\n", FACTOIDS, "mine.csv") == []


@pytest.mark.parametrize("rank", ["0", "-1", "1.5", "first", "nan", "1e3", "²", "9" * 5000])
def test_a_bad_rank(rank: str) -> None:
    """A whole number from 1, or nothing."""
    content = tabs("run|qid|rank|doc|answer", f"a|1|{rank}|D|x", "a|2|1|D|x")
    assert codes_and_lines(told(answer_formats, content, FACTOIDS)) == [("run-line", 2)]


@pytest.mark.parametrize("confidence", ["nan", "inf", "sure", "1e999", "1,5"])
def test_a_bad_confidence(confidence: str) -> None:
    """A finite number."""
    content = tabs("run|qid|doc|answer|confidence", f"a|1|D|x|{confidence}", "a|2|D|x|1")
    assert codes_and_lines(told(answer_formats, content, FACTOIDS)) == [("confidence", 2)]


def test_a_run_without_name() -> None:
    """Where there is a column of runs every row has one."""
    content = tabs("run|qid|doc|answer", "|1|D|x", "|2|D|x")
    assert codes_and_lines(told(answer_formats, content, FACTOIDS)) == [("run-line", 2), ("run-line", 3)]


def test_columns_that_must_be_there() -> None:
    """Told with those there are, where the format was named; else no format knows the file."""
    (problem,) = told(answer_formats, "run\tqid\nx\t1\n", FACTOIDS, reader="table")
    assert (problem.code, problem.found) == ("columns", "columns run, qid")
    assert codes_and_lines(told(answer_formats, "run\tqid\nx\t1\n", FACTOIDS)) == [("format", None)]


def test_a_header_alone() -> None:
    """It is told, not taken for no runs."""
    assert codes_and_lines(told(answer_formats, "run\tqid\tdoc\tanswer\n", FACTOIDS)) == [("empty-file", None)]


def test_the_sample() -> None:
    """Two runs that answer everything: nothing to tell."""
    assert told(answer_formats, ANSWERS, questions_of()) == []


@st.composite
def answer_sets(draw: st.DrawFn) -> Answers:
    """Answers of some runs to `FACTOIDS`, each to each, ranked."""
    runs = draw(st.lists(strategies.texts, min_size=1, max_size=3, unique=True))
    rows = []
    for run in range(len(runs)):
        for question in range(len(FACTOIDS)):
            for _ in range(draw(st.integers(1, 3))):
                document = draw(st.just(NIL) | strategies.ids.filter(lambda name: name.upper() != NIL))
                rows.append((run, question, document, "" if document == NIL else draw(strategies.texts)))
    sure = st.lists(st.floats(-1e9, 1e9), min_size=len(rows), max_size=len(rows))
    confidence = draw(st.none() | sure)
    return Answers(
        runs=tuple(runs),
        units=tuple(FACTOIDS.index),
        run=np.array([row[0] for row in rows], dtype=np.int32),
        question=np.array([row[1] for row in rows], dtype=np.int32),
        documents=tuple(row[2] for row in rows),
        strings=tuple(row[3] for row in rows),
        confidence=None if confidence is None else np.array(confidence),
    )


@given(answer_sets(), st.sampled_from([".tsv", ".csv", ".jsonl"]))
@settings(max_examples=50, deadline=None)
def test_what_is_written_is_read(answers: Answers, suffix: str) -> None:
    """Runs, ranks, documents, strings and confidence come back as they were."""
    back = answers_of(write(answers, suffix), FACTOIDS, f"answers{suffix}", answers=3)
    assert (back.runs, list(back.rows())) == (answers.runs, list(answers.rows()))
    np.testing.assert_array_equal(back.rank, answers.rank)
    if answers.confidence is None:
        assert back.confidence is None
    else:
        np.testing.assert_array_equal(back.confidence, answers.confidence)


def test_confidence_in_some_rows_comes_back() -> None:
    """Where a list answer has none, nothing is written."""
    questions: Questions = questions_of("id\ttype\tquestion\n1\tFACTOID\tWho?\n2\tLIST\tWho?\n")
    content = tabs("run|qid|doc|answer|confidence", "a|1|D|x|0.25", "a|2|D|y|")
    answers = answers_of(content, questions)
    np.testing.assert_array_equal(answers.confidence, [0.25, np.nan])
    for suffix in (".tsv", ".csv", ".jsonl"):
        back = answers_of(write(answers, suffix), questions, f"answers{suffix}")
        np.testing.assert_array_equal(back.confidence, [0.25, np.nan])
