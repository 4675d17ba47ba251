"""Sizes drawn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import karat
from karat.data.scores import Scores
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


def test_power_in_loops(runs: karat.Responses) -> None:
    """Lines are the power of McNemar's test; the units at hand stand on the rule, with the difference they find so."""
    result = size(runs, difference=[0.1, 0.05])
    (chart,) = of(result).values()
    psi = result.detectables[0].discordance.median
    small, large, point = chart.lines
    assert [one.name for one in chart.lines] == [
        "difference 0.05",
        "difference 0.1",
        f"{result.detectable:.3g} with 160",
    ]
    for drawn, difference in ((small, 0.05), (large, 0.1)):
        for units, power in drawn.points[::5]:
            assert power == pytest.approx(power_by_hand(units, psi, difference), abs=1e-9)
    assert (point.look, point.points) == ("marks", [(160, 0.8)])
    assert power_by_hand(160, psi, result.detectable) == pytest.approx(0.8)
    assert (chart.rule, chart.name, chart.note) == (0.8, "power", "2-way; 160 units at hand")
    assert not any(one.variants for one in chart.lines)


def test_power_with_a_noisy_key(runs: karat.Responses) -> None:
    """Two-way errors e leave δ(1 − 2e) of a difference: a line for each beside that of a perfect key."""
    result = size(runs, difference=[0.05, 0.1], noise=0.1)
    (chart,) = of(result).values()
    psi = result.detectables[0].discordance.median
    *lines, point = chart.lines
    for drawn, difference in zip(lines, (0.05, 0.1), strict=True):
        (variant,) = drawn.variants
        assert variant.kind == "noisy key"
        for (units, power), (there, perfect) in list(zip(variant.points, drawn.points, strict=True))[::9]:
            assert units == there
            assert power == pytest.approx(power_by_hand(units, psi, 0.8 * difference), abs=1e-9)
            assert perfect == pytest.approx(power_by_hand(units, psi, difference), abs=1e-9)
    assert point.name.endswith(f", {result.detectables[0].noisy:.3g} noisy")
    all_explained(result)


def test_power_without_noise_is_that_without_errors(runs: karat.Responses) -> None:
    """Where the key has no errors both powers are one."""
    for curve in size(runs).curves:
        assert all(point.power == point.without_errors for point in curve.points)


def test_power_both_ways(key: karat.Pairs, runs: karat.Responses) -> None:
    """Two ways, two figures, each with its own point."""
    three = karat.Responses.of(key, [run for run in runs.runs if run.info.name != "two-way"])
    result = size(three, way="both", difference=[0.05])
    charts = of(result)
    assert list(charts) == ["power-3-way", "power-2-way"]
    for row in result.detectables:
        chart = charts[f"power-{row.way}-way"]
        assert chart.lines[-1].name == f"{row.difference:.3g} with 160"
        assert chart.note.startswith(f"{row.way}-way; ")


@pytest.mark.parametrize(("units", "noise"), [(60, 0.0), (3000, 0.0), (160, 0.2)])
def test_the_axis_is_about_the_units_at_hand(units: int, noise: float, runs: karat.Responses) -> None:
    """Those at hand are on it, not at its very edge; it ends at three times as many, whatever lines would need."""
    result = size(runs, noise=noise) if noise else size(matrix(4, units))
    (chart,) = of(result).values()
    first, last = chart.reach
    assert first < units <= last / 1.05
    assert last <= 3 * units + 1
    *lines, point = chart.lines
    differences = [float(one.name.removeprefix("difference ")) for one in lines]
    assert differences == sorted(differences)
    assert len(differences) == 4
    assert differences[0] < result.detectable < differences[-1]
    assert point.points == [(units, 0.8)]


def test_differences_far_from_what_is_found_are_drawn_where_asked() -> None:
    """A difference that few units find is drawn to the units at hand all the same."""
    (chart,) = of(size(matrix(4, 3000), difference=[0.2])).values()
    assert [one.name for one in chart.lines][:-1] == ["difference 0.2"]
    assert 3000 <= chart.reach[1] < 3500
    assert chart.lines[0].y[-1] > 0.999


def test_runs_alike_find_nothing() -> None:
    """Where runs differ on no unit there is no point, and lines still have an axis."""
    values = np.tile((np.arange(20) % 2).astype(float), (3, 1))
    same = Scores(("a", "b", "c"), tuple(map(str, range(20))), values, "mean score")
    (chart,) = of(size(same)).values()
    assert not [one for one in chart.lines if one.look == "marks"]
    assert chart.reach[1] >= 20
