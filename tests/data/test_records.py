"""Tests of records: rows and columns that a result declares by paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import pytest
from tools.examples import ARGUMENTS, result_of

from karat.data.fields import Missing, Shown
from karat.data.records import Records, RowsAt
from karat.data.result import Estimate, Result

UNASKED = {
    "compare": {"p_equivalence", "equivalent"},
    "sample": {"understandable", "compelling"},
    "adjudicate": {"decided_by", "reason", "kind"},
}
"""Columns that are empty in the examples: no margin is given, and nobody has filled in the sheets."""


@dataclass(frozen=True)
class Half:
    """A part of a run."""

    size: int
    interval: tuple[float, float]


@dataclass(frozen=True)
class Run:
    """One run with parts of every kind."""

    run: str
    scores: dict[str, Estimate]
    halves: list[Half] | None
    names: Annotated[list[str], Shown(form=", ".join)]
    counts: list[list[int]] | None
    rank: float = 1.0

    @cached_property
    def double(self) -> dict[str, float]:
        """A column that is computed."""
        return {name: 2 * score.value for name, score in self.scores.items()}


@dataclass(frozen=True, kw_only=True)
class Runs(Result):
    """A result with two runs."""

    runs: list[Run]
    labels: list[str]
    units: int = 7
    measure: str = "kappa"
    RECORDS: ClassVar[Records] = Records("run, rank", RowsAt("runs.*"))


RUNS = Runs(
    runs=[
        Run("a", {"x": Estimate(0.5, 0.25, 0.75), "y": Estimate(1.0, 0.5, 1.0)}, None, ["n", "m"], [[1, 2], [3, 4]]),
        Run("b", {}, [Half(3, (0.0, 0.5)), Half(4, (0.25, 1.0))], [], None, Missing("no rank")),
    ],
    labels=["Y", "N"],
)


def listed(records: Records) -> list[tuple[Any, ...]]:
    """The heading and the rows."""
    columns = records.of(RUNS, "").columns
    return [tuple(one.name for one in columns), *zip(*(one.values for one in columns), strict=True)]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        (  # the keys of a dictionary, and fields of what it holds
            Records("run, score, value, high", RowsAt("runs.*.scores.*score")),
            [("run", "score", "value", "high"), ("a", "x", 0.5, 0.75), ("a", "y", 1.0, 1.0)],
        ),
        (  # places in a list from 1; an absent list has no rows; ends of an interval
            Records("place, size, low=interval.0", RowsAt("runs.*.halves.*place")),
            [("place", "size", "low"), (1, 3, 0.0), (2, 4, 0.25)],
        ),
        (  # a list under the labels of another, a key inside a text, and the thing itself
            Records("key, name, value=.", RowsAt("runs.*.counts.*key:labels.*other:labels", name="=not {other}")),
            [("key", "name", "value"), ("Y", "not Y", 1), ("Y", "not N", 2), ("N", "not Y", 3), ("N", "not N", 4)],
        ),
        (  # parts in parts stay together, run by run; one that is absent has no row
            Records(
                "run, what, size",
                RowsAt("runs.*", RowsAt("names", what="=first"), RowsAt("halves.*", what="=then"), run="run"),
            ),
            [("run", "what", "size"), ("a", "first", None), ("b", "first", None), ("b", "then", 3), ("b", "then", 4)],
        ),
        (  # a step that another column names, and a heading that depends on the result
            Records("run, score, {it.measure}=double.{score}", RowsAt("runs.*.scores.*score")),
            [("run", "score", "kappa"), ("a", "x", 1.0), ("a", "y", 2.0)],
        ),
        (  # lists as tables show them, or their length; an estimate is its value
            Records("names, counts, best=scores.x", RowsAt("runs.*")),
            [("names", "counts", "best"), ("n, m", 2, 0.5), ("", None, None)],
        ),
        (  # fields of the result only where they are asked for; nothing is nothing
            Records("units, all, run", RowsAt("runs.*", all="units", run="")),
            [("units", "all", "run"), (None, 7, None), (None, 7, None)],
        ),
    ],
)
def test_rows(records: Records, expected: list[tuple[Any, ...]]) -> None:
    """Every form of a path and of a column."""
    assert listed(records) == expected


def test_a_part_means_its_own_place() -> None:
    """A column that an outer part declares is a field there, even if something deeper has a field of that name."""
    records = Records("rank", RowsAt("runs.*", RowsAt("halves.*place"), rank="run"))
    assert listed(records) == [("rank",), ("b",), ("b",)]


def test_numbers_keep_their_reasons() -> None:
    """A missing number is the number of the result, not a copy without its reason."""
    rank = RUNS.records().columns[1].values[1]
    assert isinstance(rank, Missing)
    assert rank.why == "no rank"


def test_nothing_has_its_heading() -> None:
    """Without rows there are still columns."""
    empty = Runs(runs=[], labels=[])
    assert [one.name for one in empty.records().columns] == ["run", "rank"]


@pytest.mark.parametrize("command", ARGUMENTS)
def test_no_column_is_always_empty(command: str) -> None:
    """A column whose name or path is misspelt would be empty in every row."""
    columns = result_of(command).records().columns
    empty = {one.name for one in columns if all(value is None or value != value or value == "" for value in one.values)}
    assert empty == UNASKED.get(command, set())
