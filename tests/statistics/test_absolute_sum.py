"""The interval of a sum of absolute means keeps its level, which a bootstrap does not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from karat.arrays import Floats
from karat.statistics.absolute_sum import _bias, absolute_sum_interval

DATA_SETS, PARTS = 300, 10
MOST_WRONG = 0.05 + 3 * np.sqrt(0.05 * 0.95 / DATA_SETS)
Ends = Callable[[Floats, Floats, np.random.Generator], tuple[float, float]]


def drawn(random: np.random.Generator, units: int, off: Floats) -> tuple[Floats, Floats]:
    """Confidences of all tenths, and answers that are right less often by `off` in each; by tenth, with variances."""
    sure = random.random(units)
    place = (sure * PARTS).astype(int)
    right = random.random(units) < sure - off[place]
    columns = np.eye(PARTS)[place]
    return (sure - right)[:, None] * columns, (columns * (sure * (1 - sure))[:, None]).mean(axis=0)


def percentiles(parts: Floats, _: Floats, random: np.random.Generator) -> tuple[float, float]:
    """What many would use instead."""
    times = random.multinomial(len(parts), np.full(len(parts), 1 / len(parts)), size=200)
    low, high = np.quantile(np.abs(times @ parts / len(parts)).sum(axis=1), [0.025, 0.975])
    return float(low), float(high)


def missed(ends_of: Ends, units: int, off: Floats) -> float:
    """How often an interval does not hold Σ|mean|: the mean of |off| over the tenths, which are equally frequent."""
    random = np.random.default_rng(units)
    truth, wrong = float(np.abs(off).mean()), 0
    for _ in range(DATA_SETS):
        low, high = ends_of(*drawn(random, units, off), random)
        wrong += not low <= truth <= high
    return wrong / DATA_SETS


TRUE, FIRST, FEW = np.zeros(PARTS), np.zeros(PARTS), np.array([0.0] * 5 + [0.3] * 5)
FIRST[-1] = 0.6


@pytest.mark.parametrize("units", [20, 200, 1000])
@pytest.mark.parametrize("off", [TRUE, FIRST, FEW], ids=["all means are 0", "one is not", "half of them are not"])
def test_it_keeps_its_level(units: int, off: Floats) -> None:
    """In no case does it miss the truth more often than in 5% of data sets."""
    assert missed(lambda parts, least, _: absolute_sum_interval(parts, least), units, off) <= MOST_WRONG


def test_a_bootstrap_does_not() -> None:
    """Where all means are 0, its percentiles never hold the truth."""
    assert missed(percentiles, 200, TRUE) > 0.9


def test_it_excludes_0_with_enough_units() -> None:
    """It is not empty talk: a sum that is far from 0 has an interval that is, and it is not much wider than needed."""
    parts, least = drawn(np.random.default_rng(1), 20_000, FEW)
    low, high = absolute_sum_interval(parts, least)
    assert low < np.abs(parts.mean(axis=0)).sum() < high
    assert low > 0.12
    assert high < 0.18


def test_units_that_are_all_alike() -> None:
    """Confidences of 1 that were all right: Wilson's limit, and not an interval of width 0."""
    parts = np.zeros((20, PARTS))
    low, high = absolute_sum_interval(parts, np.zeros(PARTS))
    assert (low, high) == (0, pytest.approx(0.1675, abs=0.005))
    assert all(map(np.isnan, absolute_sum_interval(np.zeros((0, PARTS)), np.zeros(PARTS))))


def test_the_bias_of_an_absolute_value() -> None:
    """As drawn."""
    random = np.random.default_rng(3)
    for mean, error in ((0.0, 1.0), (0.5, 1.0), (2.0, 0.7)):
        expected = np.abs(random.normal(mean, error, 400_000)).mean() - mean
        assert float(_bias(np.array(mean), np.array(error))) == pytest.approx(expected, abs=0.006)
    assert float(_bias(np.array(0.5), np.array(0.0))) == 0
