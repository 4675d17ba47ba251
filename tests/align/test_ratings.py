"""What is wrong with one rating, case by case."""

from __future__ import annotations

import pytest

from karat.align.ratings import faults, nearest
from karat.arrays import NAN
from karat.data.criteria import JUSTIFICATIONS


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ((4, 5), []),
        ((2, None), []),
        ((3, 1), []),
        ((None, None), []),
        ((NAN, None), []),  # not applicable decides that the next is not asked
        ((3, None), ["not-rated"]),
        ((3, NAN), []),
        ((2, 1), ["unasked"]),
        ((NAN, 1), ["unasked"]),
        ((None, 3), ["not-rated", "unasked"]),
        ((6, 3), ["rating"]),
        ((0, None), ["rating"]),
        ((3.5, 3), ["rating"]),
        ((4, 0), ["rating"]),
        (("good", 9), ["rating", "rating"]),
        (("-", None), ["rating"]),  # whether the next was asked nobody knows
        ((4, "skip"), ["rating"]),
        ((2, "-"), ["rating"]),
    ],
)
def test_faults(given: tuple[float | str | None, ...], codes: list[str]) -> None:
    """Scales, and what is asked if."""
    assert [fault.code for fault in faults(given, JUSTIFICATIONS)] == codes


@pytest.mark.parametrize(
    ("given", "found", "expected"),
    [
        (("good", None), "understandable 'good'", "a whole number from 1 to 5, or skip"),
        ((4, "-"), "compelling '-'", "a whole number from 1 to 5, or an empty cell if it was not asked"),
        (
            (4, "skip"),
            "compelling 'skip'",
            "a whole number from 1 to 5; a pair is skipped by skip under understandable",
        ),
        ((9, None), "understandable 9", "a whole number from 1 to 5"),
    ],
)
def test_what_stands_there_is_shown(given: tuple[float | str | None, ...], found: str, expected: str) -> None:
    """And where it belongs."""
    fault = faults(given, JUSTIFICATIONS)[0]
    assert (fault.found, fault.expected) == (found, expected)


@pytest.mark.parametrize(
    ("name", "near"), [("Doris", "doris"), ("dorsi", "doris"), ("chattty", "chatty"), ("zoe", None)]
)
def test_nearest(name: str, near: str | None) -> None:
    """Whatever the case; another name is none."""
    assert nearest(name, ["doris", "chatty", "emil"]) == near


def test_dropped() -> None:
    """What should not have been asked for may be left out, with a warning."""
    assert [fault.code for fault in faults((2, 1), JUSTIFICATIONS, "drop")] == ["unasked-dropped"]
    (fault,) = faults((2, 1), JUSTIFICATIONS)
    assert fault.found == "compelling 1 where understandable 2"
    assert fault.expected == "no compelling where understandable is below 3"
