"""Box plots of series: the numbers that are drawn, against matplotlib's and against plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.cbook import boxplot_stats

from karat.data.charts import Boxes
from karat.studies.qa.aggregate import box_of
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import random_world


def by_hand(scores: list[float], share: float) -> float:
    """A quantile of type 7: linear between the scores in order, at (n − 1) · share from the first."""
    ordered, at = sorted(scores), (len(scores) - 1) * share
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


@pytest.mark.parametrize("seed", range(30))
def test_as_matplotlib_draws_it(seed: int) -> None:
    """Scores with many ties at 0, as of hard series, and now and then one far away."""
    random = np.random.default_rng(seed)
    scores = np.round(np.where(random.random(9 + seed) < 0.4, 0.0, random.beta(1, 6, 9 + seed)), 2).tolist()
    five, whiskers = box_of(scores)
    assert five == pytest.approx([by_hand(scores, share) for share in (0, 0.25, 0.5, 0.75, 1)])
    [drawn] = boxplot_stats(scores)
    assert (five[1], five[2], five[3]) == pytest.approx((drawn["q1"], drawn["med"], drawn["q3"]))
    assert whiskers == pytest.approx((drawn["whislo"], drawn["whishi"]))
    outside = [one for one in scores if not whiskers[0] <= one <= whiskers[1]]
    assert sorted(outside) == pytest.approx(sorted(drawn["fliers"].tolist()))


def test_runs_outside_are_named() -> None:
    """In JSON, in the table and as points of the figure."""
    result = scored(random_world(12, runs=9, series=10))
    named = {box.series: box.outside for box in result.series if box.outside}
    assert named
    runs = {run.run: run for run in result.runs}
    for series, outside in named.items():
        for run, score in outside.items():
            assert runs[run].series[series] == score
    [chart] = [one for one in result.charts() if isinstance(one, Boxes)]
    assert sum(map(len, chart.outside)) == sum(map(len, named.values()))
    table = result.sheet_named("Scores of all runs on each series")
    [column] = [one for one in table.columns if one.name == "outside"]
    assert sum(bool(cell) for cell in column.values) == len(named)
    [ends] = [one for one in table.columns if one.name == "whiskers"]
    assert {box.whiskers for box in result.series} >= set(ends.intervals) != set()


def test_nothing_to_draw() -> None:
    """Without scores there is no box; one score is its own box."""
    five, whiskers = box_of([])
    assert np.isnan([*five, *whiskers]).all()
    assert box_of([0.5]) == ([0.5] * 5, (0.5, 0.5))
