"""Error rates drawn."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from karat.data.charts import Lines
from karat.data.scores import Scores
from karat.studies.base import StudyResult
from karat.studies.swap.study import swap
from tests.studies.charts.reading import matrix, of


def fresh_by_hand(scores: Scores, low: float, high: float, size: int) -> float:
    """Normal true differences, observed and on a fresh set, in loops over pairs of runs."""
    units, squares, variances = scores.values.shape[1], [], []
    for one in range(len(scores.runs)):
        for other in range(one):
            apart = scores.values[one] - scores.values[other]
            squares.append(float(apart.mean()) ** 2)
            variances.append(float(apart.var(ddof=1)))
    noise = sum(variances) / len(variances)
    true = sum(squares) / len(squares) - noise / units
    share = true / (true + noise / size)
    return NormalDist().cdf(-share * (low + high) / 2 / math.sqrt((1 + share) * noise / size))


@pytest.fixture(scope="module")
def swapped() -> StudyResult:
    """Eight runs on 120 units."""
    return swap(matrix(8, 120), trials=20, replicates=5)


def test_error_by_size_in_loops(swapped: Any) -> None:
    """Points are the procedure's, fitted is a·e^(−b·n), fresh what a normal model of new samples gives, all to N."""
    chart = of(swapped)["error-by-size"]
    assert isinstance(chart, Lines)
    assert chart.rule == swapped.error
    assert chart.rule_name == "5%"
    assert 1 <= len(chart.lines) <= 3
    assert any(variant.kind == "fitted" for one in chart.lines for variant in one.variants)
    for one in chart.lines:
        curve = next(other for other in swapped.procedure.curves if f"{other.low:g}–{other.high:g}" == one.name)
        observed = {point.size: point.error for point in curve.points}
        assert one.look == "marks"
        assert len(one.points) == min(16, len(observed))
        assert all(observed[round(n)] == error for n, error in one.points)
        assert one.points[-1][0] == max(observed)
        variants = {variant.kind: variant.points for variant in one.variants}
        assert list(variants) in (["fitted", "fresh"], ["fresh"])  # rates may not follow the curve
        for n, error in variants.get("fitted", ()):
            assert error == pytest.approx(curve.fit.a * math.e ** (-curve.fit.b * n))
            assert n < 120 or error == pytest.approx(curve.fit.error_at_full)
        fresh = variants["fresh"]
        assert fresh[-1][0] == 120
        for n, error in fresh:
            assert error == pytest.approx(fresh_by_hand(matrix(8, 120), curve.low, curve.high, round(n)), abs=1e-6)


def test_no_errors_fit_a_line_at_0() -> None:
    """A bin without an error at any size has a fitted curve of 0, not of nothing."""
    values = np.zeros((3, 60))
    values[0] = 0.25 + np.arange(60) % 2 / 100
    values[1] = -values[0]
    never = Scores(("a", "b", "c"), tuple(map(str, range(60))), values, "mean score")
    chart = of(swap(never, trials=50, replicates=5))["error-by-size"]
    fitted = [variant for one in chart.lines for variant in one.variants if variant.kind == "fitted"]
    assert fitted
    assert all(set(variant.y) == {0.0} for variant in fitted)


def test_no_bin_no_figure() -> None:
    """Runs that never differ have no curve, and no figure of any."""
    values = np.tile(np.arange(40) % 2, (2, 1)).astype(float)
    result = swap(Scores(("a", "b"), tuple(map(str, range(40))), values, "mean score"), trials=2, replicates=2)
    assert "error-by-size" not in of(result)


def test_of_two_runs_only_what_is_fresh() -> None:
    """One pair whose observed difference the procedure takes for the true one: its rates fall where fresh ones do not.

    They are not drawn beside each other, in either figure.
    """
    result = swap(close(2), trials=20, replicates=5)
    (fit,) = (one.fit for one in result.procedure.curves if one.low == 0)
    assert fit is not None
    assert fit.error_at_full < result.fresh.curves[0].error_at_full - 0.1, "what is drawn would contradict itself"
    drawn = of(result)
    lines = drawn["error-by-size"].lines
    assert [(one.look, one.variants) for one in lines] == [("line", ())] * len(result.fresh.curves)
    assert [one.y for one in lines] == [[rate.error for rate in one.rates] for one in result.fresh.curves]
    assert [one.name for one in drawn["error-by-difference"].lines] == ["fresh", "fresh, upper end"]


def close(runs: int) -> Scores:
    """Runs that are right on nearly the same of 800 units."""
    random = np.random.default_rng(1)
    values = np.tile(random.random(800) < 0.6, (runs, 1)).astype(float)
    for run in range(1, runs):
        changed = random.choice(800, 30, replace=False)
        values[run, changed] = np.arange(30) < 18
    return Scores(tuple(map(str, range(runs))), tuple(map(str, range(800))), values, "mean score")


def test_a_fit_that_does_not_fit_is_not_drawn(swapped: Any) -> None:
    """Rates that rise with size, far from a curve that cannot: the marks are drawn, and no curve through them."""
    chosen = {line.name for line in of(swapped)["error-by-size"].lines}
    curves = [
        replace(curve, points=[replace(one, error=0.9 * one.size / 60) for one in curve.points], fit=poor(curve.fit))
        for curve in swapped.procedure.curves
    ]
    bent = replace(swapped, procedure=replace(swapped.procedure, curves=curves))
    lines = of(bent)["error-by-size"].lines
    assert {line.name for line in lines} == chosen
    assert {variant.kind for line in lines for variant in line.variants} == {"fresh"}


def poor(fit: Any) -> Any:
    """The same curve, from which rates depart by more than chance."""
    return fit and replace(fit, dispersion=6.0)
