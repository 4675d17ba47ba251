"""Figures of scores: what stands where, in every way, for one run, for many, and for names that mean harm."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.data.charts import Heat, Lines, Panels, Points
from karat.data.provenance import Source
from karat.data.responses import Run, RunInfo
from karat.labels import THREE
from karat.render.scale import point_scales
from karat.studies.score.charts import _standing_out
from karat.studies.score.result import Evaluation
from tests.studies.charts.reading import line

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


def chart(result: Evaluation, name: str) -> Any:
    """One of the charts."""
    return {one.name: one for one in result.charts()}[name]


def stated(key: karat.Pairs, name: str, codes: Any, confidence: Any) -> Run:
    """A three-way run under any name."""
    position = np.arange(len(key), dtype=np.int32)
    info = RunInfo(name, THREE, Source(name, "0" * 64), ranked_by="response", numeric=True)
    return Run(info, np.asarray(codes, np.int8), position, np.asarray(confidence, np.float64), None, None)


def plain_information(key: list[str], answers: list[str]) -> float:
    """I(G;L) in bits, less the correction of Miller and Madow, cell by cell."""
    n = len(key)
    cells = {
        pair: sum(1 for one in zip(key, answers, strict=True) if one == pair) for pair in zip(key, answers, strict=True)
    }
    bits = 0.0
    for (label, answer), count in cells.items():
        bits += count / n * math.log2(count * n / (key.count(label) * answers.count(answer)))
    return bits - (len(cells) - len(set(key)) - len(set(answers)) + 1) / (2 * n * math.log(2))


def test_information_by_hand(make: Make) -> None:
    """A mark is at corrected information and accuracy; an inverted run is right and low, the trivial ones at 0."""
    labels = "E E E E U U C C"
    answers = {"perfect": labels, "inverted": "C C C C E E U U", "some": "E E U E U E U C"}
    runs = {name: "".join(f"{at} {one}\n" for at, one in enumerate(said.split(), 1)) for name, said in answers.items()}
    drawn = chart(karat.score(make(labels, **runs)[1]), "information")
    assert isinstance(drawn, Points)
    places = {name: (x, y) for name, x, y, kind, _ in drawn.points if kind == "runs"}
    for name, said in answers.items():
        shares = [one == other for one, other in zip(labels.split(), said.split(), strict=True)]
        assert places[name] == pytest.approx((plain_information(labels.split(), said.split()), sum(shares) / 8))
    assert places["inverted"][0] == pytest.approx(places["perfect"][0])
    trivial = {name: (x, y) for name, x, y, kind, _ in drawn.points if kind == "baselines"}
    assert {x for x, _ in trivial.values()} == {0.0}
    assert {name: round(y, 6) for name, (_, y) in trivial.items()} == {
        "(always-entailment)": 0.5,
        "(always-unknown) and 1 more": 0.25,  # ◇ and ⊣ are two of eight each
        "(random-uniform)": 0.333333,
        "(random-key)": 0.375,
    }
    assert point_scales(drawn)[1] == (0.0, 1.0)
    assert all("three-way" in axis for axis in drawn.axes)


def test_information_of_examples(runs: karat.Responses) -> None:
    """Every run has one mark, as a run, at the values of the table."""
    result = karat.score(runs)
    drawn = chart(result, "information")
    for row in result.runs:
        (mine,) = (point for point in drawn.points if point.name == row.name)
        x, y = row.value("2", "information_corrected"), row.value("2", "accuracy")
        assert mine[:4] == (row.name, x, y, "runs")
    # The key is balanced: two-way, all five baselines are right on half.
    ((name, *_),) = (point for point in drawn.points if point.kind == "baselines")
    assert name == "(always-entailment) and 4 more"


def test_both_ways(runs: karat.Responses) -> None:
    """Asked for both ways, each has its figure; a two-way run is in the second alone; confidences have one."""
    charts = karat.score(runs, way="both").charts()
    assert [one.name for one in charts] == [
        *("conditioned-3-way", "conditioned-2-way", "information-3-way", "information-2-way", "confidence")
    ]
    for kind in ("conditioned", "information"):
        three, two = (next(one for one in charts if one.name == f"{kind}-{way}-way") for way in "32")
        assert "two-way" in names_of(two)
        assert "two-way" not in names_of(three)


def test_slices_are_drawn_first(runs: karat.Responses) -> None:
    """Asked for by an attribute, every run on every value of it comes first, with n; few runs have intervals."""
    result = karat.score(runs, by=["task"])
    table = result.charts()[0]
    assert isinstance(table, Heat)
    assert (table.name, table.asked_for) == ("slices", True)
    for part, column in zip(result.slices, table.series, strict=True):
        right = {one.run: (one.values["2"] or {})["accuracy"] for one in part.runs}
        assert (column.name, dict(zip(table.labels, column.values, strict=True))) == (f"{part.value} (n 40)", right)
    assert table.text(0.825) == "82"
    assert not [one for one in karat.score(runs).charts() if one.asked_for]
    many = replace(result, slices=[replace(part, value=f"v{at}") for at in range(9) for part in result.slices[:2]])
    turned = many.charts()[0]
    assert isinstance(turned, Heat)
    assert (turned.counts, turned.axes) == ((40,) * 18, ("run", "task"))
    first, *others = result.slices
    few = replace(result, slices=[*others, replace(first, units=9), replace(first, units=3)]).charts()[0]
    assert isinstance(few, Heat)
    assert [column.name for column in few.series] == [f"{part.value} (n 40)" for part in others]
    assert few.note == "the table also has 2 values with fewer than 10 pairs"
    two = karat.Responses.of(runs.key, runs.runs[:2])
    result = karat.score(two, by=["task"])
    panels = result.charts()[0]
    assert isinstance(panels, Panels)
    for panel in panels.panels:
        for place, part in enumerate(result.slices):
            (mine,) = (one for one in part.runs if one.run == panel.title)
            assert panel.labels[place] == f"{part.value} (n {part.units})"
            assert panel.intervals[place] == (mine.intervals[result.sliced_way] or {})["accuracy"]


def test_named_points_stand_out() -> None:
    """The highest and the one furthest right have names, and those far from the line through the others."""
    line = [(x / 10, 0.4 + x / 20 + (0.001 if x % 2 else -0.001)) for x in range(8)]
    assert _standing_out(line) == {7}
    assert _standing_out([*line, (0.5, 0.2)]) == {7, 8}
    assert _standing_out([(0.1, 0.9), (0.5, 0.2), (0.2, 0.1)]) == {0, 1}
    assert _standing_out([(0.0, 0.5)]) == {0}


def names_of(drawn: Any) -> list[str]:
    """The runs of a chart."""
    return [point.name for point in drawn.points] if isinstance(drawn, Points) else list(drawn.labels)


def test_information_needs_its_measures(runs: karat.Responses) -> None:
    """Where other measures are asked for there is nothing to draw."""
    assert karat.score(runs, measure=["kappa"]).charts() == []
    assert karat.score(runs, measure=["accuracy"]).charts()[0].name == "confidence"


def test_own_weights(make: Make) -> None:
    """Under each run's own weights the baselines, which have none, are not drawn."""
    _, runs = make("E U C", run="1 E 0.9\n2 U 0.5\n3 E 0.1\n")
    drawn = chart(karat.score(runs, weights="linear"), "information")
    assert [(point.name, point.kind) for point in drawn.points] == [("run", "runs")]


def test_confidence_by_hand(make: Make) -> None:
    """A point is the mean confidence and the share right of a tenth; few pairs have none, and no line leads over it."""
    # nine pairs at .05 (3 right), four at .15 (too few), five at .25 (all right)
    answers = [("U", 0.05)] * 3 + [("E", 0.05)] * 6 + [("U", 0.15)] * 4 + [("U", 0.25)] * 4 + [("C", 0.25)]
    text = "".join(f"{at} {label} {sure}\n" for at, (label, sure) in enumerate(answers, 1))
    _, runs = make("U " * 17 + "C", a=text, b=text)
    drawn = chart(karat.score(runs), "confidence")
    assert isinstance(drawn, Lines)
    assert [[(round(x, 9), round(y, 9)) for x, y in part] for part in line(drawn, "a").stretches] == [
        [(0.05, round(1 / 3, 9))],
        [(0.25, 1.0)],
    ]
    assert line(drawn, "perfectly calibrated").points == [(0.0, 0.0), (1.0, 1.0)]
    assert [one.look for one in drawn.lines] == ["both", "both", "reference"]
    alone = chart(karat.score(make("U " * 17 + "C", a=text)[1]), "confidence")
    (interval,) = line(alone, "a").variants
    assert interval.kind == "95% CI"
    # Wilson's, of 3 of 9 and of 5 of 5: first the low ends, then the high ones.
    ends = interval.points
    assert [x for x, _ in ends] == pytest.approx([0.05, 0.25, 0.05, 0.25])
    assert [y for _, y in ends] == pytest.approx([0.120584, 0.565518, 0.645798, 1.0], abs=1e-6)


def test_few_pairs_have_no_figure(make: Make) -> None:
    """Where no tenth has enough pairs to tell a share, nothing is drawn; the table stands."""
    result = karat.score(make("E U C", run="1 E 0.9\n2 U 0.5\n3 E 0.1\n")[1])
    assert "confidence" not in [one.name for one in result.charts()]
    assert result.sheet_named("Reliability").columns[0].values == ["run"]


HOSTILE = ["a<b>&\"'", "$x_{1}$", "nul\0bell\a", "長い名前", "l" * 300, "perfectly calibrated", "(always-entailment)"]


def test_hostile_names(key: karat.Pairs, tmp_path: Path) -> None:
    """Names that are markup, mathematics, control characters, wide, endless or like ours draw as XML that parses."""
    random = np.random.default_rng(0)
    made = [stated(key, name, random.integers(0, 3, len(key)), random.random(len(key))) for name in HOSTILE]
    result = karat.score(karat.Responses.of(key, made))
    assert len(result.charts()) == 3
    for drawn in result.charts():
        result.figure(drawn.name).save(tmp_path / "drawn.svg")
        assert len(list(ElementTree.parse(tmp_path / "drawn.svg").iter())) > 50
    assert result.render("text")
    assert {point.name for point in chart(result, "information").points} >= set(HOSTILE)


@pytest.mark.parametrize(("count", "drawn"), [(1, True), (60, True), (61, False)])
def test_how_many(key: karat.Pairs, count: int, drawn: bool) -> None:
    """Sixty runs are drawn as points and sixty-one are not; five have their lines, and the picture says of how many."""
    random = np.random.default_rng(count)
    runs = [stated(key, f"run {at}", random.integers(0, 3, len(key)), random.random(len(key))) for at in range(count)]
    result = karat.score(karat.Responses.of(key, runs))
    assert ("information" in [one.name for one in result.charts()]) == drawn
    lines = chart(result, "confidence")
    best = [row.name for row in result.systems()[: min(count, 5)]]
    assert [one.name for one in lines.lines if one.look == "both"] == best
    assert lines.note == f"the first 5 of {count} runs" * (count > 5)


def test_a_run_called_as_the_diagonal(key: karat.Pairs) -> None:
    """It has its line, and the diagonal is drawn all the same."""
    random = np.random.default_rng(1)
    runs = [stated(key, "perfectly calibrated", random.integers(0, 3, len(key)), random.random(len(key)))]
    drawn = chart(karat.score(karat.Responses.of(key, runs)), "confidence")
    assert [(one.name, one.look) for one in drawn.lines] == [
        ("perfectly calibrated", "both"),
        ("perfectly calibrated", "reference"),
    ]
