"""Sizes drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import karat
from karat.data.scores import Scores
from karat.labels import IN_WORDS
from karat.render.scale import in_unit
from karat.studies.size.study import size
from tests.studies.charts.reading import matrix, of
from tests.undefined import all_explained


def power_by_hand(units: float, psi: float, difference: float) -> float:
    """That of McNemar's exact test at 5 %, over every number of discordant units and of wins among them."""
    power, better = 0.0, (psi + difference) / (2 * psi)
    for discordant in range(int(units) + 1):
        won = np.arange(discordant + 1)
        p = 2 * binom.cdf(np.minimum(won, discordant - won), discordant, 0.5)
        power += binom.pmf(discordant, units, psi) * binom.pmf(won, discordant, better)[p <= 0.05].sum()
    return power


def test_planning_in_loops(runs: karat.Responses) -> None:
    """A difference is drawn at the fewest units with which McNemar's test finds it; the units at hand are marked."""
    result = size(runs)
    (chart,) = of(result).values()
    (hand,) = result.detectables
    psi = hand.discordance.median
    alone, among, point = chart.lines
    assert [one.name for one in chart.lines] == [
        "two runs alone",
        "among all 45 pairs",
        "15.5 points now",
    ]
    for units, difference in alone.points[3::6]:
        assert power_by_hand(units, max(psi, difference), difference) >= 0.8
        assert power_by_hand(units - 1, max(psi, difference), difference) < 0.8
    for (fewer, difference), (more, same) in zip(alone.points, among.points, strict=True):
        assert (difference, fewer < more) == (same, True)
    assert (point.look, point.points) == ("marks", [(160, hand.corrected)])
    assert (chart.name, chart.log, chart.at, chart.at_name) == ("planning", True, 160, "you are here: 160 units")
    means = sorted((row.values["2"] or {})["accuracy"] for row in karat.score(runs).runs)
    assert chart.rule == hand.lead == pytest.approx(means[-1] - means[-2])
    assert chart.rule_name == "observed lead 3.8 points"
    drawn = in_unit(chart)
    assert (drawn.axes[1], drawn.rule) == ("smallest detectable difference (points)", 100 * hand.lead)
    assert drawn.lines[2].points == [(160, 100 * hand.corrected)]


def test_two_runs_are_the_only_pair(runs: karat.Responses) -> None:
    """Of two runs there is no median pair and nothing to correct for: text, table and caption speak of these."""
    result = size(runs.of_runs([0, 1]))
    (chart,) = result.charts()
    assert "It is for two runs that disagree as much as these. The vertical line" in chart.caption
    shown = " ".join([*result.findings(), chart.caption, *(one.heading for one in result.sheets()[0].columns)])
    assert "two runs that disagree as much as these have to differ by" in shown
    assert "median pair" not in shown.replace("ψ, median pair", "")
    assert "among all" not in shown
    right = np.random.default_rng(1).permutation([[1.0, 0.0]] * 40 + [[0.0, 1.0]] * 40).T
    (tied,) = size(Scores(("a", "b"), tuple(map(str, range(80))), right)).charts()
    assert "disagree as much as these. The" in tied.caption
    assert "so no lead is drawn." in tied.caption


def test_planning_agrees_with_the_table(runs: karat.Responses) -> None:
    """What the lead needs is on the curve, as the table has it, and a page without pictures says it."""
    result = size(runs)
    (hand,), (curve,) = result.detectables, result.curves
    (row,) = size(runs, difference=[hand.lead]).sizes
    (point,) = (one for one in curve.points if one.difference == hand.lead)
    assert point.units == row.units
    (line,) = (line for line in result.render("text").splitlines() if line.startswith("  two runs alone"))
    assert line.endswith(f"{100 * hand.lead:g} at {row.units:,}")


def test_planning_with_a_noisy_key(runs: karat.Responses) -> None:
    """Two-way errors e leave δ(1 − 2e) of a difference: a line beside that of a perfect key."""
    result = size(runs, noise=0.1)
    (chart,) = of(result).values()
    (noisy,) = (one for one in chart.lines if one.name == "two runs, noisy key")
    psi = result.detectables[0].discordance.median
    for units, difference in noisy.points[4::6]:
        assert power_by_hand(units, max(psi, 0.8 * difference), 0.8 * difference) >= 0.8
    all_explained(result)


def test_planning_both_ways(key: karat.Pairs, runs: karat.Responses) -> None:
    """Two ways, two figures, each with its own mark."""
    three = karat.Responses.of(key, [run for run in runs.runs if run.info.name != "two-way"])
    result = size(three, way="both", difference=[0.05])
    charts = of(result)
    assert list(charts) == ["planning-3-way", "planning-2-way"]
    for row in result.detectables:
        chart = charts[f"planning-{row.way}-way"]
        assert chart.lines[-1].name == f"{100 * row.corrected:.1f} points now"
        assert (chart.way, IN_WORDS[row.way] in chart.title) == (row.way, True)


@pytest.mark.parametrize(("units", "noise"), [(60, 0.0), (3000, 0.0), (160, 0.2)])
def test_the_axis_is_about_the_units_at_hand(units: int, noise: float, runs: karat.Responses) -> None:
    """Those at hand are on it, not at its very edge."""
    result = size(runs, noise=noise) if noise else size(matrix(4, units))
    (chart,) = of(result).values()
    first, last = chart.reach
    assert 1.5 * first < units <= last / 1.5


def test_runs_alike_find_nothing() -> None:
    """Where runs differ on no unit there is nothing to plan from."""
    values = np.tile((np.arange(20) % 2).astype(float), (3, 1))
    same = Scores(("a", "b", "c"), tuple(map(str, range(20))), values, "mean score")
    assert of(size(same)) == {}
