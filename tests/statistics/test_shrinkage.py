"""Shrunken shares against a grid search with scipy's beta-binomial, and where they must end up."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from karat.statistics.shrinkage import STRENGTHS, fit, shrink


def likelihood(mean: float, strength: float, right: np.ndarray, trials: np.ndarray) -> float:
    """Of the counts, by scipy."""
    return float(stats.betabinom.logpmf(right, trials, mean * strength, (1 - mean) * strength).sum())


@pytest.mark.parametrize("seed", range(5))
def test_fit_is_the_best_of_a_grid(seed: int) -> None:
    """No point of a grid is more likely."""
    random = np.random.default_rng(seed)
    trials = random.integers(1, 60, size=12).astype(float)
    right = random.binomial(trials.astype(int), random.beta(4, 2, size=12)).astype(float)
    found = likelihood(*fit(right, trials), right, trials)
    grid = [
        likelihood(mean, strength, right, trials)
        for mean in np.linspace(0.02, 0.98, 49)
        for strength in np.geomspace(*STRENGTHS, 40)
    ]
    assert found >= max(grid) - 1e-6


def test_posterior_by_hand() -> None:
    """Mean and quantiles of the posterior under the fitted prior."""
    right, trials = np.array([1.0, 9, 50, 20]), np.array([6.0, 10, 60, 60])
    found = shrink(right, trials)
    assert found is not None
    a, b = found.mean * found.strength, (1 - found.mean) * found.strength
    posterior = stats.beta(right + a, trials - right + b)
    assert found.values == pytest.approx(posterior.mean())
    assert found.low == pytest.approx(posterior.ppf(0.025))
    assert found.high == pytest.approx(posterior.ppf(0.975))


def test_small_slices_move_most() -> None:
    """Of two slices with one share the smaller is drawn further towards the mean."""
    found = shrink(np.array([0.0, 0, 45, 50, 48]), np.array([2.0, 40, 50, 60, 50]))
    assert found is not None
    assert found.mean > found.values[0] > found.values[1] > 0


def test_slices_alike_become_one() -> None:
    """Shares that differ by no more than chance are drawn together wholly."""
    right, trials = np.array([5.0, 10, 15, 50]), np.array([10.0, 20, 30, 100])
    found = shrink(right, trials)
    assert found is not None
    assert found.strength > 0.9 * STRENGTHS[1]
    assert found.values == pytest.approx(np.full(4, 0.5), abs=1e-3)


@pytest.mark.parametrize(("right", "share"), [([3.0, 5, 9], 1.0), ([0.0, 0, 0], 0.0)])
def test_all_right_or_all_wrong(right: list[float], share: float) -> None:
    """Finite at the ends too."""
    found = shrink(np.array(right), np.array([3.0, 5, 9]))
    assert found is not None
    assert found.values == pytest.approx(np.full(3, share), abs=0.01)
    assert np.isfinite([found.low, found.high]).all()


def test_nothing_to_shrink_to() -> None:
    """One slice alone is not shrunken; an empty one has no estimate."""
    assert shrink(np.array([1.0, 0]), np.array([2.0, 0])) is None
    found = shrink(np.array([1.0, 0, 3]), np.array([2.0, 0, 4]))
    assert found is not None
    assert np.isnan([found.values[1], found.low[1], found.high[1]]).all()


@pytest.mark.parametrize(
    ("right", "trials"),
    [([700] * 5, [1000] * 5), ([70000] * 3, [100000] * 3), ([850, 2], [1000, 3]), ([85, 90, 1], [100, 100, 3])],
)
def test_slices_that_are_alike_are_one(right: list[int], trials: list[int]) -> None:
    """The likelihood is a narrow ridge there, and its top is at the strongest prior."""
    mean, strength = fit(np.array(right, dtype=float), np.array(trials, dtype=float))
    assert strength == pytest.approx(STRENGTHS[1])
    assert mean == pytest.approx(sum(right) / sum(trials), abs=0.03)


@pytest.mark.parametrize("seed", range(6))
def test_no_other_search_finds_better(seed: int) -> None:
    """Large slices and small, against a quasi-Newton search from several beginnings."""
    random = np.random.default_rng(seed)
    trials = random.integers(1, 800, size=random.integers(2, 12)).astype(float)
    a, b = random.uniform(0.5, 40, 2).tolist()
    right = random.binomial(trials.astype(int), random.beta(a, b, size=len(trials))).astype(float)
    found = likelihood(*fit(right, trials), right, trials)

    def unlikely(point: np.ndarray) -> float:
        mean = 1 / (1 + np.exp(-point[0]))
        return -likelihood(mean, float(np.exp(point[1])), right, trials)

    pooled = np.log((right.sum() + 0.5) / ((trials - right).sum() + 0.5))
    bounds = [(-9, 9), tuple(np.log(STRENGTHS))]
    others = [optimize.minimize(unlikely, [pooled, start], bounds=bounds).fun for start in (1.0, 4.0, 8.0, 11.0)]
    assert found >= -min(others) - 1e-5
