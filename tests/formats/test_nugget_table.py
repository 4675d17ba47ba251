"""Tests of nuggets as a table, read and written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.data.nuggets import NEITHER, OKAY, VITAL, Nuggets
from karat.errors import DataError
from karat.formats.registry import nugget_formats
from tests.files import codes_of, place_of
from tests.nugget_files import HEADER, nugget_problems, nuggets_in
from tests.strategies import ids, texts

write = nugget_formats["table"].facts["write"]

REEVE = HEADER + (
    "q1\t1\tann\tvital\tactor\nq2\t1\tann\tokay\tother topic\nq1\t2\tann\tokay\tplayed a hero\n"
    "q1\t1\tbo\tvital\tinjured\n"
)


def test_rows_become_nuggets_sorted_by_topic() -> None:
    """Topics in the order they are met, nuggets of a topic in file order, lists of assessors beside each other."""
    nuggets = nuggets_in(REEVE)
    assert nuggets.units == ("q1", "q2")
    assert nuggets.topic.tolist() == [0, 0, 0, 1]
    assert nuggets.texts == ("actor", "played a hero", "injured", "other topic")
    assert nuggets.assessor == ("ann", "ann", "bo", "ann")
    assert nuggets.importance.tolist() == [VITAL, OKAY, VITAL, OKAY]
    assert nuggets.weights is None
    assert nuggets.of("bo").texts == ("injured",)
    assert nuggets.index["bo", "q1", "1"] == 2


def test_file_order_stays_in_long_lists() -> None:
    """However topics take turns, nuggets of one stay in the order of the file."""
    nuggets = nuggets_in(HEADER + "".join(f"q{row % 3}\t{row}\t\tokay\tt\n" for row in range(300)))
    assert [int(name) for name in nuggets.names] == [row for topic in range(3) for row in range(topic, 300, 3)]


def test_other_carriers_and_no_assessor() -> None:
    """CSV and JSON lines hold the same; the assessor may be left out; numbers are words."""
    csv = nuggets_in('qid,nugget,importance,text,weight\n7,1,VITAL,"a, b",1\n7,2,okay,c,.5\n', "n.csv")
    assert csv.texts == ("a, b", "c")
    assert csv.assessors == ("",)
    assert csv.spelled == ("VITAL", "okay")
    assert csv.weights is not None
    assert csv.weights.tolist() == [1, 0.5]
    lines = nuggets_in('{"qid": 7, "nugget": 1, "importance": "vital", "text": "a"}\n', "n.jsonl")
    assert (lines.units, lines.names, lines.importance.tolist()) == (("7",), ("1",), [VITAL])


def test_problems() -> None:
    """Importance that is neither is a warning and stays as spelled; what is twice or empty is an error."""
    told = nugget_problems(HEADER + "q\t1\t\tvital\ta\nq\t2\t\tfailed\tb\nq\t3\t\t\tc\n")
    assert [place_of(one)[:2] for one in told] == [("importance", 3), ("importance", 4)]
    nuggets = nuggets_in(HEADER + "q\t2\t\tfailed\tb\n")
    assert (nuggets.importance.tolist(), nuggets.spelled) == ([NEITHER], ("failed",))
    told = nugget_problems(
        HEADER + "q\t1\t\tvital\ta\nq\t1\t\tokay\tb\n\t1\t\tokay\tb\nq\t\t\tokay\tb\nq\t4\t\tokay\t \n"
    )
    assert [(one.code, one.line) for one in told] == [("duplicate-id", 3), *(("empty-nugget", n) for n in (4, 5, 6))]
    assert codes_of(nugget_problems(HEADER)) == ["empty-file"]
    assert codes_of(nugget_problems("qid\tnugget\timportance\nq\t1\tvital\n")) == ["columns"]
    for weight in ("-1", "x", "nan", "inf"):
        rows = f"qid\tnugget\timportance\ttext\tweight\nq\t1\tvital\ta\t1\nq\t2\tokay\tb\t{weight}\n"
        assert [(one.code, one.line) for one in nugget_problems(rows)] == [("weight", 3)]
    with pytest.raises(DataError, match="weight"):
        nuggets_in("qid\tnugget\timportance\ttext\tweight\nq\t1\tvital\ta\t1\nq\t2\tokay\tb\t\n")


@st.composite
def nugget_lists(draw: st.DrawFn) -> Nuggets:
    """Lists of one or two assessors for some topics, with weights or without."""
    units = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    assessors = draw(st.lists(ids, min_size=1, max_size=2, unique=True))
    rows = [
        (topic, str(number), assessor)
        for topic in range(len(units))
        for assessor in assessors
        for number in range(draw(st.integers(1, 3)))
    ]
    size = len(rows)
    spelled = draw(st.lists(st.sampled_from(["vital", "okay", "Okay", "failed", ""]), min_size=size, max_size=size))
    codes = {"vital": VITAL, "okay": OKAY}
    weighed = draw(st.none() | st.lists(st.floats(0, 1), min_size=size, max_size=size))
    return Nuggets(
        units=tuple(units),
        topic=np.array([topic for topic, _, _ in rows], dtype=np.int32),
        names=tuple(name for _, name, _ in rows),
        texts=tuple(draw(st.lists(texts, min_size=size, max_size=size))),
        importance=np.array([codes.get(one.casefold(), NEITHER) for one in spelled], dtype=np.int8),
        spelled=tuple(spelled),
        assessor=tuple(assessor for _, _, assessor in rows),
        weights=None if weighed is None else np.array(weighed),
    )


@given(nugget_lists(), st.sampled_from([".tsv", ".csv", ".jsonl"]))
def test_what_is_written_is_read(nuggets: Nuggets, suffix: str) -> None:
    """Every carrier gives the same nuggets back."""
    back = nuggets_in(write(nuggets, suffix), "nuggets" + suffix)
    for name in ("units", "names", "texts", "spelled", "assessor"):
        assert getattr(back, name) == getattr(nuggets, name)
    np.testing.assert_array_equal(back.topic, nuggets.topic)
    np.testing.assert_array_equal(back.importance, nuggets.importance)
    if nuggets.weights is None:
        assert back.weights is None
    else:
        np.testing.assert_array_equal(back.weights, nuggets.weights)
