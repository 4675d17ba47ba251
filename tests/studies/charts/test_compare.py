"""Comparisons drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

import karat
from karat.data.charts import Dots
from karat.data.scores import Scores
from karat.labels import TWO
from karat.render.figures import svg
from karat.render.scale import dot_range
from karat.studies.compare.study import compare
from tests.render.drawn import spots
from tests.studies.charts.reading import matrix, of, values


def test_differences_in_loops(runs: karat.Responses) -> None:
    """Every other run less the one it is held against, by its verdict; 0 in the middle; no groups are drawn."""
    result = compare(runs, versus="overlap")
    charts = of(result)
    assert set(charts) == {"differences"}
    chart = charts["differences"]
    right = dict(zip(runs.names, runs.right(TWO).values, strict=True))
    verdict = {row.run: row.different for row in result.runs}
    assert set(chart.labels) == set(runs.names) - {"overlap"}
    for at, run in enumerate(chart.labels):
        drawn = {name: numbers[at] for name, numbers in chart.series}
        mine = "significantly different" if verdict[run] else "not significantly different"
        assert drawn.pop(mine) == pytest.approx(right[run].mean() - right["overlap"].mean())
        assert all(math.isnan(value) for value in drawn.values())
    assert chart.rule == 0
    low, high = dot_range(chart)
    assert low <= min(one.low for one in chart.intervals) < 0 < max(one.high for one in chart.intervals) <= high
    assert chart.note == "compared with overlap; 95% CIs"


def test_differences_that_are_all_one_way_keep_0_in_sight() -> None:
    """Against the worst run all differences are above 0, and 0 is on the axis all the same."""
    chart = of(compare(matrix(5, 400), versus="run000"))["differences"]
    low, high = dot_range(chart)
    assert min(one.low for one in chart.intervals) > 0
    assert low <= 0 < high


def test_differences_of_runs_alike() -> None:
    """Runs that answer all the same differ by 0, and are drawn so without an interval that nobody knows."""
    right = np.tile((np.arange(20) % 2).astype(float), (3, 1))
    same = Scores(("a", "b", "c"), tuple(map(str, range(20))), right, "mean score")
    (chart,) = of(compare(same, versus="a")).values()
    assert values(chart) == {"not significantly different": [0, 0]}
    low, high = dot_range(chart)
    assert low < 0 < high


def test_groups_of_many() -> None:
    """Of seventy runs the sixty best are drawn; two that do not differ are joined, by no more groups than it takes."""
    result = compare(matrix(70, 60))
    chart = of(result)["groups"]
    assert chart.labels == tuple(row.run for row in result.runs[:60])
    assert chart.note.endswith("the best 60 of 70 runs")
    assert chart.groups
    joined = pairs_of(chart)
    alike = {frozenset((pair.a, pair.b)) for pair in result.pairs if not pair.different}
    assert joined == {pair for pair in alike if pair <= set(chart.labels)}
    assert not [one for one in chart.groups for other in chart.groups if set(one) < set(other)]
    assert len(set(chart.groups)) == len(chart.groups) < len(result.groups or ())


def test_groups_join_what_is_not_different(runs: karat.Responses) -> None:
    """Two runs are in one drawn group if and only if they are not significantly different."""
    result = compare(runs)
    chart = of(result)["groups"]
    assert pairs_of(chart) == {frozenset((pair.a, pair.b)) for pair in result.pairs if not pair.different}


@pytest.mark.parametrize("measure", ["low", "high", "interval", "value<$\x00"])
def test_a_measure_of_any_name_is_drawn(measure: str) -> None:
    """Whatever scores are called, every run has its mark and its interval."""
    for options in ({}, {"versus": "run000"}):
        (chart,) = of(compare(matrix(5, 60, measure=measure), **options)).values()
        drawn = [value for one in chart.series for value in one.values if value == value]
        assert len(drawn) == len(chart.labels) == len(chart.intervals)
        assert len(spots(svg(chart), "mark")) == len(drawn)


def pairs_of(chart: Dots) -> set[frozenset[str]]:
    """The runs that are joined, two by two."""
    named = [[chart.labels[row] for row in group] for group in chart.groups]
    return {frozenset((a, b)) for group in named for a in group for b in group if a != b}
