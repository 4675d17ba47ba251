"""Criteria: spelled and read, and refused where they make no sense."""

from __future__ import annotations

import pytest

from karat.data.criteria import COMPELLING, JUSTIFICATIONS, Criterion, declared
from karat.errors import UsageError


@pytest.mark.parametrize("spelled", ["understandable:1..5", "compelling:1..5?understandable>=3", "a.b c:-1..1?x>=-1"])
def test_spelling_round_trips(spelled: str) -> None:
    """What is read is spelled the same."""
    assert str(Criterion.parse(spelled)) == spelled


def test_those_of_justifications() -> None:
    """Where none are declared; compelling is asked from 3 on."""
    assert declared(()) == JUSTIFICATIONS
    assert declared(["understandable:1..5", "compelling:1..5?understandable>=3"]) == JUSTIFICATIONS
    assert COMPELLING.values == (1, 2, 3, 4, 5)


def test_what_counts_where_not_asked() -> None:
    """0, and nothing on a scale that does not begin above it."""
    assert COMPELLING.zero == 0
    assert Criterion.parse("a:3..7").zero == 0
    for spelled in ("a:-1..1", "a:0..3", "a:-5..-1"):
        assert Criterion.parse(spelled).zero is None


@pytest.mark.parametrize(
    ("spelled", "words"),
    [
        (["a"], "NAME:LOW..HIGH"),
        (["a:1-5"], "NAME:LOW..HIGH"),
        (["a:5..5"], "2 to 30 whole numbers"),
        (["a:5..1"], "2 to 30 whole numbers"),
        (["a:1..99"], "2 to 30 whole numbers"),
        (["a:1..5", "a:1..5"], "twice"),
        (["b:1..5?a>=3", "a:1..5"], "declare a before"),
        (["a:1..5", "b:1..5?a>=1"], "decides nothing"),
        (["a:1..5", "b:1..5?a>=6"], "decides nothing"),
    ],
)
def test_refused(spelled: list[str], words: str) -> None:
    """With what to write instead."""
    with pytest.raises(UsageError, match=words):
        declared(spelled)
