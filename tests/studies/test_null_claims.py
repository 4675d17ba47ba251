"""Runs that do not differ: how often a sentence of compare or of a report says that they do."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
import pytest

from karat.arrays import Floats
from karat.data.scores import Scores
from karat.studies.compare.study import compare
from karat.studies.report.study import report

RUNS, UNITS = 16, 120
CLAIMS = (
    "a significant difference",
    "significantly different from every",
    "significantly better",
)


def right_or_wrong(random: np.random.Generator) -> Floats:
    """Every run is right on six units in ten, and on hard units less often."""
    return (random.random((RUNS, UNITS)) < random.beta(3, 2, UNITS)).astype(np.float64)


def graded(random: np.random.Generator) -> Floats:
    """Real numbers with an effect of the unit."""
    return random.random((RUNS, UNITS)) + random.random(UNITS)


def unscored(random: np.random.Generator) -> Floats:
    """Three units in ten were not scored, and of two runs hardly any were."""
    values = np.where(random.random((RUNS, UNITS)) < 0.3, np.nan, right_or_wrong(random))
    values[:2] = np.nan
    values[0, 0] = 1.0
    return values


def allowed(sets: int) -> float:
    """How many of so many sets may be wrong at a level of 5 %: what is expected, and three standard errors."""
    return sets * 0.05 + 3 * sqrt(sets * 0.05 * 0.95)


def null_sets(make: Any, number: int) -> Iterator[Scores]:
    """Test sets on which no run is better than another."""
    for seed in range(number):
        values = make(np.random.default_rng(seed))
        yield Scores(tuple(f"run{place}" for place in range(RUNS)), tuple(map(str, range(UNITS))), values)


@pytest.mark.parametrize("versus", ["all", "best"])
@pytest.mark.parametrize(("make", "sets"), [(right_or_wrong, 150), (graded, 50), (unscored, 30)])
def test_equal_runs_are_seldom_called_different(make: Any, sets: int, versus: str) -> None:
    """Any verdict, and any sentence that sets one run above another, over all pairs and against the best."""
    called = said = 0
    for scores in null_sets(make, sets):
        result = compare(scores, versus=versus)
        called += bool(result.significant)
        said += any(claim in sentence for sentence in result.findings() for claim in CLAIMS)
        assert not {"run0", "run1"} & {row.run for row in result.leaders} or make is not unscored
    assert called <= allowed(sets)
    assert said <= called


def test_a_report_claims_no_more() -> None:
    """Its sentences on the best run and on neighbours are those of the comparison, with its correction."""
    without = ["swap", "size", "sensitivity"]
    said = 0
    for scores in null_sets(right_or_wrong, 40):
        sentences = report(scores, without=without).findings()
        said += any(claim in sentence for sentence in sentences for claim in CLAIMS)
        assert any("tie for the highest" in one or "not statistically significant" in one for one in sentences)
    assert said <= allowed(40)
