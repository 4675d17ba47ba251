"""What other keys do to runs, drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import karat
from karat.data.ballots import Ballots, Scale, anonymous_ballots
from karat.data.charts import Dots
from karat.examples import BALLOTS
from karat.formats.ballots import read_ballots
from karat.labels import THREE
from karat.render.scale import dot_range
from karat.studies.base import StudyResult
from karat.studies.keys.study import keys
from karat.studies.rankings import best, places
from tests.studies.charts.reading import of, place, values

Make = Callable[..., tuple[karat.Pairs, karat.Responses]]


@pytest.fixture(scope="module")
def other_keys(key: karat.Pairs, runs: karat.Responses) -> StudyResult:
    """The shipped runs under the shipped ballots."""
    return keys(runs, read_ballots(BALLOTS, key), draws=200, replicates=20)


def test_key_ranks_in_loops(other_keys: Any) -> None:
    """Each run's place under each key, counted from the scores; the official key comes first, place 1 on top."""
    chart = of(other_keys)["key-ranks"]
    assert list(values(chart)) == [one.name for one in other_keys.keys]
    assert next(iter(values(chart))) == "adjudicated"
    assert list(chart.labels) == best(other_keys.keys[0].scores)
    for column, one in enumerate(other_keys.keys):
        assert list(chart.series[column].values) == [place(run, one.scores) for run in chart.labels]
        moved = {row for row, run in enumerate(chart.labels) if place(run, one.scores) != place(run, one.official)}
        assert {row for row, at in chart.marked if at == column} == moved
    assert (chart.high, chart.low) == (1, max(max(one.values) for one in chart.series))
    assert chart.marked


def test_random_ranks_in_loops(other_keys: Any) -> None:
    """Places under random keys as the result has them, officially best first, 1 at the left."""
    chart = of(other_keys)["random-ranks"]
    assert isinstance(chart, Dots)
    rows = {row.run: row for row in other_keys.random.runs}
    official = {run: row.official for run, row in rows.items()}
    drawn = values(chart)
    assert drawn["official"] == [place(run, official) for run in chart.labels]
    assert drawn["official"] == sorted(drawn["official"])
    assert drawn["mean of the draws"] == [rows[run].rank for run in chart.labels]
    assert list(chart.intervals) == [(rows[run].rank_low, rows[run].rank_high) for run in chart.labels]
    low, high = dot_range(chart)
    assert low == 1
    assert high >= max(interval.high for interval in chart.intervals)


def crowd_of_runs(make: Make, runs: int, **more: Any) -> tuple[karat.Pairs, Ballots, karat.Responses]:
    """Runs that are right on one pair more each, and ballots of two that differ on some."""
    labels = ["E", "U", "C"] * 20
    texts = {
        f"run{run:02}": "\n".join(
            f"{at} {label if at <= run else labels[at % 60]}" for at, label in enumerate(labels, 1)
        )
        for run in range(runs)
    }
    key, made = make(" ".join(labels), **texts, **more)
    codes = ["EUC".index(label) for label in labels]
    said = [[code, (code + (at % 4 == 0)) % 3] for at, code in enumerate(codes)]
    return key, anonymous_ballots(key.ids, said, Scale(THREE.labels)), made


def test_many_runs_are_cut_to_the_best(make: Make) -> None:
    """Of seventy runs the sixty best have rows and the thirty best lines, and every picture says so."""
    _, said, runs = crowd_of_runs(make, 70)
    result = keys(runs, said, draws=50, replicates=10)
    official = result.keys[0].scores
    expected = sorted(official, key=lambda run: (-official[run], list(official).index(run)))[:60]
    charts = of(result)
    assert list(charts["key-ranks"].labels) == expected[:30]
    assert list(charts["random-ranks"].labels) == list(charts["key-scores"].labels) == expected
    for name, count in (("key-ranks", 30), ("random-ranks", 60), ("key-scores", 60)):
        assert charts[name].note.endswith(f"the best {count} of 70 runs")
    for column, one in zip(charts["key-ranks"].series, result.keys, strict=True):
        assert list(column.values) == [place(run, one.scores) for run in expected[:30]]  # among all seventy


def test_one_run_has_no_places(make: Make) -> None:
    """One run is scored under each key, and placed nowhere."""
    _, said, runs = crowd_of_runs(make, 1)
    assert set(of(keys(runs, said, draws=20, replicates=10))) == {"key-scores"}


def test_undisputed_ballots_draw_nothing_at_random(make: Make) -> None:
    """Where nobody disagrees every random key is the same, and no figure of them is drawn."""
    key, runs = make("E U C E", a="1 E\n2 U\n3 E\n4 U", b="1 E\n2 E\n3 C\n4 E")
    said = anonymous_ballots(key.ids, [[0, 0], [1, 1], [2, 2], [0, 0]], Scale(THREE.labels))
    assert not {"key-scores", "random-ranks"} & set(of(keys(runs, said, draws=10, replicates=10)))


def test_places() -> None:
    """Tied runs share the mean of their places; a run without a score has none, and comes last."""
    scores = {"a": 0.5, "b": math.nan, "c": 0.7, "d": 0.5, "e": 0.1}
    made = places(scores)
    assert math.isnan(made.pop("b"))
    assert made == {"a": 2.5, "c": 1, "d": 2.5, "e": 4}
    assert best(scores) == ["c", "a", "d", "e", "b"]
    assert best(scores, 2) == ["c", "a"]
