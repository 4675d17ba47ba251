"""Tests of the nugget files of TREC. All texts are made up."""

from __future__ import annotations

from karat.data.nuggets import NEITHER, OKAY, VITAL
from tests.files import codes_of
from tests.nugget_files import nugget_problems, nuggets_in

SERIES = """Qid 1.6: 'other' question for target Reeds
1.6 1\tokay\tsing in wind
1.6 2\tvital\tgrow  near water


Qid 2.5: 'other' question for target Qid
2.5 1\tvital\t7 of them\tare left

"""
PYRAMID = "Qid 3.1: x\n3.1 1\tvital\t1.0\tfirst\n3.1 2\tokay\t.25\tsecond\n3.1 3\tokay\t0\tthird\n"


def test_series() -> None:
    """Headings and empty lines stand between; a text keeps what is in it."""
    nuggets = nuggets_in(SERIES, "other")
    assert nuggets.units == ("1.6", "2.5")
    assert nuggets.names == ("1", "2", "1")
    assert nuggets.texts == ("sing in wind", "grow  near water", "7 of them\tare left")
    assert nuggets.importance.tolist() == [OKAY, VITAL, VITAL]
    assert nuggets.weights is None
    assert nugget_problems(SERIES, "other") == []


def test_what_real_files_hold() -> None:
    """Blanks for tabs, capitals, blanks around, CRLF, no headings, a question without nuggets."""
    nuggets = nuggets_in("1901 1 Vital  a composer \r\n 1901 2\tOKAY\tan oscar\r\n", "definition")
    assert (nuggets.texts, nuggets.importance.tolist()) == (("a composer", "an oscar"), [VITAL, OKAY])
    tabs = nuggets_in("qid1\t1\tvital\ta\nqid1\t2\t\tb c\n", "definition", "trec")
    assert (tabs.units, tabs.texts, tabs.importance.tolist()) == (("qid1",), ("a", "b c"), [VITAL, NEITHER])
    bare = nuggets_in("Qid 1: Who?\n\nQid 2: Who?\n2 1\tvital\ta\n")
    assert (bare.units, bare.topic.tolist(), bare.ends.tolist()) == (("1", "2"), [1], [0, 1])
    assert bare.without_vital() == ("1",)


def test_pyramids() -> None:
    """A weight in every line is a weight; a number at the beginning of some texts is text."""
    nuggets = nuggets_in(PYRAMID)
    assert nuggets.weights is not None
    assert nuggets.weights.tolist() == [1, 0.25, 0]
    assert nuggets.texts == ("first", "second", "third")
    some = nuggets_in("1 1\tvital\t1956\tthe year\n1 2\tokay\tno year\n")
    assert (some.weights, some.texts) == (None, ("1956\tthe year", "no year"))


def test_problems() -> None:
    """Lines that are neither are told, as are nuggets without text or named twice; a junk label stays."""
    told = nugget_problems("Qid 1: x\n1 1\tvital\ta\nnonsense\n1 2\tokay\n1 1\tokay\tb\n1 3\tfailed\tc\n")
    assert [(one.code, one.line) for one in told] == [
        ("run-line", 3),
        ("empty-nugget", 4),
        ("duplicate-id", 5),
        ("importance", 6),
    ]
    assert nuggets_in("1 1\tvital\ta\n1 3\tfailed\tc\n").importance.tolist() == [VITAL, NEITHER]
    assert codes_of(nugget_problems("Qid 1: x\n")) == ["empty-file"]
