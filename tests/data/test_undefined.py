"""Tests of undefined: every null is found, and the first pattern that fits tells why."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import pytest

from karat.data.undefined import MANY, NO_REASON, Steps, Undefined, explained, nulls, pointer, reached


@dataclass(frozen=True)
class Part:
    """Something inside a result."""

    value: float
    words: dict[str, float | None]


@dataclass(frozen=True)
class Whole:
    """What looks like a result."""

    parts: list[Part]
    alone: float | None = None
    signature: None = None
    undefined: tuple[Undefined, ...] = ()
    warnings: tuple[None, ...] = (None,)
    numbers: tuple[float, ...] = field(default=(1.0,))


WHOLE = Whole([Part(math.nan, {"a/b": None, "": math.nan, "c": 1.0}), Part(1.0, {"x\ny": math.inf})])


def test_nulls() -> None:
    """NaN, infinity (which JSON cannot hold) and None, wherever they are."""
    assert list(nulls(WHOLE.parts)) == [(0, "value"), (0, "words", "a/b"), (0, "words", ""), (1, "words", "x\ny")]


def test_explained() -> None:
    """By the first pattern that fits; signature and warnings are no numbers; names may hold anything."""
    why = {"parts/*/value": "one", "parts/*/words/a~1b": "two", "parts/**": "three", "alone": "four"}
    assert {one.path: one.reason for one in explained(WHOLE, why)} == {
        "/parts/0/value": "one",
        "/parts/0/words/a~1b": "two",
        "/parts/0/words/": "three",
        "/parts/1/words/x\ny": "three",
        "/alone": "four",
    }


def test_told_before() -> None:
    """What was told as it was computed stands over the patterns."""
    whole = Whole([], undefined=(Undefined("/alone", "told"),))
    assert explained(whole, {"**": "pattern"}) == (Undefined("/alone", "told"),)


def test_no_reason() -> None:
    """What nobody thought of is found by the tests of every study."""
    assert [one.reason for one in explained(Whole([]), {"alone/*": "deeper", "alones": "other"})] == [NO_REASON]


def test_reason_from_the_numbers() -> None:
    """A reason may be a function of the result and of the path."""

    def why(result: Any, steps: Steps) -> str:
        return f"{steps[1]} of {len(result.parts)}"

    assert [one.reason for one in explained(WHOLE, {"parts/**": why, "alone": ""})][:2] == ["0 of 2", "0 of 2"]


@pytest.mark.parametrize(("steps", "spelled"), [(("a", 0, "b"), "/a/0/b"), (("a/b", "~"), "/a~1b/~0"), ((), "")])
def test_pointer(steps: Steps, spelled: str) -> None:
    """RFC 6901."""
    assert pointer(*steps) == spelled


def test_reached() -> None:
    """Every path of a null leads to it; on the way through nothing there is nothing."""
    found = [reached(WHOLE.parts, steps) for steps in nulls(WHOLE.parts)]
    assert [None if one is None or math.isnan(one) else one for one in found] == [None, None, None, math.inf]
    assert reached(WHOLE, ("parts", "1", "words", "x\ny")) == math.inf
    assert reached(WHOLE, ("alone", "deeper")) is None


@dataclass(frozen=True)
class Wide:
    """A result of many rows."""

    pairs: list[dict[str, float | None]]
    undefined: tuple[Undefined, ...] = ()


def test_very_many_of_one_reason_are_told_as_one() -> None:
    """By the pattern they share, which covers each of them."""
    wide = Wide([{"p": None, "q": None if row == 7 else 1.0} for row in range(MANY + 1)])
    told = explained(wide, {"pairs/*/p": "nobody asked", "pairs/*/q": "lost"})
    assert told == (Undefined("/pairs/*/p", "nobody asked"), Undefined("/pairs/7/q", "lost"))
    assert told[0].covers("/pairs/1000/p")
    assert not told[0].covers("/pairs/1000/q")
    assert not told[0].covers("/pairs/1/0/p")
