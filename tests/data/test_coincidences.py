"""Coincidences of ballots and of tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from karat.data.ballots import Scale
from karat.data.coincidences import MOST_TABLED, BallotPatterns, Coincidence, table_ballots
from karat.data.tables import Table
from karat.errors import UsageError
from tests.ballots import ballots_of, random_rows

SCALE = Scale(("E", "N", "C"))
TRIANGLE = [[381], [82, 217], [11, 43, 66]]


@pytest.mark.parametrize("seed", range(20))
def test_patterns_add_up(seed: int) -> None:
    """Units by pattern, and all at once, give the same sums; units add up."""
    ballots = ballots_of(random_rows(seed))
    whole = Coincidence.of(ballots)
    patterns = BallotPatterns.of(ballots, tabled=True)
    np.testing.assert_allclose(patterns.total().sums, whole.sums)
    np.testing.assert_allclose(patterns.each.sums[patterns.which].sum(axis=0), whole.sums)
    first = ballots.unit < len(ballots.units) // 2
    parts = [
        Coincidence.of(
            replace(ballots, unit=ballots.unit[half], assessor=ballots.assessor[half], code=ballots.code[half])
        )
        for half in (first, ~first)
    ]
    np.testing.assert_allclose(parts[0].sums + parts[1].sums, whole.sums)


@pytest.mark.parametrize("seed", range(10))
def test_the_table_is_symmetric_with_its_margin(seed: int) -> None:
    """Rows of the table sum to the ballots of units with two or more, and its diagonal is what matches."""
    one = Coincidence.of(ballots_of(random_rows(seed)))
    np.testing.assert_allclose(one.table, one.table.T)
    np.testing.assert_allclose(one.table.sum(axis=-1), one.ballots)
    np.testing.assert_allclose(np.diagonal(one.table), one.matching)


def test_a_table_and_its_ballots() -> None:
    """A table has the coincidence of the ballots it counts, whichever way it is turned; leading axes are kept."""
    counts = np.array([[5, 2, 0], [1, 7, 3], [0, 0, 4]])
    expected = Coincidence.of(table_ballots(counts.tolist(), SCALE)).sums
    tables = Table(np.stack([counts, counts.T]), SCALE.values)
    np.testing.assert_allclose(Coincidence.of_table(tables).sums, [expected, expected])


def test_triangle() -> None:
    """Half a table is exchangeable ballots of two slots."""
    ballots = table_ballots(TRIANGLE, SCALE)
    assert ballots.exchangeable
    assert ballots.assessors == ("slot 1", "slot 2")
    assert (len(ballots.units), len(ballots)) == (800, 1600)
    table = Coincidence.of(ballots).table
    assert table.tolist() == [[762, 82, 11], [82, 434, 43], [11, 43, 132]]
    assert not table_ballots([[1, 0], [2, 3]], Scale(("Y", "N"))).exchangeable


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ([[1, 2], [3, 4]], "3 rows of 3 counts"),
        ([[1], [2, 3]], "these have 1, 2"),
        ([], "these have none"),
        ([[1, 2, 3], [1, 2, 3], [1, 2, -3]], "none negative"),
        ([[1], [2, 0.5], [1, 1, 1]], "whole numbers"),
        ([[1], [2, True], [1, 1, 1]], "whole numbers"),
    ],
)
def test_tables_that_are_none(counts: list[list[int]], told: str) -> None:
    """Shapes that fit no labels, and counts that count nothing, are refused in words."""
    with pytest.raises(UsageError, match=told):
        table_ballots(counts, SCALE)


def test_many_values_have_no_table() -> None:
    """Beyond so many labels only the diagonal is kept, and the table says so."""
    scale = Scale(tuple(map(str, range(MOST_TABLED + 1))))
    many = Coincidence.of(replace(ballots_of(["01", "01"]), scale=scale))
    assert many.matching.sum() == 4
    with pytest.raises(UsageError, match="at most 30 labels, not 31"):
        _ = many.table
