"""Numbers in tables: digits, units, intervals, thousands, minus signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest

from karat.data.fields import Shown, decimals, written
from karat.data.result import TITLED, Column, Estimate, Field, IntervalCell, Sheet


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1234.5, 1, "1,234.5"),
        (-0.25, 2, "−0.25"),
        (-0.0001, 2, "0.00"),
        (float("nan"), 2, "–"),
        (float("-inf"), 2, "−∞"),
    ],
)
def test_a_number_for_people(value: float, digits: int, text: str) -> None:
    """Thousands are separated, the minus is a true one, zero has none."""
    assert written(value, digits) == text


@pytest.mark.parametrize(
    ("half", "unit", "digits"),
    [(0.066, "", 3), (0.12, "", 2), (0.25, "", 2), (0.0071, "", 4), (1e-5, "", 4), (0.066, "%", 1), (0.0025, "%", 2)],
)
def test_digits_follow_the_interval(half: float, unit: str, digits: int) -> None:
    """Two significant digits of the half-width; at least two decimals of a share, one of a percentage."""
    assert decimals([(0.5 - half, 0.5 + half)], unit) == digits


def test_one_narrow_interval_does_not_decide() -> None:
    """A run that always gives the same answer has hardly any interval, or none."""
    assert decimals([(0.0, 0.00001), (0.4, 0.6), (0.5, 0.7), (0.3, 0.3)]) == 2
    assert decimals([(0.3, 0.3), (float("nan"), float("nan"))]) is None


def test_values_and_intervals_have_the_same_digits() -> None:
    """A value takes its digits from the interval to its right, which takes the unit of the value."""
    values, intervals = (
        Column("accuracy", [0.7875, 0.5], unit="%"),
        [IntervalCell.of(0.7176, 0.8437), IntervalCell.of(0.4, 0.6)],
    )
    sheet = Sheet("", (values, Column("95% CI", intervals), Column("units", [1600, 7])))
    assert sheet.rows() == [["78.8", "71.8–84.4", "1,600"], ["50.0", "40.0–60.0", "7"]]
    assert [column.heading for column in sheet.columns] == ["accuracy %", "95% CI", "units"]


class _Asked:
    percent = "90%"
    unit = ""


@dataclass
class _Alphas:
    alpha: dict[str, Estimate]


def test_both_ends_of_an_estimate_are_in_one_column() -> None:
    """Beside its value, in the same digits; numbers without an interval have three decimals."""

    rows = [Estimate(0.57512, 0.4512, 0.6987)]
    sheet = Sheet.of("", rows, "value interval", Column("tau", [0.51234]), result=_Asked)
    assert [column.heading for column in sheet.columns] == ["value", "90% CI", "tau"]
    assert sheet.rows() == [["0.58", "0.45–0.70", "0.512"]]


def test_an_estimate_in_a_dictionary_is_described() -> None:
    """By its class, as any other."""

    rows, ends = [_Alphas({"x.y": Estimate(0.5, 0.25, 0.75)})], Field("ends", ("alpha", "x.y", "interval"))
    sheet = Sheet.of("", rows, ends, result=_Asked)
    assert sheet.columns[0].intervals == [(0.25, 0.75)]


def test_declared_digits_stay() -> None:
    """What the study declares, the interval does not change."""
    columns = Column("mean", [4.23456], 3), Column("95% CI", [IntervalCell.of(4.0, 4.4)])
    assert Sheet("", columns).rows() == [["4.235", "4.000–4.400"]]


def test_intervals_with_negative_ends_are_spelled_out() -> None:
    """A dash beside a minus is hard to read; a column is written in one way."""
    column = Column("95% CI", [IntervalCell.of(-0.039, 0.113), IntervalCell.of(0.01, 0.2)], 1, unit="points")
    assert [column.text(value) for value in column.values] == ["−3.9 to 11.3", "1.0 to 20.0"]


def test_an_interval_without_an_upper_end_is_open() -> None:
    """An upper end that is not known is said in words, not with a second dash."""
    column = Column("95% CI", [IntervalCell.of(0.05, float("nan"))], 1, unit="points")
    assert column.text(column.values[0]) == "5.0 or more"


def test_units_in_headings() -> None:
    """Per cent and points are in the heading, unless the title says it."""
    headings = [Column("x", [0.5], unit=unit).heading for unit in ("", "%", "points", TITLED)]
    assert headings == ["x", "x %", "x, points", "x"]
    assert Column("x", [0.5], unit=TITLED).text(0.5) == "50.0"


@dataclass(frozen=True)
class _Row:
    worth: Annotated[Estimate, Shown(unit="{it.unit}")]
    recalls: Annotated[dict[str, float], Shown(unit="%")]


def test_units_of_fields() -> None:
    """A unit may depend on the result, and holds for what is inside the field."""

    class Points:
        unit = "points"
        percent = "95%"

    rows = [_Row(Estimate(0.0125, -0.01, 0.035), {"a": 0.5})]
    sheet = Sheet.of("", rows, "worth worth.interval", Field("a", ("recalls", "a")), result=Points)
    assert [column.heading for column in sheet.columns] == ["worth, points", "95% CI", "a %"]
    assert sheet.rows() == [["1.2", "−1.0 to 3.5", "50.0"]]


def test_the_values_stay_as_they_are() -> None:
    """CSV has the numbers themselves; only people read them times 100."""
    column = Column("accuracy", [0.7875], unit="%")
    assert (column.name, column.values) == ("accuracy", [0.7875])
    assert IntervalCell.of(0.7176, 0.8437) == "0.718 – 0.844"


def test_some_rows_of_a_sheet() -> None:
    """Those in which a column has one of some values, in all columns."""
    sheet = Sheet.listed("scores", ("system", "value"), [("a", 1.0), ("b", 2.0), ("a", 3.0)])
    assert [list(column.values) for column in sheet.kept("system", {"a"}).columns] == [["a", "a"], [1.0, 3.0]]
    assert list(sheet.columns[1].values) == [1.0, 2.0, 3.0]


def test_a_function_of_the_row() -> None:
    """A column may be a function of the row, so that runs may be rows and each dictionary of scores a column."""
    columns = Field("run", str), Field("anna", {"a": 0.5, "b": 0.25}.get, 1, "her scores", "%")
    run, anna = Sheet.of("", ["b", "a"], *columns).columns
    assert run == Column("run", ["b", "a"])
    assert anna == Column("anna", [0.25, 0.5], 1, "her scores", "%")


def test_rows_of_two_things() -> None:
    """A row may be a tuple: its fields are described by the class of either."""
    rows = [("one", _Row(Estimate(0.5, 0.4, 0.6), {"a": 0.5})), ("two", _Row(Estimate(0.7, 0.6, 0.8), {"a": 0.25}))]
    both = Sheet.of("", rows, Field("run", "0"), "1.worth", Field("a", ("1", "recalls", "a")), result=_Asked())
    alone = Sheet.of("", [row for _, row in rows], "worth", Field("a", ("recalls", "a")), result=_Asked())
    assert both.columns == (Column("run", ["one", "two"]), *alone.columns)
    assert both.columns[2].unit == "%"


def test_a_small_number_is_only_said_to_be_small() -> None:
    """From the least that its field declares; the cells keep the numbers. Other numbers may be below zero."""

    @dataclass
    class Tested:
        p: Annotated[float, Shown("p", digits=4, least=0.0001)]
        plain: float

    rows = [Tested(p, -1.0) for p in (0.0, 1.4e-05, 0.0001, 0.5, float("nan"))]
    sheet = Sheet.of("", rows, "p plain")
    assert [row[0] for row in sheet.rows()] == ["<0.0001", "<0.0001", "0.0001", "0.5000", "–"]
    assert {row[1] for row in sheet.rows()} == {"−1.000"}
    assert sheet.columns[0].numeric
    assert list(sheet.columns[0].values)[1] == 1.4e-05
