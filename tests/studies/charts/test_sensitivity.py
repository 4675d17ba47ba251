"""Rankings under other choices, drawn."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import karat
from karat.examples import BALLOTS, RUNS
from karat.formats.ballots import read_ballots
from karat.render.scale import dot_range
from karat.studies.rankings import RankingChange, ranking_change, tau_dots
from karat.studies.sensitivity.study import sensitivity
from tests.studies.charts.reading import of, place, values


def test_setting_ranks_in_loops(key: karat.Pairs) -> None:
    """Each run's place under each setting, counted from the scores, the official one first."""
    three = karat.read_runs([file for file in sorted(RUNS.iterdir()) if file.stem != "two-way"], key)
    result = sensitivity(three, ballots=read_ballots(BALLOTS, key))
    chart = of(result)["setting-ranks"]
    assert list(values(chart)) == [one.label for one in result.settings]
    assert chart.series[0].name.startswith("official ")
    for column, one in zip(chart.series, result.settings, strict=True):
        assert list(column.values) == [place(run, one.scores) for run in chart.labels]
    assert not {column for _, column in chart.marked} & {0}
    assert {column for _, column in chart.marked} == {at for at, one in enumerate(result.settings) if one.largest_move}
    alike = of(result)["sensitivity"]
    assert list(alike.labels) == list(values(chart))[1:]
    assert values(alike) == {
        "tau-b": [one.tau_b for one in result.settings[1:]],
        "tau-AP-b": [one.tau_ap_b for one in result.settings[1:]],
    }


def test_tau_below_nought_is_in_sight() -> None:
    """Rankings turned round are drawn below 0, those alike on a scale from 0; nothing known is not drawn."""

    def change(tau: float, at_top: float) -> RankingChange:
        made = ranking_change(("a", "b"), np.arange(2.0), np.arange(2.0))
        return replace(made, tau_b=tau, tau_ap_b=at_top)

    (turned,) = tau_dots([("a", change(-0.9, -0.4)), ("a", change(0.5, math.nan))])
    assert dot_range(turned) == (-1, 1)
    assert turned.labels == ("a", "a")
    (alike,) = tau_dots([("a", change(0.2, 0.9))])
    assert dot_range(alike) == (0, 1)
    assert list(tau_dots([("a", change(math.nan, math.nan))])) == []
