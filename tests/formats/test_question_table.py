"""Tests of questions as rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.questions import TYPES, Question, Questions, make_series
from karat.formats.registry import question_formats
from tests import strategies
from tests.formats.samples import lines, parquet
from tests.question_files import SERIES, codes_and_lines, questions_of, tabs, told

write = question_formats["table"].facts["write"]

CARRIERS: dict[str, str | bytes] = {
    "tsv": "qid\ttype\tquestion\n7\tlist\tWho?\n8\tDEFINITION\tWhat?\n",
    "csv": 'id,type,text\n7,LIST,"Who?"\n8,other,What?\n',
    "jsonl": lines({"id": 7, "type": "LIST", "question": "Who?"}, {"id": 8, "type": "OTHER", "question": "What?"}),
    "parquet": parquet(id=[7, 8], type=["LIST", "OTHER"], question=["Who?", "What?"]),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_carrier(carrier: str) -> None:
    """Single questions come out alike."""
    questions = questions_of(CARRIERS[carrier], f"questions.{carrier}")
    assert [(one.id, one.type, one.text, one.series) for one in questions.questions] == [
        ("7", "LIST", "Who?", None),
        ("8", "OTHER", "What?", None),
    ]


def test_series() -> None:
    """Target and kind are the series'."""
    (series,) = questions_of().series
    assert (series.id, series.target, series.kind) == ("1", "the river", "THING")
    assert series.questions == ("1.1", "1.2", "1.3", "1.4")


def test_without_types_all_are_factoids() -> None:
    """A column that is there must be filled."""
    assert questions_of("id\tquestion\n1\tWho?\n").type_counts()["FACTOID"] == 1
    assert codes_and_lines(told(question_formats, "id\ttype\tquestion\n1\t\tWho?\n")) == [("question-type", 2)]


def test_series_of_lists() -> None:
    """Gathering and browsing series have lists only and need no OTHER; a browsing series changes its target."""
    content = tabs(
        "id|series|target|kind|type|question",
        "a1|a|the lake|gathering|LIST|Who dug it?",
        "a2|a|the lake|gathering|LIST|Who fished in it?",
        "b1|b|the lake|browsing|LIST|Who dug it?",
        "b2|b|its fish|browsing|LIST|Who ate them?",
    )
    assert told(question_formats, content) == []
    assert [one.kind for one in questions_of(content).series] == ["gathering", "browsing"]
    assert codes_and_lines(told(question_formats, content.replace("browsing", "THING"))) == [
        ("series", 5),
        ("other-last", 5),
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("1.2|1", "1.1|1"), [("duplicate-id", 3)]),
        (("1.2|1", "|1"), [("no-id", 3)]),
        (("1.2|1", "1|1"), [("duplicate-id", 3)]),
        (("FACTOID|Who dammed it?", "FACTOID|"), [("empty-question", 3)]),
        (("LIST|", "LISTS|"), [("question-type", 4)]),
        (("OTHER|Other", "LIST|Which?"), [("other-last", 5)]),
        (("river|THING|LIST", "river|PERSON|LIST"), [("series", 4)]),
        (("river|THING|LIST", "lake|THING|LIST"), [("series", 4)]),
        (("id|series", "nr|series"), [("format", None)]),
    ],
)
def test_problems_are_told_where_they_are(change: tuple[str, str], expected: list[tuple[str, int | None]]) -> None:
    """Code and line of each."""
    before, after = (text.replace("|", "\t") for text in change)
    assert codes_and_lines(told(question_formats, SERIES.replace(before, after))) == expected


def test_nothing_is_told() -> None:
    """An empty file, and a header alone."""
    assert codes_and_lines(told(question_formats, "")) == [("empty-file", None)]
    assert codes_and_lines(told(question_formats, "id\tquestion\n")) == [("empty-file", None)]


@st.composite
def question_sets(draw: st.DrawFn) -> Questions:
    """Questions, alone and in series."""
    texts = strategies.texts.map(lambda text: " ".join(text.split()))
    names = draw(st.lists(strategies.ids, min_size=1, max_size=6, unique=True))
    series = draw(st.lists(strategies.ids.filter(lambda name: name not in names), min_size=1, max_size=2, unique=True))
    about = {name: (draw(texts), draw(st.none() | texts)) for name in series}
    rows = []
    for name in names:
        home = draw(st.none() | st.sampled_from(series))
        question = Question(name, draw(st.sampled_from(TYPES)), draw(texts), home)
        rows.append((question, *about.get(home or "", ("", None))))
    return Questions(tuple(question for question, _, _ in rows), make_series(rows))


@given(question_sets(), st.sampled_from([".tsv", ".csv", ".jsonl"]))
@settings(max_examples=40, deadline=None)
def test_what_is_written_is_read(questions: Questions, suffix: str) -> None:
    """Questions and series come back as they were."""
    back = questions_of(write(questions, suffix), f"questions{suffix}")
    assert back.questions == questions.questions
    assert back.series == questions.series
