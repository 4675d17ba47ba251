"""Figures of diagnoses, justifications, questions, nuggets, items and ablations, against plain loops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import karat
import karat.studies.ablate.charts  # files its figures
from karat.data.charts import Bars, Boxes, Chart, Counts, Dots, Heat, Lines
from karat.data.decomposition import by_attribute
from karat.data.result import Estimate, Signature
from karat.formats.justification_ratings import read_justifications
from karat.render.figures import draw
from karat.studies.ablate.result import Ablation, Worth
from karat.studies.base import StudyResult
from karat.studies.diagnose.charts import INTERVALS, MARKS
from karat.studies.diagnose.result import Diagnosis
from karat.studies.diagnose.study import diagnose
from karat.studies.justify.study import justify
from karat.studies.nuggets.study import nuggets
from karat.studies.qa.betas import CROSSINGS, BetaCrossing, BetaCurves, beta_chart
from karat.studies.qa.charts import _histogram
from tests.decompositions import C, E, Part, random_parts, world
from tests.studies import diagnose_by_hand as hand
from tests.studies.qa_scored import scored
from tests.studies.qa_worlds import matches_of, nouns, random_world

Write = Callable[[str, str], Path]
Make = Callable[..., tuple[karat.Pairs, karat.Responses]]
ODD = ("low", "high", "a<b>&$\x00", "名前" * 200)
"""Names that could be taken for an end of an interval, for markup or for a formula, and one without end."""


def charts(result: StudyResult) -> dict[str, Chart]:
    """All charts, by name; and every one of them can be drawn, whatever its names are."""
    made = result.charts()
    for chart in made:
        draw(chart)
    names = [chart.name for chart in made]
    assert len(names) == len(set(names))
    return dict(zip(names, made, strict=True))


def diagnosed(names: Sequence[str], seed: int = 1, originals: int = 40) -> tuple[list[Part], Diagnosis]:
    """A random world of so many runs, and what is said of it."""
    parts = random_parts(seed, originals, len(names))
    return parts, diagnose(*world(parts, names), replicates=99)


def by_hand(parts: list[Part], name: str, run: int) -> tuple[float, float]:
    """Correlation index, and the index of positive pairs less that of negative ones; NaN where undefined."""
    sides = [hand.correlation_index(parts, name, run, side) for side in ("positive", "negative")]
    whole = hand.correlation_index(parts, name, run)
    apart = None if None in sides else sides[0] - sides[1]  # type: ignore[operator]
    return tuple(math.nan if one is None else float(one) for one in (whole, apart))  # type: ignore[return-value]


@pytest.mark.parametrize("names", [("only",), ODD])
def test_category_indices(names: tuple[str, ...]) -> None:
    """A row for all pairs and each category of each run, each with its own mark and its interval."""
    parts, result = diagnosed(names)
    drawn = charts(result)
    groups = ["all", *dict.fromkeys(row.name for row in result.categories)]
    for at, figure in enumerate(("category-indices-correlation", "category-indices-deviation")):
        chart = drawn[figure]
        assert isinstance(chart, Dots)
        rows = [(group, run) for group in groups for run in names]
        alone = len(names) == 1
        assert list(chart.labels) == [group if alone else f"{group}: {run}" for group, run in rows]
        assert chart.rule == 1 - at
        assert chart.ends is not None
        assert chart.dots == list(names)
        for place, (group, run) in enumerate(rows):
            value = by_hand(parts, group, names.index(run))[at]
            assert chart.series[run][place] == pytest.approx(value, nan_ok=True)
            assert all(math.isnan(chart.series[other][place]) for other in names if other != run)
            (row,) = (one for one in (*result.overall, *result.categories) if (one.run, one.name) == (run, group))
            interval = (row.correlation_interval, row.deviation_interval)[at] or (math.nan, math.nan)
            assert [chart.series[end][place] for end in chart.ends] == pytest.approx(interval, nan_ok=True)
            if at:
                assert abs(value) == pytest.approx(row.deviation_index, nan_ok=True)
        known = [value for values in chart.series.values() for value in values if value == value]
        assert chart.low <= min(0, *known)
        assert chart.high >= max(1 - at, *known)


@pytest.mark.parametrize("count", [25, 60])
def test_many_runs_are_fields_of_colour(count: int) -> None:
    """More runs than marks can tell apart all stand in one table of colours; none is left out."""
    names = [f"run{at}" for at in range(count)]
    parts, result = diagnosed(names, seed=2, originals=15)
    drawn = {chart.name: chart for chart in result.charts()}
    phenomena, categories = drawn["phenomena"], drawn["categories"]
    index = drawn["category-indices-correlation"]
    assert isinstance(phenomena, Heat)
    assert isinstance(categories, Heat)
    assert isinstance(index, Heat)
    assert list(phenomena.series) == list(categories.labels) == list(index.labels) == names
    assert phenomena.axes == ("run", "phenomenon")
    for at, run in enumerate(names):
        for group in index.series:
            assert index.series[group][at] == pytest.approx(by_hand(parts, group, at)[0], nan_ok=True)
        for label, values in categories.series.items():
            exact = hand.share(hand.groups(parts)[label.rstrip("*")][0], at)
            assert values[at] == pytest.approx(float(exact))  # type: ignore[arg-type]
        for place, label in enumerate(phenomena.labels):
            exact = hand.share(hand.groups(parts)[label.rstrip("*")][0], at)
            assert phenomena.series[run][place] == pytest.approx(float(exact))  # type: ignore[arg-type]
    draw(index)


def test_how_many_make_a_table_of_colours() -> None:
    """Up to four runs are marks, and intervals are drawn as long as their rows can be read."""
    for count in (MARKS, MARKS + 1):
        _, result = diagnosed([f"run{at}" for at in range(count)])
        kinds = {chart.name: type(chart) for chart in result.charts()}
        assert kinds["phenomena"] is kinds["categories"] is (Dots if count <= MARKS else Heat)
        rows = count * (1 + len({row.name for row in result.categories}))
        assert kinds["category-indices-correlation"] is (Dots if rows <= INTERVALS else Heat)


def test_categories_and_their_originals() -> None:
    """Of one run the parts with their interval, and the originals beside them, as plain loops have both."""
    parts, result = diagnosed(["low"])
    chart = charts(result)["categories"]
    assert isinstance(chart, Dots)
    assert chart.dots == ["parts", "originals"]
    assert "low" in chart.title.rpartition(":")[2]
    for place, label in enumerate(chart.labels):
        mono, originals = hand.groups(parts)[label.rstrip("*")]
        assert chart.series["parts"][place] == pytest.approx(float(hand.share(mono, 0) or 0))
        assert chart.series["originals"][place] == pytest.approx(float(hand.share(originals, 0) or 0))
        assert chart.series["low"][place] <= chart.series["parts"][place] <= chart.series["high"][place]


def test_originals_by_their_index() -> None:
    """Every original is counted once, where a plain loop puts it; run and side have a row each."""
    parts, result = diagnosed(ODD)
    chart = charts(result)["indices"]
    assert isinstance(chart, Counts)
    expected: Counter[tuple[str, str]] = Counter()
    for at, run in enumerate(ODD):
        for original in (one for one in parts if not one.phenomenon):
            own = [one for one in parts if one.original == original.id]
            k, m = sum(one.right[at] for one in own), len(own)
            name = "0" if k else "0/0"
            if original.right[at]:
                name = str(Fraction(m, k)) if k else "undefined"
            expected[f"{run} {'positive' if original.label == E else 'negative'}", name] += 1
    found = {
        (label, name): counts[row]
        for row, label in enumerate(chart.labels)
        for name, counts in chart.series.items()
        if counts[row]
    }
    assert found == expected
    assert all(chart.x[name] == [float(Fraction(name))] for name in chart.on_scale())


def test_any_attribute_has_phenomena_alone() -> None:
    """Without originals there is accuracy by phenomenon, and nothing that needs originals."""
    parts = [Part(f"p{at}", (E, C)[at % 2], right=(at % 3 > 0,)) for at in range(24)]
    decomposition, runs = world([*parts, Part("m", E, "p0", "lexical:synonymy", (True,))], ["run"])
    result = diagnose(by_attribute(decomposition.pairs, "phenomenon", None).pairs, runs, by="phenomenon")
    assert list(charts(result)) == ["phenomena"]


def test_difficulty(make: Make) -> None:
    """Pairs by how many runs are right on them, label by label, as counted by hand; they add up to all pairs."""
    key, runs = make("E U C E", a="1 E\n2 E\n3 E\n4 U", b="1 E\n2 U\n3 E\n4 C")
    (chart,) = karat.items(key, runs).charts()
    assert isinstance(chart, Bars)
    assert chart.labels == ("0", "1", "2")
    assert chart.series == {"ENTAILMENT": [1, 0, 1], "UNKNOWN": [0, 1, 0], "CONTRADICTION": [1, 0, 0]}
    assert chart.high == 1


def test_difficulty_of_the_examples(key: karat.Pairs, runs: karat.Responses) -> None:
    """The bars of a label add up to its pairs, and weighted by their place to its right answers."""
    result = karat.items(key, runs)
    (chart,) = result.charts()
    for at, (label, counts) in enumerate(chart.series.items()):
        assert sum(counts) == sum(item.label == label for item in result.items)
        assert sum(place * count for place, count in enumerate(counts)) == result.pooled[at][at]


RATINGS = "run\tunit\tjudge\tunderstandable\tcompelling\n"


def rated(write: Write, rows: Sequence[tuple[str, str, str, str, str]]) -> dict[str, Chart]:
    """The charts of some ratings."""
    text = RATINGS + "".join("\t".join(row) + "\n" for row in rows)
    return charts(justify(read_justifications(write("ratings.tsv", text)), replicates=100))


def test_ratings_and_ranks_by_hand(write: Write) -> None:
    """Shares of the numbers given, 0 where a criterion was not asked; mean ranks with 1 on top."""
    rows = [("a", "1", "ann", "5", "4"), ("b", "1", "ann", "2", ""), ("a", "2", "ann", "3", "1")]
    rows += [("b", "2", "ann", "3", "5"), ("a", "1", "ben", "1", ""), ("b", "1", "ben", "4", "4")]
    rows += [("a", "2", "ben", "4", "2"), ("b", "2", "ben", "4", "2")]
    drawn = rated(write, rows)
    shares = drawn["ratings-compelling"]
    assert isinstance(shares, Bars)
    assert shares.labels == tuple("012345")
    assert shares.series == {"a": [0.25, 0.25, 0.25, 0, 0.25, 0], "b": [0.25, 0, 0.25, 0, 0.25, 0.25]}
    assert shares.axes == ("compelling (0: not asked)", "share")
    assert drawn["ratings-understandable"].labels == tuple("12345")  # type: ignore[attr-defined]
    ranks = drawn["mean-ranks-understandable"]
    assert isinstance(ranks, Lines)
    # ann: pair 1 a before b, pair 2 tied at 1.5; ben: pair 1 b before a, pair 2 tied.
    assert ranks.series == {"a": [1.25, 1.75], "b": [1.75, 1.25]}
    assert (ranks.low, ranks.high, ranks.labels) == (2, 1, ("ann", "ben"))
    assert ranks.marked == ("a", "b")


def test_one_judge_has_no_lines(write: Write) -> None:
    """Ratings of one judge are drawn as histograms, and ranks from judge to judge are not."""
    drawn = rated(write, [("a", "1", "ann", "5", "4"), ("b", "1", "ann", "2", "")])
    assert list(drawn) == ["ratings-understandable", "ratings-compelling"]


def test_a_run_without_ratings_has_no_bars(write: Write) -> None:
    """Where every pair of a run was skipped its shares are undefined, not 0."""
    rows = [("a", "1", "ann", "5", "4"), ("b", "1", "ann", "4", "4"), ("none", "2", "ann", "skip", "")]
    rows += [("a", "1", "ben", "5", "3"), ("b", "1", "ben", "4", "4"), ("none", "2", "ben", "skip", "")]
    drawn = rated(write, rows)
    shares = drawn["ratings-compelling"].series
    assert all(math.isnan(share) for share in shares["none"])
    assert sum(shares["a"]) == 1
    assert drawn["ratings-compelling"].high == 1.0  # type: ignore[attr-defined]


def binned(score: float) -> int:
    """The bar of a score, in exact steps: 0 alone, then the first tenth that is not below it."""
    if score == 0:
        return 0
    return next(place for place in range(1, 11) if score <= place / 10 + 1e-9)


@pytest.mark.parametrize("seed", [1, 4])
def test_question_scores(seed: int) -> None:
    """Histograms of each run over series, lists and other questions, by a loop over the scores."""
    result = scored(random_world(seed, runs=3, series=6))
    drawn = charts(result)
    for unit in ("series", "list", "other"):
        scores = result.scores(unit)
        chart = drawn[f"question-scores-{unit}"]
        assert isinstance(chart, Bars)
        assert chart.labels == ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
        for run, row in zip(scores.runs, scores.values.tolist(), strict=True):
            counts = Counter(map(binned, row))
            assert list(chart.series[run]) == [counts[place] for place in range(11)]
        assert chart.high == max(max(counts) for counts in chart.series.values())


def test_edges_of_a_histogram() -> None:
    """A tenth holds its upper end, rounding apart; 0 stands alone; more than 1 is with 1; the undefined is nowhere."""
    scores = [0.0, 1e-6, 0.1, 0.1 + 0.2, 0.30001, 1.0, 1.2, math.nan]
    assert _histogram(scores) == [1, 2, 0, 1, 1, 0, 0, 0, 0, 0, 2]


def test_question_runs_and_series() -> None:
    """Runs by rank with their intervals, and series by median: the numbers of the result, none left out."""
    result = scored(random_world(3, runs=5, series=7))
    drawn = charts(result)
    runs = {run.run: run for run in result.runs}
    chart = drawn["question-runs"]
    assert isinstance(chart, Dots)
    assert set(chart.labels) == set(runs)
    ranked = [runs[label].by_series.value for label in chart.labels]
    assert ranked == sorted(ranked, reverse=True) == list(chart.series["score"])
    for place, label in enumerate(chart.labels):
        parts = [chart.series[name][place] for name in ("factoid", "list", "other", "low", "high")]
        run = runs[label]
        expected = [run.factoid.score.value, run.list.score.value, run.other.score.value]
        assert parts == [*expected, run.by_series.low, run.by_series.high]
    boxes = drawn["series"]
    assert isinstance(boxes, Boxes)
    medians = list(boxes.series["median"])
    assert medians == sorted(medians, reverse=True)
    for place, label in enumerate(boxes.labels):
        scores = sorted(run.series[label.split()[0]] for run in result.runs)
        five = [boxes.series[name][place] for name in ("low", "lower", "median", "upper", "high")]
        assert five == pytest.approx([scores[at] for at in range(5)])  # of five numbers the quartiles are the numbers


def test_what_is_not_scored_is_not_drawn() -> None:
    """One run has no boxes; without judgments and nuggets nothing of them is there."""
    alone = charts(scored(random_world(5, runs=1)))
    assert "series" not in alone
    assert "question-beta" in alone
    bare = charts(scored(random_world(5), without=("verdicts",)))
    assert {"question-scores-other", "question-beta"} <= set(bare)
    assert not {"series", "question-scores-series", "question-scores-list"} & set(bare)
    only = charts(scored(random_world(8, series=0, alone=5), without=("matches",)))
    assert only["question-runs"].ends is None  # type: ignore[attr-defined]
    assert "question-beta" not in only


def test_beta_lines_bend_where_they_should() -> None:
    """Each line is the mean F at every β drawn, and a crossing lies on both of its lines."""
    result = nuggets(matches_of(random_world(6, runs=4)).with_texts(nouns(random_world(6, runs=4))["answers"]))
    assert result.betas is not None
    chart = charts(result)["beta"]
    assert isinstance(chart, Lines)
    for ranking in result.betas.rankings:
        for run, score in ranking.scores.items():
            ((_, drawn),) = [point for point in chart.points(run) if math.isclose(point[0], ranking.beta)]
            assert drawn == pytest.approx(score, abs=1e-12)
    every = [value for run in result.runs for value in chart.series[run.run]]
    assert chart.reach == (0.0, 10.0)
    assert chart.low == (0 if min(every) <= max(every) / 2 else min(every))
    assert chart.high == max(every)
    assert result.betas.crossings
    assert [x for x, _ in chart.points(CROSSINGS)] == sorted(one.beta for one in result.betas.crossings)
    assert chart.scattered == (CROSSINGS,)


def test_too_many_crossings_are_counted() -> None:
    """Twenty crossings are marked; of more the title has the number, and the lines stay clear."""
    curves = {"a": [1.0, 0.6], "b": [0.6, 1.0]}
    for count in (20, 21):
        crossings = [BetaCrossing("a", "b", place / 10) for place in range(count)]
        chart = beta_chart(BetaCurves([0.0, 10.0], curves, [], crossings))
        assert (CROSSINGS in chart.series) == (count == 20)
        assert ("21 times two runs change places" in chart.title) == (count == 21)
        assert (chart.low, chart.high) == (0.6, 1.0)


def test_nugget_scores() -> None:
    """Runs by support of vital nuggets with its interval; without lengths there is no F, and no β to draw."""
    world_of = random_world(9, runs=4)
    result = nuggets(matches_of(world_of))
    drawn = charts(result)
    chart = drawn["nugget-scores"]
    assert isinstance(chart, Dots)
    assert chart.dots == ["vital", "vital, strict"]
    runs = {run.run: run for run in result.runs}
    assert list(chart.series["vital"]) == sorted((run.vital for run in runs.values()), reverse=True)
    for place, label in enumerate(chart.labels):
        run = runs[label]
        assert chart.series["vital, strict"][place] == run.strict_vital
        ends = run.interval["vital"]
        assert (chart.series["low"][place], chart.series["high"][place]) == (ends.low, ends.high)
    assert "beta" not in drawn


def ablation(*rows: Worth) -> Ablation:
    """A made-up ablation: parts where a row has no value, slices where it has."""
    signature = Signature("0", "ablate", (), (), None, None, None, None, {"by": "task"})
    return Ablation(
        study="ablate",
        signature=signature,
        engine="x",
        way="3",
        knowledge={},
        validated="",
        pairs=9,
        accuracy=Estimate(0.5, 0.4, 0.6),
        parts=[row for row in rows if row.value is None],
        slices=[row for row in rows if row.value is not None],
    )


def test_worth() -> None:
    """Parts from the most to the least, 0 in the middle; by value a part without such pairs is undefined."""
    first = Worth("a", None, 9, 0.5, Estimate(-0.1, -0.3, 0.0), 0, 1, 1.0, 1.0)
    second = replace(first, without="b<$\x00", worth=Estimate(0.2, 0.1, 0.25))
    slices = [replace(first, value="QA", worth=Estimate(0.4, 0, 0)), replace(second, value="IE")]
    drawn = charts(ablation(first, second, *slices))
    chart, by_value = drawn["worth"], drawn["worth-by-value"]
    assert isinstance(chart, Dots)
    assert isinstance(by_value, Heat)
    assert chart.labels == ("b<$\x00", "a")
    assert (chart.low, chart.high, chart.rule) == (-0.3, 0.3, 0.0)
    assert chart.series == {"worth": [0.2, -0.1], "low": [0.1, -0.3], "high": [0.25, 0.0]}
    assert (by_value.labels, by_value.low, by_value.high) == (("QA", "IE"), -0.4, 0.4)
    assert by_value.axes == ("part", "task")
    assert list(by_value.series) == ["b<$\x00", "a"]
    assert by_value.series["a"][0] == 0.4
    assert by_value.series["b<$\x00"][1] == 0.2
    assert math.isnan(by_value.series["a"][1])
    assert list(charts(ablation(first))) == ["worth"]
    assert charts(ablation()) == {}
