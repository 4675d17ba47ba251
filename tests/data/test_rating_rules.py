"""What is wrong with one rating, case by case."""

from __future__ import annotations

import pytest

from karat.data.criteria import JUSTIFICATIONS
from karat.data.rating_rules import faults

NAN = float("nan")


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
        ((float("inf"), 9), ["rating", "rating"]),
    ],
)
def test_faults(given: tuple[float | None, ...], codes: list[str]) -> None:
    """Scales, and what is asked if."""
    assert [fault.code for fault in faults(given, JUSTIFICATIONS)] == codes


def test_dropped() -> None:
    """What should not have been asked for may be left out, with a warning."""
    assert [fault.code for fault in faults((2, 1), JUSTIFICATIONS, "drop")] == ["unasked-dropped"]
    (fault,) = faults((2, 1), JUSTIFICATIONS)
    assert fault.found == "compelling 1 where understandable 2"
    assert fault.expected == "no compelling where understandable is below 3"
