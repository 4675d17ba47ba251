"""Tests of sheets made from rows, and of the reasons that their dashes find."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from karat.data.fields import Missing, Shown, Why
from karat.data.result import Column, Estimate, Field, Result, Sheet

NAN = math.nan


def half(row: Any, result: Any) -> str:
    """A reason of the row and the result."""
    return f"{row.name} of {len(result.rows)}"


def dashed(word: str | None) -> str | float:
    """A dash for nothing."""
    return word or NAN


@dataclass(frozen=True)
class Row:
    """A row with parts."""

    name: Annotated[str, Shown("who", note="of {it.measure}")]
    part: Annotated[Estimate | None, Shown("the part")]
    size: Annotated[int | None, Shown(digits=0), Why(half)]
    shares: dict[str, float]
    ends: Annotated[tuple[float, float], Shown("{it.measure}, both ends", form=str)] = (0.0, 1.0)
    open: Annotated[str | None, Shown(form=dashed), Why(half)] = None

    @property
    def many(self) -> Annotated[int, Shown("how many", note="shares")]:
        """A column that is computed."""
        return len(self.shares)


ROWS = [Row("a", Estimate(0.5, 0.25, Missing("open")), None, {"x.y": 1.0}), Row("b", None, 3, {})]


@dataclass(frozen=True, kw_only=True)
class Rows(Result):
    """A result that is shown in one sheet."""

    rows: list[Row]
    measure: str = "kappa"

    def make_sheets(self) -> list[Sheet]:
        """The rows, in the other order."""
        sheet = self.sheet("Rows", self.rows, "name part part.high size", Field("low", "part.low", 2))
        return [sheet.ordered([1, 0]), Sheet("Alone", (Column("x", [NAN]),))]


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("name", ["a", "b"]),
        (Field("low", "part.low", 2), ["0.25", ""]),
        (Field("high", "part.high", 2), ["–", ""]),
        ("part", ["0.500", ""]),
        ("size", ["–", "3"]),
        (Field("share", ("shares", "x.y"), 1), ["1.0", "–"]),
        ("ends", ["(0.0, 1.0)", "(0.0, 1.0)"]),
        ("many", ["1", "0"]),
        ("open", ["–", "–"]),
        (Column("made", [1, 2]), ["1", "2"]),
    ],
)
def test_cells(field: str | Field | Column, shown: list[str]) -> None:
    """A number that is null is a dash, what is not there at all is empty, and words have no dashes."""
    assert [cells[0] for cells in Sheet.of("", ROWS, field, result=Rows(rows=ROWS)).rows()] == shown


def test_fields_describe_their_columns() -> None:
    """Heading, digits and note stand on the field; the result fills in what is its own."""
    columns = Rows(rows=ROWS).sheet("", ROWS, "name part.high size many ends").columns
    assert [column.name for column in columns] == ["who", "high", "size", "how many", "kappa, both ends"]
    assert [column.note for column in columns] == ["of kappa", "", "", "shares", ""]
    assert columns[2].digits == 0


def test_a_given_name_stands_as_it_is() -> None:
    """A run may be called anything: its name is no pattern for the result to fill."""
    (column,) = Rows(rows=ROWS).sheet("", ROWS, Field("{it.measure}", "name")).columns
    assert (column.name, column.note) == ("{it.measure}", "of kappa")


def test_a_dash_made_of_nothing_has_the_reason_of_its_field() -> None:
    """Where a form shows nothing as a dash, the field says why."""
    (column,) = Rows(rows=ROWS).sheet("", ROWS, "open").columns
    assert [value.why for value in column.values if isinstance(value, Missing)] == ["a of 2", "b of 2"]


def test_a_later_word_stands_over_an_earlier_one() -> None:
    """What an alias says of a field holds where the field itself says nothing."""
    assert Shown("new").over(Shown("old", 2, "note")) == Shown("new", 2, "note")


def test_reasons_shown() -> None:
    """Reasons of dashes in the sheets, each once; what is not shown, or shown empty, gives none."""
    assert Rows(rows=ROWS).reasons_shown() == ["open", "a of 2"]
    assert Rows(rows=[Row("c", None, 1, {}), ROWS[1]]).reasons_shown() == []


def test_listed() -> None:
    """Tuples as rows."""
    sheet = Sheet.listed("", ("a", "b"), [(1, "x"), (2, "y")])
    assert [(column.name, list(column.values)) for column in sheet.columns] == [("a", [1, 2]), ("b", ["x", "y"])]


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
