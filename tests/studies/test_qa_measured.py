"""Runs ranked by any measure of questions: the scores that each measure is the mean of, and what they are good for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from karat.arrays import Floats
from karat.data.orders import Ranking
from karat.data.scores import Scores
from karat.errors import UsageError
from karat.measures.ranking import confidence_weighted
from karat.statistics.bootstrap import replicate
from karat.studies.compare.study import compare
from karat.studies.qa.parameters import QaParameters, RankBy, rank_name
from karat.studies.qa.result import QaRun, QuestionAnswering
from karat.studies.sensitivity.study import sensitivity
from karat.studies.size.study import size
from karat.studies.swap.study import swap
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import World, nouns, random_world

JACKKNIFED = {
    "type_score": lambda run: run.by_type,
    "confidence_weighted": lambda run: run.factoid.confidence_weighted,
    "nil_precision": lambda run: run.nil.precision,
    "nil_recall": lambda run: run.nil.recall,
}
PLAIN = {
    "series_score": lambda run: run.by_series.value,
    "factoid_accuracy": lambda run: run.factoid.accuracy,
    "reciprocal_rank": lambda run: run.factoid.reciprocal_rank,
    "list_f": lambda run: run.list.score.value,
    "nugget_f": lambda run: run.other.score.value,
    "nugget_precision": lambda run: run.other.precision,
    "nugget_recall": lambda run: run.other.recall,
}


def value_of(run: QaRun, measure: str) -> float:
    """The measure as `qa` reports it among the components."""
    return float((JACKKNIFED | PLAIN)[measure](run))


def test_every_measure_is_tried() -> None:
    """Token F1, which needs accepted answers, has a test of its own."""
    assert {*JACKKNIFED, *PLAIN, "token_f1", "auto"} == set(get_args(RankBy))


@pytest.mark.parametrize("alone", [0, 5])
@pytest.mark.parametrize("measure", [*JACKKNIFED, *PLAIN])
def test_the_mean_over_units_is_the_measure(measure: str, alone: int) -> None:
    """Whatever ranks the runs; the best is first, and the matrix says what its mean is."""
    result = scored(random_world(3, runs=5, series=8, alone=alone), rank_by=measure)
    matrix = result.scores()
    assert (result.ranked_by, matrix.measure) == (measure, measure)
    for run, row in zip(result.runs, matrix.values, strict=True):
        assert run.score == pytest.approx(value_of(run, measure), nan_ok=True)
        if not np.isnan(row).all():
            assert row.mean() == pytest.approx(run.score)
            assert run.ranking.low <= run.score <= run.ranking.high
    values = [run.score for run in result.ranked if run.score == run.score]
    assert values == sorted(values, reverse=True)
    assert f"by {rank_name(result.ranked_by)}" in result.findings()[0] or measure in ("series_score", "type_score")


@pytest.mark.parametrize("measure", JACKKNIFED)
def test_scores_by_the_jackknife(measure: str) -> None:
    """As by scoring the test set again without each series, and without each question that is in none."""
    world = random_world(11, runs=3, series=6, alone=4)
    result = scored(world, rank_by=measure)
    given = nouns(world)
    units = result.scores().units
    left_out = np.array([[value_of(run, measure) for run in _without(world, unit).runs] for unit in units])
    by_hand = [
        run.score + (len(units) - 1) * (column.mean() - column)
        for run, column in zip(result.runs, left_out.T, strict=True)
    ]
    assert {one.id for one in given["questions"].series} <= set(units)
    np.testing.assert_allclose(result.scores().values, by_hand, atol=1e-9)


def _without(world: World, unit: str) -> QuestionAnswering:
    kept = [row for row in world.questions if unit not in (row[0], row[2])]
    names = {row[0] for row in kept}
    smaller = replace(
        world,
        questions=kept,
        order={run: [one for one in order if one in names] for run, order in world.order.items()},
        verdicts={key: one for key, one in world.verdicts.items() if key[0] in names},
        nuggets={key: one for key, one in world.nuggets.items() if key[1] in names},
    )
    return scored(smaller)


def answered(random: np.random.Generator, units: int, skill: tuple[float, ...] = (0.0, 0.0)) -> tuple[Floats, Floats]:
    """Right or wrong answers of runs, and confidences that know something of the difficulty."""
    easy = random.beta(2, 2, units)
    right = random.random((len(skill), units)) < easy + np.array(skill)[:, None]
    return right.astype(np.float64), easy + random.normal(0, 0.3, right.shape)


def world_of(right: Floats, confidence: Floats, series: int | None = None) -> World:
    """A test set of factoid questions with these answers."""
    world = World(runs=[f"run{at}" for at in range(len(right))])
    world.questions = [
        (str(at), "FACTOID", None if series is None else f"s{at % series}", None) for at in range(right.shape[1])
    ]
    world.verdicts = {
        (question, "d", string): (verdict, "")
        for question, *_ in world.questions
        for string, verdict in (("good", "R"), ("bad", "W"))
    }
    for run, row, stated in zip(world.runs, right, confidence, strict=True):
        world.order[run] = [question for question, *_ in world.questions]
        for at, question in enumerate(world.order[run]):
            world.said[run, question] = [("d", "good" if row[at] else "bad", float(stated[at]))]
    return world


def test_confidence_weighted_scores_vary_as_the_measure_does() -> None:
    """The error of their mean is that of the whole measure, recomputed on resampled questions."""
    random = np.random.default_rng(5)
    right, confidence = answered(random, 120, (0.1, 0.0))
    matrix = scored(world_of(right, confidence), rank_by="confidence_weighted").scores()
    rankings = [Ranking.of("response", *row) for row in zip(confidence, right, strict=True)]
    again = replicate(
        lambda weights: np.stack([confidence_weighted(one.count(weights)) for one in rankings], axis=-1),
        120, 2000, random,
    )  # fmt: skip
    error = matrix.values.std(axis=1, ddof=1) / np.sqrt(120)
    np.testing.assert_allclose(error, again.std(axis=0), rtol=0.08)
    apart = matrix.values[0] - matrix.values[1]
    assert apart.std(ddof=1) / np.sqrt(120) == pytest.approx((again[:, 0] - again[:, 1]).std(), rel=0.08)


@pytest.mark.parametrize("series", [None, 20])
def test_equal_runs_are_seldom_called_different_by_confidence(series: int | None) -> None:
    """At a level of 5 %, over sets of equally good runs; and a run that is much better is found."""
    sets, called = 120, 0
    for seed in range(sets):
        world = world_of(*answered(np.random.default_rng(seed), 60), series)
        [pair] = compare(scored(world, rank_by="confidence_weighted").scores(), replicates=999).pairs
        called += pair.p <= 0.05
    assert called <= sets * 0.05 + 3 * np.sqrt(sets * 0.05 * 0.95)
    world = world_of(*answered(np.random.default_rng(0), 60, (0.35, -0.1)), series)
    assert compare(scored(world, rank_by="confidence_weighted").scores()).pairs[0].p < 0.05


def test_swap_rates_are_those_of_the_whole_measure() -> None:
    """Two sets drawn at random, the measure computed anew on each: as often reversed as the scores say."""
    random = np.random.default_rng(2)
    right, confidence = answered(random, 200, (0.08, 0.0))
    values = scored(world_of(right, confidence), rank_by="confidence_weighted").scores().values
    rankings = [Ranking.of("response", *row) for row in zip(confidence, right, strict=True)]
    whole, linear = [], []
    for _ in range(1500):
        sets = random.permutation(200)[:100].reshape(2, 50)
        weights = np.zeros((2, 200))
        weights[[[0], [1]], sets] = 1
        by_measure = np.subtract(*(confidence_weighted(one.count(weights)) for one in rankings))
        by_scores = np.array([np.subtract(*values[:, drawn].mean(axis=1)) for drawn in sets])
        whole.append(by_measure[0] * by_measure[1] < 0)
        linear.append(by_scores[0] * by_scores[1] < 0)
    assert np.mean(whole) == pytest.approx(np.mean(linear), abs=0.05)


@pytest.mark.parametrize("measure", [*JACKKNIFED, *PLAIN])
def test_every_measure_goes_on(measure: str) -> None:
    """To compare, swap, size and sensitivity."""
    world = random_world(3, runs=5, series=16)
    matrix = scored(world, rank_by=measure).scores()
    assert len(compare(matrix).pairs) == 10
    assert swap(matrix, trials=3, replicates=2).procedure
    assert size(matrix, replicates=20).sizes
    given = nouns(world)
    by = sensitivity(**given, scoring=QaParameters(rank_by=measure))  # type: ignore[arg-type]
    expected = {run.run: run.score for run in scored(world, rank_by=measure).runs}
    assert by.settings[0].scores == pytest.approx(expected)


@pytest.mark.parametrize("measure", [*JACKKNIFED, *PLAIN])
def test_what_is_tested(measure: str) -> None:
    """Scores of units that depend on all the others can be swapped only approximately, and compare says so."""
    told = compare(scored(random_world(3, runs=5, series=16), rank_by=measure).scores())
    assert told.tests_what.startswith("approximately") == (measure in JACKKNIFED)
    assert ("by the jackknife" in told.render()) == (measure in JACKKNIFED)
    assert "answers of the two runs could be swapped" not in told.tests_what


def test_one_type_is_a_mean() -> None:
    """The score by type of factoids alone is their accuracy, which is how its scores are called."""
    only = scored(random_world(3, runs=5, series=16), rank_by="type_score", weights=(1.0, 0.0, 0.0))
    assert only.scores().measure == "factoid_accuracy"
    assert only.scores().values.mean(axis=1) == pytest.approx([run.by_type for run in only.runs])
    assert not compare(only.scores()).tests_what.startswith("approximately")


def test_a_run_that_depends_on_one_unit() -> None:
    """Its only NILs are in one series: it has a value, but nothing says how the value varies."""
    right, confidence = answered(np.random.default_rng(1), 12)
    world = world_of(right, confidence, 4)
    world.said["run0", "0"] = [("NIL", "", 0.5)]
    result = scored(world, rank_by="nil_precision")
    assert (result.runs[0].score, result.runs[0].ranking.low != result.runs[0].ranking.low) == (0, True)
    assert np.isnan(result.scores().values).all()
    assert result.runs[1].score != result.runs[1].score


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("token_f1", {}, "give the accepted answers"),
        ("series_score", {}, "do not come in series"),
        ("list_f", {}, "no list question is scored"),
        ("nugget_recall", {}, "no other question is scored"),
        ("nil_recall", {}, "every factoid question has a known answer"),
        ("confidence_weighted", {"confident": False}, "states a confidence for every factoid question"),
        ("confidence_weighted", {"answers": 5}, "one answer per question"),
    ],
)
def test_refused(measure: str, options: dict[str, Any], message: str) -> None:
    """A measure that these questions do not have, with what is missing."""
    world = world_of(*answered(np.random.default_rng(1), 12))
    with pytest.raises(UsageError, match=message):
        scored(world, rank_by=measure, **options)


def test_scores_of_a_matrix_are_unchanged() -> None:
    """The units asked for by name are those of the official scores, whatever ranks the runs."""
    world = random_world(3, runs=4, series=6)
    by_series, by_confidence = scored(world), scored(world, rank_by="confidence_weighted")
    for unit in ("series", "factoid", "list", "other"):
        one, other = by_series.scores(unit), by_confidence.scores(unit)
        assert isinstance(one, Scores)
        np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(by_series.scores().values, by_series.scores("series").values)
