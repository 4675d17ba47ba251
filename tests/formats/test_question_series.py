"""Tests of question series in XML."""

from __future__ import annotations

import pytest

from karat.formats.registry import question_formats
from tests.formats.question_samples import TREC_SERIES
from tests.question_files import codes_and_lines, questions_of, told


def xml(inside: str) -> str:
    """A file of series."""
    return f'<trecqa year="2005" task="main">\n{inside}\n</trecqa>\n'


def problems_of(inside: str) -> list[tuple[str, int | None]]:
    """Codes and lines of what is said of a file of series."""
    return codes_and_lines(told(question_formats, xml(inside), name="questions.xml"))


def test_series_questions_and_targets() -> None:
    """Blanks around `=`, line breaks in texts and Latin-1 are read as meant; the internal DTD is passed over."""
    questions = questions_of(TREC_SERIES, "questions.xml")
    assert questions.type_counts() == {"FACTOID": 2, "LIST": 1, "OTHER": 2}
    assert [(one.id, one.target, one.questions) for one in questions.series] == [
        ("1", "the Garonne", ("1.1", "1.2", "1.3")),
        ("2", "Café Océan", ("2.1", "2.2")),
    ]
    first = questions.questions[0]
    assert (first.text, first.type, first.series) == ("Where does it rise, and how high?", "FACTOID", "1")
    assert questions.questions[3].text == "Who owns the café?"
    assert told(question_formats, TREC_SERIES, name="questions.xml") == []


@pytest.mark.parametrize(
    "target",
    [
        '<target id="1" text="the lake"><qa><q id="1.1" type="other">Other</q></qa></target>',
        '<target id="1"><text>the\n  lake</text><qa><q id="1.1" type="OTHER">Other</q></qa></target>',
        '<target id="1"> the lake <q id="1.1" type="Other"/></target>',
        '<target id="1" text="the lake"><qa><q id="1.1" type=" OTHER "><![CDATA[Other]]></q><as/></qa></target>',
    ],
)
def test_later_years_may_spell_it_otherwise(target: str) -> None:
    """The target's text as attribute, element or text; a `<q>` at any depth; types in any case."""
    questions = questions_of(xml(target), "questions.xml")
    assert [(one.id, one.target) for one in questions.series] == [("1", "the lake")]
    assert [(one.id, one.type, one.text) for one in questions.questions] == [("1.1", "OTHER", "Other")]


def test_a_question_outside_a_target_stands_alone() -> None:
    """It has no series."""
    questions = questions_of(xml('<qa><q id="9" type="FACTOID">Who?</q></qa>'), "questions.xml")
    assert (questions.questions[0].series, questions.series) == (None, ())


OTHER = '<q id="1.9" type="OTHER">Other</q>'


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("", [("element", 1)]),
        ("<pair/>", [("element", 1)]),
        ('<target id="1" text="a"></target>', [("element", 2)]),
        (f'<target text="a">{OTHER}</target>', [("no-id", 2)]),
        (f'<target id="1">{OTHER}</target>', [("empty-question", 2)]),
        (f'<target id="1" text="a"><q type="LIST">Who?</q>\n{OTHER}</target>', [("no-id", 2)]),
        (f'<target id="1" text="a"><q id="1.1">Who?</q>\n{OTHER}</target>', [("question-type", 2)]),
        (f'<target id="1" text="a"><q id="1.1" type="ESSAY">Who?</q>\n{OTHER}</target>', [("question-type", 2)]),
        (f'<target id="1" text="a"><q id="1.1" type="LIST"> </q>\n{OTHER}</target>', [("empty-question", 2)]),
        (f'<target id="1" text="a">{OTHER}\n{OTHER}</target>', [("duplicate-id", 3)]),
        (f'<target id="1.9" text="a">{OTHER}</target>', [("duplicate-id", 2)]),
        (f'<target id="1" text="a">\n<target id="2" text="b"/>{OTHER}</target>', [("element", 3)]),
        ('<target id="1" text="a">\n<q id="1.1" type="LIST">Who?</q></target>', [("other-last", 3)]),
        (f'<target id="1" text="a">{OTHER}\n<q id="1.1" type="LIST">Who?</q></target>', [("other-last", 3)]),
        (f'<target id="1" text="a">{OTHER}\n<q id="1.1" type="OTHER">Other</q></target>', [("other-last", 3)]),
    ],
)
def test_problems_are_told_where_they_are(inside: str, expected: list[tuple[str, int | None]]) -> None:
    """Code and line of each."""
    assert problems_of(inside) == expected


def test_all_problems_at_once() -> None:
    """Several in one file, line by line."""
    inside = '<target id="1" text="a">\n<q id="1.1" type="X">Who?</q>\n<q id="1.1" type="LIST"/>\n</target>'
    assert problems_of(inside) == [("question-type", 3), ("duplicate-id", 4), ("empty-question", 4)]


def test_another_root_is_no_file_of_questions() -> None:
    """The formats there are are named."""
    (problem,) = told(question_formats, "<entailment-corpus><pair/></entailment-corpus>", name="pairs.xml")
    assert problem.code == "format"
    assert "trec-series" in problem.expected
