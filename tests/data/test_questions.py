"""Tests of questions and their series."""

from __future__ import annotations

import pytest

from karat.errors import UsageError
from tests.question_files import questions_of, tabs

TWO = tabs(
    "id|series|target|type|question",
    "1.1|1|the lake|FACTOID|How deep is it?",
    "1.2|1|the lake|LIST|Who dug it?",
    "1.3|1|the lake|OTHER|Other",
    "9|||FACTOID|Who?",
    "2.1|2|the hill|OTHER|Other",
)


def test_places() -> None:
    """Types and series of each question as places."""
    questions = questions_of(TWO)
    assert questions.types.tolist() == [0, 1, 2, 0, 2]
    assert questions.series_of.tolist() == [0, 0, 0, -1, 1]
    assert questions.index["2.1"] == 4
    assert repr(questions) == "<Questions: questions.tsv, 2 series, 2 FACTOID, 1 LIST, 2 OTHER>"


def test_taking_out_a_question() -> None:
    """Its series stays, without it."""
    questions = questions_of(TWO).without(["1.2"])
    assert [one.questions for one in questions.series] == [("1.1", "1.3"), ("2.1",)]
    assert (questions.excluded, questions.dropped) == (("1.2",), {"1.2"})


def test_taking_out_a_series() -> None:
    """All its questions go; a series whose last question goes is gone too."""
    questions = questions_of(TWO).without(["1"]).without(["2.1", "2.1"])
    assert [one.id for one in questions.questions] == ["9"]
    assert questions.series == ()
    assert (questions.excluded, questions.dropped) == (("1", "2.1"), {"1.1", "1.2", "1.3", "2.1"})


def test_taking_out_what_is_not_there() -> None:
    """The nearest is named."""
    with pytest.raises(UsageError, match=r"no question or series is called '1\.9'"):
        questions_of(TWO).without(["1.9"])


def test_nothing_taken_out() -> None:
    """It is the same test set."""
    questions = questions_of(TWO)
    assert questions.without([]).questions == questions.questions
    assert questions.without([]).dropped == frozenset()
