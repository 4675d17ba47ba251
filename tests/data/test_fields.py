"""Tests of undefined: a missing number knows why, and every null of a result is found with its reason."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest

from karat.data.fields import (
    MOST_LISTED,
    NO_REASON,
    Missing,
    Steps,
    Undefined,
    Why,
    explain,
    known,
    pointer,
    reached,
    readable,
)


def few(part: Any, result: Any) -> str:
    """Of the row and the result; nothing to say of a row that has a name."""
    return "" if part.name else f"one of {len(result.parts)}"


@dataclass(frozen=True)
class Part:
    """Something inside a result."""

    value: Annotated[float, Why(few)]
    words: dict[str, float | None]
    name: str = ""
    pair: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class Whole:
    """What looks like a result."""

    parts: Annotated[list[Part], Why("around")]
    alone: Annotated[float | None, Why("alone")] = None
    inside: Any = 0
    signature: None = None
    undefined: tuple[Undefined, ...] = ()
    warnings: tuple[None, ...] = (None,)
    numbers: tuple[float, ...] = field(default=(1.0,))


WHOLE = Whole(
    [
        Part(math.nan, {"a/b": None, "": math.nan, "c": 1.0}),
        Part(math.nan, {"x\ny": math.inf, "z": Missing("its own")}, "named"),
    ],
    1.0,
)
REASONS = {
    "/parts/0/value": "one of 2",
    "/parts/0/words/a~1b": "around",
    "/parts/0/words/": "around",
    "/parts/1/value": "around",
    "/parts/1/words/x\ny": "around",
    "/parts/1/words/z": "its own",
}


def told(result: Any) -> dict[str, str]:
    """The reasons by path."""
    return {one.path: one.reason for one in explain(result).undefined}


def test_every_null_has_its_reason() -> None:
    """Its own; that of its field; that of the field around. Signature and warnings are no numbers."""
    assert told(WHOLE) == REASONS
    assert told(Whole([])) == {"/alone": "alone"}


def test_reasons_travel_in_the_values() -> None:
    """Every NaN of an explained result says why; infinities and None stay what they are; the given result too."""
    made = explain(WHOLE)
    first, second = made.parts
    assert [repr(one.value) for one in (first, second)] == ["Missing('one of 2')", "Missing('around')"]
    assert first.words["a/b"] is None
    assert second.words["x\ny"] == math.inf
    assert not isinstance(WHOLE.parts[0].value, Missing)
    assert told(made) == REASONS  # asked twice, it says the same


def test_what_is_whole_is_not_copied() -> None:
    """Only what holds a NaN is made anew."""
    whole = Part(1.0, {"a": 1.0})
    made = explain(Whole([whole, Part(math.nan, {})], 1.0))
    assert made.parts[0] is whole


def test_intervals() -> None:
    """Both ends of an interval have the reason of the field that holds it."""
    made = explain(Whole([Part(1.0, {}, pair=(math.nan, math.nan))], 1.0))
    assert [end.why for end in made.parts[0].pair if isinstance(end, Missing)] == ["around", "around"]


def test_results_within_results() -> None:
    """A field inside is asked with the result that it is of; what is no number there does not apply."""
    nested = told(Whole([], 1.0, explain(WHOLE)))
    assert {path: why for path, why in nested.items() if "signature" not in path and "warnings" not in path} == {
        f"/inside{path}": reason for path, reason in REASONS.items()
    }
    assert nested["/inside/signature"] == "does not apply to this section"


def test_no_reason() -> None:
    """What nobody thought of is found by the tests of every study."""
    assert told(Whole([], 1.0, inside=math.nan)) == {"/inside": NO_REASON}


def test_missing() -> None:
    """It is NaN, it is false, and it can be copied and pickled."""
    one = Missing("so")
    assert one != one
    assert not one
    assert math.isnan(one + 1)
    assert copy.deepcopy(one) is copy.copy([one])[0] is one
    assert pickle.loads(pickle.dumps(one)).why == "so"
    assert repr(one) == "Missing('so')"
    assert known(0.5, "so") == 0.5
    assert isinstance(known(math.nan, "so"), Missing)


@pytest.mark.parametrize(("steps", "spelled"), [(("a", 0, "b"), "/a/0/b"), (("a/b", "~"), "/a~1b/~0"), ((), "")])
def test_pointer(steps: Steps, spelled: str) -> None:
    """RFC 6901."""
    assert pointer(*steps) == spelled


def test_reached() -> None:
    """A path leads through lists, dictionaries and fields; through what is missing it leads nowhere."""
    assert reached(WHOLE, ("parts", "1", "words", "x\ny")) == math.inf
    assert reached(Whole([]), ("alone", "deeper")) is None
    assert reached(Whole([], Missing("so")), ("alone", "deeper")) is None


@dataclass(frozen=True)
class Pair:
    """One of very many."""

    p: Annotated[float, Why("nobody asked")]
    q: Annotated[float | None, Why("lost")]


@dataclass(frozen=True)
class Wide:
    """A result of many rows."""

    pairs: list[Pair]
    undefined: tuple[Undefined, ...] = ()


def test_very_many_of_one_reason_are_told_as_one() -> None:
    """By the pattern they share."""
    wide = Wide([Pair(math.nan, None if row == 7 else 1.0) for row in range(MOST_LISTED + 1)])
    assert explain(wide).undefined == (Undefined("/pairs/*/p", "nobody asked"), Undefined("/pairs/7/q", "lost"))


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("accuracy", "accuracy"),
        ("mean_recall", "mean recall"),
        ("decided_f(weight=1/3)", "decided F, weight 1/3"),
        ("recall(ENTAILMENT)", "recall, ENTAILMENT"),
        ("mean_recall, 2-way", "mean recall, two-way"),
    ],
)
def test_measures_are_named_in_words(spelling: str, words: str) -> None:
    """As people would say them; JSON and CSV have the spelling."""
    assert readable(spelling) == words
