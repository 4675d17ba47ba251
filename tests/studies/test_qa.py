"""Tests of `qa`: every score of every question, type and series against plain loops."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from karat.data.charts import Dots
from karat.errors import UsageError
from tests.studies import qa_by_hand as hand
from tests.studies.qa_scored import same, scored
from tests.studies.qa_worlds import World, random_world

WORLDS = [
    pytest.param(
        random_world(seed, runs=2 + seed % 4, series=2 + seed % 6, assessors=1 + seed % 2, alone=seed % 3), id=str(seed)
    )
    for seed in range(24)
]


@pytest.mark.parametrize("world", WORLDS)
def test_questions_and_types(world: World) -> None:
    """Every question, the mean of every type and the mean by type are those of plain loops."""
    result = scored(world)
    for run in result.runs:
        for question, kind, _, _ in world.questions:
            assert same(run.questions[question], hand.score(world, run.run, question, kind)), question
        assert same(run.factoid.score.value, hand.type_mean(world, run.run, "FACTOID"))
        assert same(run.list.score.value, hand.type_mean(world, run.run, "LIST"))
        assert same(run.other.score.value, hand.type_mean(world, run.run, "OTHER"))
        assert same(run.by_type, hand.by_type(world, run.run))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(
    ("weights", "no_list"),
    [((0.5, 0.25, 0.25), "literal"), ((0.5, 0.25, 0.25), "exact"), ((1, 1, 1), "literal"), ((0, 1, 3), "exact"),
     ((1, 2, 0), "literal")],
)  # fmt: skip
def test_series(world: World, weights: tuple[float, float, float], no_list: str) -> None:
    """Every series and the mean over series, under every rule for series without lists, and weights of 0."""
    result = scored(world, weights=weights, no_list=no_list)
    for run in result.runs:
        expected = {
            series: hand.series_score(world, run.run, series, weights, no_list == "exact")
            for series in hand.series_of(world)
        }
        assert list(run.series) == list(expected)
        assert all(same(run.series[series], value) for series, value in expected.items())
        values = [value for value in expected.values() if value is not None]
        assert same(run.by_series.value, sum(values) / len(values) if values else None)
        assert same(run.by_type, hand.by_type(world, run.run, weights))


def test_weights_scale() -> None:
    """Weights in the same proportion are the same weights, TREC's .67 and .33 included."""
    world = random_world(3)
    for a, b in zip(scored(world).runs, scored(world, weights=(2, 1, 1)).runs, strict=True):
        assert a.series == pytest.approx(b.series, nan_ok=True)


def small(lists: int = 0) -> World:
    """One run, one series: factoids right 2 of 3, an other question of F .4 (β 3: P 1, R 4/…)."""
    world = World(runs=["a"])
    kinds = ["FACTOID"] * 3 + ["LIST"] * lists + ["OTHER"]
    world.questions = [(str(at), kind, "1", None) for at, kind in enumerate(kinds)]
    for at in range(3):
        world.verdicts[str(at), "d", "x"] = "W" if at == 2 else "R", ""
    for question, kind, _, _ in world.questions:
        world.said["a", question] = [("d", "x", 1.0)] if kind != "OTHER" else [("d", "x" * 100, 1.0)]
    world.order["a"] = [question for question, *_ in world.questions]
    other = world.questions[-1][0]
    # R 3/8 and P 1: F(3) = 10·R/(9 + R) = .4.
    world.nuggets["", other] = [(str(name), "vital") for name in range(8)]
    for name in range(3):
        world.held["a", "", other, str(name)] = "support"
    return world


@pytest.mark.parametrize(
    ("no_list", "score"), [("literal", 0.67 * 2 / 3 + 0.33 * 0.4), ("exact", 2 / 3 * 2 / 3 + 0.4 / 3)]
)
def test_series_without_lists(no_list: str, score: float) -> None:
    """Factoid 2/3 and other .4: .578667 as TREC 2004 weighs them, .577778 by exact thirds."""
    result = scored(small(), no_list=no_list)
    assert result.runs[0].other.score.value == pytest.approx(0.4)
    assert result.runs[0].by_series.value == pytest.approx(score)
    assert round(score, 6) == (0.578667 if no_list == "literal" else 0.577778)


def test_dropped_list_is_no_list() -> None:
    """A list question to which nothing is known is dropped, and its series is one without lists."""
    world = small(lists=1)
    world.verdicts["3", "d", "x"] = "W", ""
    result = scored(world)
    assert result.runs[0].by_series.value == pytest.approx(0.67 * 2 / 3 + 0.33 * 0.4)
    assert result.asked.units["list"].asked == 1
    assert result.asked.units["list"].scored == 0
    assert [one.unscored for one in result.questions if one.type == "LIST"] == ["no answer to it is known"]


def test_other_unjudged() -> None:
    """A series whose OTHER has no vital nugget is left out of the mean, not counted as 0."""
    world = random_world(1, series=4)
    world.nuggets["who0", world.of_type("OTHER")[0]] = [("1", "okay")]
    result = scored(world)
    gone = hand.series_of(world)[0]
    for run in result.runs:
        rest = [value for series, value in run.series.items() if series != gone]
        assert run.series[gone] != run.series[gone]
        assert run.by_series.value == pytest.approx(np.nanmean(rest))


@pytest.mark.parametrize("world", WORLDS)
def test_lenient_variants(world: World) -> None:
    """Accuracy that accepts inexact, unsupported or both, beside the strict one; and `accept` scores by it."""
    result = scored(world)
    letters = {"inexact": "RX", "unsupported": "RU", "lenient": "RXU"}
    accepting = {name: scored(world, accept=accept) for name, accept in
                 (("inexact", ("inexact",)), ("lenient", ("inexact", "unsupported")))}  # fmt: skip
    for at, run in enumerate(result.runs):
        for name, accept in letters.items():
            right = [hand.factoid(world, run.run, question, accept) for question in world.of_type("FACTOID")]
            assert same(run.factoid.accepting[name], sum(right) / len(right))
            if name in accepting:
                assert same(accepting[name].runs[at].factoid.score.value, sum(right) / len(right))
        for question in world.of_type("LIST"):
            assert same(accepting["lenient"].runs[at].questions[question], hand.list_f(world, run.run, question, "RXU"))


@pytest.mark.parametrize("world", WORLDS)
def test_nil(world: World) -> None:
    """Right NILs of those given, and of the questions without a known answer."""
    result = scored(world)
    nothing = [question for question in world.of_type("FACTOID") if not hand.known(world, question)]
    assert result.asked.unanswerable == len(nothing)
    for run in result.runs:
        given = [question for question in world.of_type("FACTOID") if world.said[run.run, question][0][0] == "NIL"]
        right = [question for question in given if question in nothing]
        assert (run.nil.given, run.nil.right) == (len(given), len(right))
        assert same(run.nil.precision, len(right) / len(given) if given else None)
        assert same(run.nil.recall, len(right) / len(nothing) if nothing else None)
        counts = dict.fromkeys(("correct", "inexact", "unsupported", "incorrect", "locally correct"), 0)
        for question in world.of_type("FACTOID"):
            document, string, _ = world.said[run.run, question][0]
            letter = world.verdicts[question, document, string][0] if document != "NIL" else ""
            name = {"R": "correct", "X": "inexact", "U": "unsupported", "W": "incorrect", "L": "locally correct"}.get(
                letter
            )
            counts[name or ("correct" if question in nothing else "incorrect")] += 1
        assert run.factoid.verdicts == counts


@pytest.mark.parametrize("seed", range(8))
def test_five_answers(seed: int) -> None:
    """MRR over five ranked answers; the accuracy beside it is that of first answers."""
    world = random_world(seed, answers=5)
    for run in scored(world, answers=5).runs:
        ranks = [hand.reciprocal_rank(world, run.run, question, 5) for question in world.of_type("FACTOID")]
        first = [hand.factoid(world, run.run, question) for question in world.of_type("FACTOID")]
        assert run.factoid.score.value == pytest.approx(sum(ranks) / len(ranks))
        assert run.factoid.reciprocal_rank == pytest.approx(sum(ranks) / len(ranks))
        assert run.factoid.accuracy == pytest.approx(sum(first) / len(first))
        assert run.factoid.confidence_weighted != run.factoid.confidence_weighted


@pytest.mark.parametrize("seed", range(6))
def test_confidence_weighted(seed: int) -> None:
    """Ties in confidence are the mean over all their orders; `ranked` takes the order of the run."""
    world = random_world(seed, runs=2, series=2)
    factoids = world.of_type("FACTOID")
    by_confidence, ranked = scored(world), scored(world, ranked=True)
    for at, run in enumerate(world.runs):
        sure = {question: world.said[run, question][0][2] for question in factoids}
        orders = [
            order for order in permutations(factoids)
            if all(sure[a] >= sure[b] for a, b in pairwise(order))
        ]  # fmt: skip
        values = [hand.confidence_weighted([hand.factoid(world, run, one) for one in order]) for order in orders]
        assert by_confidence.runs[at].factoid.confidence_weighted == pytest.approx(sum(values) / len(values))
        as_said = [hand.factoid(world, run, one) for one in world.order[run] if one in factoids]
        assert ranked.runs[at].factoid.confidence_weighted == pytest.approx(hand.confidence_weighted(as_said))


def test_confidence_of_some_runs() -> None:
    """A run that states no confidence has no such score; the others keep theirs."""
    world = random_world(2)
    alone = scored(world).runs[1].factoid.confidence_weighted
    for question, *_ in world.questions:
        world.said["run0", question] = [
            (document, string, float("nan")) for document, string, _ in world.said["run0", question]
        ]
    runs = scored(world).runs
    assert runs[0].factoid.confidence_weighted != runs[0].factoid.confidence_weighted
    assert runs[1].factoid.confidence_weighted == alone
    assert all(run.factoid.confidence_weighted != run.factoid.confidence_weighted for run in scored(world, False).runs)


@pytest.mark.parametrize("world", WORLDS)
def test_intervals(world: World) -> None:
    """Student's interval over series; of questions, over series as clusters; Wilson's for right or wrong answers."""
    result = scored(world, interval=0.9)
    for run in result.runs:
        values = [value for value in run.series.values() if value == value]
        if len(set(values)) > 1:
            assert astuple(run.by_series) == pytest.approx(hand.t_interval(values, 0.9))
        for kind, found in (("FACTOID", run.factoid.score), ("LIST", run.list.score), ("OTHER", run.other.score)):
            clusters: dict[str, list[float]] = {}
            for question, its, series, _ in world.questions:
                if its == kind and run.questions[question] == run.questions[question]:
                    clusters.setdefault(series or question, []).append(run.questions[question])
            if len(clusters) > 1 and len({one for cluster in clusters.values() for one in cluster}) > 1:
                expected = hand.clustered_interval(list(clusters.values()), 0.9)
                if expected[2] - expected[1] > 1e-12:  # else every cluster has the same mean, but for rounding
                    if kind == "FACTOID":
                        expected = hand.right_interval(list(clusters.values()), 0.9)
                    assert astuple(found) == pytest.approx(expected), kind


def astuple(mean: Any) -> tuple[float, float, float]:
    """Value and ends."""
    return mean.value, mean.low, mean.high


@pytest.mark.parametrize("world", WORLDS)
def test_boxes_and_medians(world: World) -> None:
    """Five numbers of each series over runs, and how many medians are 0."""
    result = scored(world)
    for box in result.series:
        values = [run.series[box.series] for run in result.runs]
        if values[0] == values[0]:
            five = box.low, box.lower, box.median, box.upper, box.high
            assert five == pytest.approx(np.percentile(values, [0, 25, 50, 75, 100]))
    kinds = {"factoid": world.of_type("FACTOID"), "list": world.of_type("LIST"), "other": world.of_type("OTHER")}
    for one in result.zero_medians:
        names = kinds.get(one.of, hand.series_of(world))
        columns = [
            [(run.series if one.of == "series" else run.questions)[name] for run in result.runs] for name in names
        ]
        medians = [sorted(column) for column in columns if column[0] == column[0]]
        zero = sum(low[(len(low) - 1) // 2] == 0 == low[len(low) // 2] for low in medians)
        assert (one.units, one.zero) == (len(medians), zero)
        assert same(one.share, zero / len(medians) if medians else None)


@pytest.mark.parametrize("world", WORLDS)
def test_aggregations(world: World) -> None:
    """Kendall's tau between the rankings by series and by type."""
    result = scored(world)
    scores = [(run.by_series.value, run.by_type) for run in result.runs]
    if any(one != one for pair in scores for one in pair):
        assert result.aggregations is None
    else:
        assert result.aggregations is not None
        assert result.aggregations.tau == pytest.approx(hand.tau(*zip(*scores, strict=True)))


@pytest.mark.parametrize("world", WORLDS)
def test_betas(world: World) -> None:
    """Curves of F are what plain loops say at every β, with two assessors too; at the β asked for, the score."""
    result = scored(world, beta=2.0)
    scored_other = [one.question for one in result.questions if one.type == "OTHER" and not one.unscored]
    if result.betas is None:
        assert not scored_other
        return
    for run in result.runs:
        for beta, value in list(zip(result.betas.betas, result.betas.runs[run.run], strict=True))[::8]:
            by_hand = [hand.other_f(world, run.run, question, beta) or 0.0 for question in scored_other]
            assert value == pytest.approx(sum(by_hand) / len(by_hand))
    official = next(one for one in result.betas.rankings if one.beta == 2.0)
    assert official.scores == pytest.approx({run.run: run.other.score.value for run in result.runs})
    assert [one.beta for one in result.betas.rankings] == [1.0, 2.0, 3.0, 5.0]
    for crossing in result.betas.crossings:
        before, after = (
            [sum(hand.other_f(world, name, question, beta) or 0.0 for question in scored_other)
             for name in (crossing.a, crossing.b)]
            for beta in (max(crossing.beta - 1e-4, 0), crossing.beta + 1e-4)
        )  # fmt: skip
        assert before[0] >= before[1] - 1e-9
        assert after[0] <= after[1] + 1e-9


@pytest.mark.parametrize("world", WORLDS[:8])
def test_weight_grid(world: World) -> None:
    """Tau of the rankings under other weights to the official ones, by type and by series."""
    result = scored(world)
    if result.weights is None:
        assert any(
            hand.type_mean(world, run, kind) is None for run in world.runs for kind in ("LIST", "OTHER", "FACTOID")
        )
        return
    official = [run.by_type for run in result.runs], [run.by_series.value for run in result.runs]
    for one in result.weights.grid[::7]:
        weights = one.factoid, one.list, one.other
        by_type = [hand.by_type(world, run, weights) for run in world.runs]
        assert same(one.tau_by_type, hand.tau(official[0], by_type))  # type: ignore[arg-type]
        rows = [
            [hand.series_score(world, run, series, weights) for series in hand.series_of(world)] for run in world.runs
        ]
        kept = [[value for value in row if value is not None] for row in rows]
        assert same(one.tau_by_series, hand.tau(official[1], [sum(row) / len(row) for row in kept]))


def test_only_lists() -> None:
    """QACIAD: lists alone, the mean within a series and then over series, and the two kinds of series side by side."""
    world = World(runs=["a"])
    rights = {"g": [1, 0], "h": [1], "b": [0, 0, 1]}
    for series, right in rights.items():
        for at, good in enumerate(right):
            name = f"{series}{at}"
            world.questions.append((name, "LIST", series, "browsing" if series == "b" else "gathering"))
            world.verdicts[name, "d", "yes"], world.verdicts[name, "d", "no"] = ("R", ""), ("W", "")
            world.said["a", name] = [("d", "yes" if good else "no", 1.0)]
    world.order["a"] = [name for name, *_ in world.questions]
    result = scored(world)
    assert result.runs[0].series == pytest.approx({"g": 1 / 2, "h": 1, "b": 1 / 3})
    assert result.runs[0].by_series.value == pytest.approx((1 / 2 + 1 + 1 / 3) / 3)
    assert result.runs[0].by_type == pytest.approx(3 / 6)
    assert {one.kind: one.scores["a"] for one in result.kinds} == pytest.approx({"gathering": 3 / 4, "browsing": 1 / 3})


def test_one_type_is_drawn_once() -> None:
    """Where all questions are of one type and in no series, its score is that of the run."""
    world = World(runs=["a", "b"], questions=[(f"q{at}", "FACTOID", None, None) for at in range(4)])
    for at, (name, *_) in enumerate(world.questions):
        world.verdicts[name, "d", "yes"], world.verdicts[name, "d", "no"] = ("R", ""), ("W", "")
        world.said["a", name], world.said["b", name] = [("d", "yes", 1.0)], [("d", "yes" if at else "no", 1.0)]
    world.order = {run: [name for name, *_ in world.questions] for run in world.runs}
    chart = next(one for one in scored(world).charts() if isinstance(one, Dots))
    assert [one.name for one in chart.series] == ["score"]
    assert "all questions are of one type" in chart.caption


@pytest.mark.parametrize("unit", ["series", "factoid", "list", "other"])
def test_score_matrix(unit: str) -> None:
    """Runs by series, or by the questions of one type with their series as clusters; what is not scored is left out."""
    world = random_world(5, series=6, alone=2)
    result = scored(world)
    scores = result.scores(unit)
    assert scores.runs == tuple(world.runs)
    assert not np.isnan(scores.values).any()
    home = {question: series for question, _, series, _ in world.questions}
    if unit == "series":
        assert scores.clusters is None
    else:
        assert set(scores.units) <= set(world.of_type(unit.upper()))
        assert scores.clusters == tuple(home[one] for one in scores.units)
    for at, run in enumerate(result.runs):
        own = run.series if unit == "series" else run.questions
        assert scores.values[at].tolist() == [own[one] for one in scores.units]
        assert {one for one, value in own.items() if value == value} >= set(scores.units)


def test_unknown_unit() -> None:
    """Only what there is a matrix over."""
    with pytest.raises(UsageError, match="unit"):
        scored(random_world(1)).scores("topic")
