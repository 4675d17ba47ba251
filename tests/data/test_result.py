"""Tests of sheets made from rows, and of the reasons that their dashes find."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from karat.data.result import Column, Estimate, Field, Result, Sheet, Undefined

NAN = math.nan


@dataclass(frozen=True)
class Row:
    """A row with parts."""

    name: str
    part: Estimate | None
    size: int | None
    shares: dict[str, float]


ROWS = [Row("a", Estimate(0.5, 0.25, NAN), None, {"x.y": 1.0}), Row("b", None, 3, {})]


@dataclass(frozen=True, kw_only=True)
class Rows(Result):
    """A result that is shown in one sheet."""

    rows: list[Row]

    def make_sheets(self) -> list[Sheet]:
        """The rows, in the other order."""
        fields = Field("name"), Field("high", "part.high", 2), Field("size", digits=0)
        return [Sheet.of("Rows", self.rows, *fields, at="rows").ordered([1, 0]), Sheet("Alone", (Column("x", [NAN]),))]


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (Field("name"), ["a", "b"]),
        (Field("low", "part.low", 2), ["0.25", ""]),
        (Field("high", "part.high", 2), ["–", ""]),
        (Field("size", digits=0), ["–", "3"]),
        (Field("size"), ["", "3"]),
        (Field("share", ("shares", "x.y"), 1), ["1.0", "–"]),
    ],
)
def test_field(field: Field, shown: list[str]) -> None:
    """A number that is null is a dash, what is not there at all is empty, and words have no dashes."""
    assert [cells[0] for cells in Sheet.of("", ROWS, field).rows()] == shown


def test_places() -> None:
    """Each cell knows where it stands, whatever the order of the rows."""
    name, high, _ = Rows(rows=ROWS).sheets()[0].columns
    assert list(name.values) == ["b", "a"]
    assert list(high.at) == ["/rows/1/part/high", "/rows/0/part/high"]


def test_reasons_shown() -> None:
    """Reasons of dashes in the sheets, each once; what is not shown, or shown empty, gives none."""
    told = {"/rows/0/part/high": "open", "/rows/0/size": "open", "/rows/1/part": "unasked", "/rows/0/part/low": "none"}
    undefined = tuple(Undefined(path, reason) for path, reason in told.items())
    assert Rows(rows=ROWS, undefined=undefined).reasons_shown() == ["open"]
    assert Rows(rows=ROWS).reasons_shown() == []


def test_sheets_are_made_once() -> None:
    """However often a result is shown, and whoever asks for its tables."""
    made: list[int] = []

    @dataclass(frozen=True, kw_only=True)
    class Counted(Rows):
        def make_sheets(self) -> list[Sheet]:
            made.append(1)
            return super().make_sheets()

    result = Counted(rows=ROWS)
    assert result.sheets() == result.sheets() == result.every_sheet()
    result.about("a")
    assert made == [1]
