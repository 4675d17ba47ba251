"""Numbers and names in sentences."""

from __future__ import annotations

from karat.studies.wording import counted, some_of


def test_counted() -> None:
    """One is singular, nothing and several are not."""
    assert [counted(number, "unit") for number in (0, 1, 2)] == ["0 units", "1 unit", "2 units"]
    assert [counted(number, "person", "people") for number in (1, 3)] == ["1 person", "3 people"]


def test_some_of() -> None:
    """Few names are all there; of many the first."""
    assert some_of(["a", "b"]) == "a, b"
    assert some_of(list("abcdef"), 3) == "a, b, c and 3 more"
