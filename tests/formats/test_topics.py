"""Tests of the question files of 1999 to 2003."""

from __future__ import annotations

import pytest

from karat.formats.registry import question_formats
from tests.formats.question_samples import TREC_TOPICS, UNTYPED_TOPICS
from tests.question_files import codes_and_lines, questions_of, told


def test_types_of_2003() -> None:
    """A definition is an OTHER; a description may go over several lines."""
    questions = questions_of(TREC_TOPICS, "questions.txt")
    assert [(one.id, one.type, one.text) for one in questions.questions] == [
        ("901", "FACTOID", "How deep is the lake at its deepest?"),
        ("902", "LIST", "Which rivers fill the lake?"),
        ("903", "OTHER", "What is a lake?"),
    ]
    assert questions.series == ()
    assert questions.warnings == ()


def test_before_2003_all_are_factoids() -> None:
    """A file without types."""
    (question,) = questions_of(UNTYPED_TOPICS, "questions").questions
    assert (question.id, question.type, question.text) == ("7", "FACTOID", "Who dug it?")


RELATIONSHIP = """<top>
<num> Number: 3
<desc> Description:
The analyst is interested in the dam and those who pay for it. Specifically, the
analyst would like to know of ties between the builder and the bank.
</top>
<top>
<num> Number: 4
<desc> Description:
A bank lends to a builder of dams. The analyst wants to know why.
</top>
<top>
<num> Number: 5
<desc> Description:
Who was the analyst of the bank?
</top>
"""


def test_relationship_topics_are_no_factoids() -> None:
    """Those of TREC 2005 have no type and describe what an analyst wants to know; nuggets score them."""
    questions = questions_of(RELATIONSHIP, "topics")
    assert [one.type for one in questions.questions] == ["OTHER", "OTHER", "FACTOID"]
    typed = questions_of(TREC_TOPICS.replace("Type: factoid", "Type: relationship"), "topics")
    assert typed.questions[0].type == "OTHER"


def test_tags_may_be_closed_and_texts_in_their_line() -> None:
    """Other fields are passed over."""
    content = "<top>\n<num>7</num>\n<desc> Description: Who dug it?</desc>\n<narr> Narrative:\nLong ago.\n</top>\n"
    (question,) = questions_of(content, "questions").questions
    assert (question.id, question.text) == ("7", "Who dug it?")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<top>\n<num> Number: 1\n<desc> Description:\n</top>\n", [("empty-question", 1)]),
        ("<top>\n<num>\n<desc> Description:\nWho?\n</top>\n", [("no-id", 1)]),
        ("<top>\n<num> 1\n<desc> Who?\n", [("element", 1)]),
        ("<top>\n<num> 1\n<desc> Who?\n<top>\n<num> 2\n<desc> Why?\n</top>\n", [("element", 4)]),
        ("<top>\n<num> 1\n<desc> Who?\n</top>\n</top>\n", [("element", 5)]),
        ("<top>\n<num> 1\n<desc> Who?\n</top>\nstray\n", [("element", 5)]),
        (f"{UNTYPED_TOPICS}{UNTYPED_TOPICS}", [("duplicate-id", 7)]),
        (TREC_TOPICS.replace("Type: list", "Type: essay"), [("question-type", 14)]),
        (TREC_TOPICS.replace("<type> Type: list", ""), [("question-type", 14)]),
    ],
)
def test_problems_are_told_where_they_are(content: str, expected: list[tuple[str, int | None]]) -> None:
    """Code and line of each."""
    assert codes_and_lines(told(question_formats, content, name="questions")) == expected
