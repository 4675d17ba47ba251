"""Scores of questions and nuggets drawn."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from karat.data.charts import Bars, Boxes, Dots, Lines
from karat.render.scale import line_scale
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.findings import _histogram
from karat.studies.unit_means import CROSSINGS, BetaCrossing, BetaCurves, beta_chart
from tests.studies.charts.reading import line, of, values
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import matches_of, nouns, random_world


def binned(score: float) -> int:
    """The bar of a score, in exact steps: 0 alone, then the first tenth that is not below it."""
    if score == 0:
        return 0
    return next(place for place in range(1, 11) if score <= place / 10 + 1e-9)


@pytest.mark.parametrize("seed", [1, 4])
def test_question_scores(seed: int) -> None:
    """Histograms of each run over series, lists and other questions, by a loop over the scores."""
    result = scored(random_world(seed, runs=3, series=6))
    drawn = of(result)
    for unit in ("series", "list", "other"):
        scores = result.scores(unit)
        chart = drawn[f"question-scores-{unit}"]
        assert isinstance(chart, Bars)
        assert chart.labels == ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
        for run, row in zip(scores.runs, scores.values.tolist(), strict=True):
            counts = Counter(map(binned, row))
            assert values(chart)[run] == [counts[place] for place in range(11)]


def test_edges_of_a_histogram() -> None:
    """A tenth holds its upper end, rounding apart; 0 stands alone; more than 1 is with 1; the undefined is nowhere."""
    scores = [0.0, 1e-6, 0.1, 0.1 + 0.2, 0.30001, 1.0, 1.2, math.nan]
    assert _histogram(scores) == [1, 2, 0, 1, 1, 0, 0, 0, 0, 0, 2]


def test_question_runs_and_series() -> None:
    """Runs by rank with their intervals, and series by median: the numbers of the result, none left out."""
    result = scored(random_world(3, runs=5, series=7))
    drawn = of(result)
    runs = {run.run: run for run in result.runs}
    chart = drawn["question-runs"]
    assert isinstance(chart, Dots)
    assert set(chart.labels) == set(runs)
    ranked = [runs[label].by_series.value for label in chart.labels]
    drawn_values = values(chart)
    assert ranked == sorted(ranked, reverse=True) == drawn_values["score"]
    for place, label in enumerate(chart.labels):
        parts = [drawn_values[name][place] for name in ("factoid", "list", "other")]
        run = runs[label]
        expected = [run.factoid.score.value, run.list.score.value, run.other.score.value]
        assert parts == expected
        assert chart.intervals[place] == (run.by_series.low, run.by_series.high)
    boxes = drawn["series"]
    assert isinstance(boxes, Boxes)
    medians = [box.median for box in boxes.boxes]
    assert medians == sorted(medians, reverse=True)
    for place, label in enumerate(boxes.labels):
        scores = sorted(run.series[label.split()[0]] for run in result.runs)
        reach = 1.5 * (scores[3] - scores[1])  # of five numbers the quartiles are the numbers
        ends = zip(scores[::4], scores[1:4:2], strict=True)
        low, high = (one if abs(one - edge) <= reach + 1e-12 else edge for one, edge in ends)
        assert boxes.boxes[place] == pytest.approx([low, *scores[1:4], high])
        assert sorted([*boxes.outside[place], *(one for one in (low, high) if one in scores[::4])]) == scores[::4]


def test_what_is_not_scored_is_not_drawn() -> None:
    """One run has no boxes; without judgments and nuggets nothing of them is there."""
    alone = of(scored(random_world(5, runs=1)))
    assert "series" not in alone
    assert "question-beta" in alone
    bare = of(scored(random_world(5), without=("verdicts",)))
    assert {"question-scores-other", "question-beta"} <= set(bare)
    assert not {"series", "question-scores-series", "question-scores-list"} & set(bare)
    only = of(scored(random_world(8, series=0, alone=5), without=("matches",)))
    # There is no mean over types if one of them is not scored, and so no interval of it.
    assert (only["question-runs"].intervals, only["question-runs"].axis) == ((), "score")
    assert "question-beta" not in only


def test_beta_lines_bend_where_they_should() -> None:
    """Each line is the mean F at every β drawn, and a crossing lies on both of its lines."""
    result = nuggets(matches_of(random_world(6, runs=4)).with_texts(nouns(random_world(6, runs=4))["answers"]))
    assert result.betas is not None
    chart = of(result)["beta"]
    assert isinstance(chart, Lines)
    for ranking in result.betas.rankings:
        for run, score in ranking.scores.items():
            ((_, drawn),) = [point for point in line(chart, run).points if math.isclose(point[0], ranking.beta)]
            assert drawn == pytest.approx(score, abs=1e-12)
    every = [value for run in result.runs for value in line(chart, run.run).y]
    assert chart.reach == (0.0, 10.0)
    low, high = line_scale(chart)
    assert (low == 0) == (min(every) <= max(every) / 2)
    assert low <= min(every) < max(every) <= high
    assert result.betas.crossings
    crossings = line(chart, CROSSINGS)
    assert crossings.x == sorted(one.beta for one in result.betas.crossings)
    assert crossings.look == "marks"


def test_too_many_crossings_are_counted() -> None:
    """Twenty crossings are marked; of more the picture says how many, and the lines stay clear."""
    curves = {"a": [1.0, 0.6], "b": [0.6, 1.0]}
    for count in (20, 21):
        crossings = [BetaCrossing("a", "b", place / 10) for place in range(count)]
        chart = beta_chart(BetaCurves([0.0, 10.0], curves, [], crossings), 3.0)
        assert (CROSSINGS in [one.name for one in chart.lines]) == (count == 20)
        assert chart.note == "two runs swap ranks 21 times" * (count == 21)
        assert line_scale(chart) == (0.6, 1.0)
        assert (chart.at, chart.at_name) == (3.0, "β used: 3")


def test_a_run_called_as_the_crossings_hides_none() -> None:
    """The marks of crossings are drawn though a run has their name."""
    curves = {CROSSINGS: [1.0, 0.6], "b": [0.6, 1.0]}
    chart = beta_chart(BetaCurves([0.0, 10.0], curves, [], [BetaCrossing("b", "b", 5)]), 3.0)
    assert [(one.name, one.look) for one in chart.lines] == [(CROSSINGS, "line"), ("b", "line"), (CROSSINGS, "marks")]


def test_nugget_scores() -> None:
    """Runs by support of vital nuggets with its interval; without lengths there is no F, and no β to draw."""
    world_of = random_world(9, runs=4)
    result = nuggets(matches_of(world_of))
    drawn = of(result)
    chart = drawn["nugget-scores"]
    assert isinstance(chart, Dots)
    drawn_values = values(chart)
    assert list(drawn_values) == ["vital", "vital, strict"]
    runs = {run.run: run for run in result.runs}
    assert drawn_values["vital"] == sorted((run.vital for run in runs.values()), reverse=True)
    for place, label in enumerate(chart.labels):
        run = runs[label]
        assert drawn_values["vital, strict"][place] == run.strict_vital
        ends = run.interval["vital"]
        assert chart.intervals[place] == (ends.low, ends.high)
    assert "beta" not in drawn
