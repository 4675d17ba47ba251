"""Automatic judges drawn."""

from __future__ import annotations

import pytest

import karat
from karat.examples import JUDGED
from karat.formats.ballots import read_ballots
from karat.render.scale import dot_range
from karat.studies.judge.study import judge
from tests.studies.charts.reading import of, values


def test_judge_bias_in_loops(key: karat.Pairs, runs: karat.Responses) -> None:
    """Right answers by the judge's key less those by people's majority, kindest first, inside its interval."""
    said = read_ballots(JUDGED, key)
    result = judge(said, automatic=["auto"], runs=runs)
    charts = of(result)
    assert set(charts) == {"judge-rates", "judge-scores", "judge-bias"}
    chart = charts["judge-bias"]
    rows = {one.run: one for one in result.judges[0].ranking.bias}
    assert set(chart.labels) == set(rows)
    drawn = values(chart)["bias"]
    assert drawn == [pytest.approx(rows[run].judge - rows[run].human) for run in chart.labels]
    assert drawn == sorted(drawn, reverse=True)
    for value, (low, high) in zip(drawn, chart.intervals, strict=True):
        assert low <= value <= high
    assert chart.rule == 0
    low, high = dot_range(chart)
    assert low <= min(one.low for one in chart.intervals) < 0 < max(one.high for one in chart.intervals) <= high
    scores = values(charts["judge-scores"])
    assert scores["people's key"] == sorted(scores["people's key"], reverse=True)
    assert scores["judge's key"] == [rows[run].judge for run in charts["judge-scores"].labels]
    assert chart.note == "judge: auto"


def test_judges_are_told_apart(key: karat.Pairs, runs: karat.Responses) -> None:
    """Of two judges each has figures of its own name; without runs there is none of scores or bias."""
    said = read_ballots(JUDGED, key)
    two = of(judge(said, automatic=["auto", "cleo"], runs=runs))
    assert set(two) == {f"judge-{kind}-{who}" for kind in ("rates", "scores", "bias") for who in ("auto", "cleo")}
    assert set(of(judge(said, automatic=["auto"]))) == {"judge-rates"}
