"""Tests of nuggets and assignments as the nuggetizer writes them. All texts are made up."""

from __future__ import annotations

import pytest

from karat.data.nuggets import NEITHER, OKAY, VITAL
from karat.errors import DataError
from karat.formats.nuggetizer import topics_in, write_topics
from tests.files import codes_of
from tests.formats.samples import lines
from tests.nugget_files import match_problems, matches_in, nugget_problems, nuggets_in

NUGGETS = lines(
    {
        "query": "why reeds sing",
        "qid": "24-1",
        "nuggets": [{"text": "the wind", "importance": "vital"}, {"text": "hollow stems", "importance": "okay"}],
    },
    {
        "qid": 25,
        "nuggets": [
            {"text": "a", "importance": "failed", "mapped_sub_narrative": "x", "source": "post-edit"},
            {"text": "b", "importance": "vital"},
            {"text": "b", "importance": "okay"},
        ],
    },
)
ASSIGNED = lines(
    {
        "query": "why reeds sing",
        "qid": "24-1",
        "answer_text": "The wind does it.",
        "response_length": 4,
        "run_id": "one",
        "nuggets": [
            {"text": "the wind", "importance": "vital", "assignment": "support"},
            {"text": "hollow stems", "importance": "okay", "assignment": "partial_support"},
        ],
    }
)


def test_nuggets() -> None:
    """A topic a line; nuggets are numbered, texts may repeat, junk is kept as spelled."""
    nuggets = nuggets_in(NUGGETS, "n.jsonl")
    assert nuggets.units == ("24-1", "25")
    assert nuggets.names == ("1", "2", "1", "2", "3")
    assert nuggets.importance.tolist() == [VITAL, OKAY, NEITHER, VITAL, OKAY]
    assert nuggets.spelled[2] == "failed"
    assert [(one.code, one.line) for one in nugget_problems(NUGGETS, "n.jsonl")] == [("importance", 2)]


def test_assignments() -> None:
    """Degrees, importance and the answer itself; without a run's name the file names it."""
    nuggets = nuggets_in(NUGGETS, "n.jsonl")
    nameless = ASSIGNED.replace('"run_id": "one", ', "").replace("does it", "did it")
    matches, _ = matches_in(nuggets, ASSIGNED, nameless, suffix=".jsonl")
    assert matches.runs == ("one", "b")
    assert matches.degree[:, :2].tolist() == [[2, 1]] * 2
    assert matches.answered.tolist() == [[True, False]] * 2
    assert matches.texts == (("The wind does it.", None), ("The wind did it.", None))
    assert matches.lengths().tolist()[0][0] == 14
    assert matches.lengths("words").tolist()[0][0] == 4


def test_answers_in_sentences() -> None:
    """An answer may be a list of sentences, with or without their citations; no answer is no length."""
    nuggets = nuggets_in(NUGGETS, "n.jsonl")
    parts = ASSIGNED.replace('"The wind does it."', '[{"text": "The wind."}, "It does."]')
    assert matches_in(nuggets, parts, suffix=".jsonl")[0].texts[0][0] == "The wind. It does."
    silent = matches_in(nuggets, ASSIGNED.replace('"The wind does it."', "null"), suffix=".jsonl")[0]
    assert silent.lengths().tolist() != silent.lengths().tolist()  # NaN


@pytest.mark.parametrize("nuggets", ["null", "7", "[7]", '{"a": 1}'])
def test_no_list_of_nuggets(nuggets: str) -> None:
    """It is told with its line, whatever stands there instead."""
    row = '{"qid": "1", "nuggets": %s, "run_id": "x"}\n'
    good = row % '[{"text": "a", "importance": "vital"}]'
    assert [(one.code, one.line) for one in nugget_problems(good + row % nuggets, "n.jsonl")] == [("columns", 2)]
    told = match_problems(nuggets_in(good, "n.jsonl"), good + row % nuggets, suffix=".jsonl")
    assert [(one.code, one.line) for one in told if one.severity == "error"] == [("columns", 2)]


def test_topics_told_twice() -> None:
    """In a list of nuggets, and for one run; two runs in one file are no matter."""
    assert codes_of(nugget_problems(NUGGETS + NUGGETS, "n.jsonl")).count("duplicate-id") == 2
    nuggets = nuggets_in(NUGGETS, "n.jsonl")
    assert codes_of(match_problems(nuggets, ASSIGNED + ASSIGNED, suffix=".jsonl")) == ["duplicate-id"]
    both = matches_in(nuggets, ASSIGNED + ASSIGNED.replace('"one"', '"two"'), suffix=".jsonl")[0]
    assert both.runs == ("one", "two")
    with pytest.raises(DataError, match="empty-nugget"):
        nuggets_in(lines({"qid": 1, "nuggets": [{"importance": "vital"}]}), "n.jsonl")


def test_lists_of_several_assessors_are_told_apart() -> None:
    """A line can name its assessor; what is written so is read back."""
    topic = {"query": "why", "qid": "24-1", "nuggets": [], "year": 2024}
    lists = [
        (topic, who, [{"text": text, "importance": importance}])
        for who, text, importance in (("anna", "the wind", "vital"), ("ben", "stems", "okay"))
    ]
    found = nuggets_in(write_topics(lists), "lists.jsonl")
    assert (found.assessor, found.texts, found.units) == (("anna", "ben"), ("the wind", "stems"), ("24-1",))
    assert topics_in(b"no JSON\n[1]\n" + write_topics(lists))["24-1"] == topic | {
        "nuggets": lists[0][2],
        "assessor": "anna",
    }
    twice = write_topics([lists[0], lists[0]])
    assert codes_of(nugget_problems(twice, "lists.jsonl")) == ["duplicate-id"]
