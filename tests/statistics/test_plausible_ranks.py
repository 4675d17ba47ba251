"""Draws of true means: against the posterior in closed form, and what they are for, intervals that hold a true tau."""

from __future__ import annotations

import numpy as np
import pytest

from karat.arrays import Floats
from karat.statistics.plausible_ranks import plausible_means, resampled_means
from karat.statistics.rank_correlation import tau


def two_judgments(random: np.random.Generator, means: Floats, units: int, noise: float = 0.2) -> Floats:
    """Scores (2, runs, units) with errors that the two judges share in part."""
    first, second = random.normal(0, noise, (2, means.shape[1], units))
    return means[:, :, None] + np.stack([first, 0.5 * first + 0.75**0.5 * second])


def test_many_runs_give_the_normal_posterior() -> None:
    """With 3,000 runs the covariances are known, and each run's true means are normal as in closed form."""
    random = np.random.default_rng(0)
    runs, units = 3000, 20
    between = np.array([[0.010, 0.006], [0.006, 0.008]])
    means = random.multivariate_normal([0.0, 0.0], between, size=runs).T
    scores = two_judgments(random, means, units)
    observed = scores.mean(axis=2)
    drawn = plausible_means(observed, resampled_means(scores, 400, random), random)
    within = np.array([[0.04, 0.02], [0.02, 0.04]]) / units
    kept = between @ np.linalg.inv(between + within)
    expected = kept @ (observed - observed.mean(axis=1, keepdims=True))
    assert drawn.mean(axis=0) == pytest.approx(expected, abs=0.03)
    apart = drawn - drawn.mean(axis=0)
    spread = np.einsum("dar,dbr->ab", apart, apart) / (400 * runs)
    assert spread == pytest.approx(kept @ within, rel=0.15)


@pytest.mark.parametrize("biased", [0.0, 0.05])
def test_the_interval_holds_the_true_tau(biased: float) -> None:
    """Of 60 data sets at most 8 intervals miss, while bootstrap percentiles miss a true tau of 1 nearly always."""
    missed = by_percentiles = 0
    for place in range(60):
        random = np.random.default_rng(place)
        first = random.normal(0, 0.1, 25)
        means = np.stack([first, first + random.normal(0, biased, 25)])
        scores = two_judgments(random, means, 50)
        resampled = resampled_means(scores, 200, random)
        drawn = plausible_means(scores.mean(axis=2), resampled, random)
        truth = float(tau(*means))
        low, high = np.quantile(tau(drawn[:, 0], drawn[:, 1]), [0.025, 0.975])
        missed += not low - 1e-9 <= truth <= high + 1e-9
        low, high = np.quantile(tau(resampled[:, 0], resampled[:, 1]), [0.025, 0.975])
        by_percentiles += not low <= truth <= high
    assert missed <= 8  # 3 are expected
    if not biased:
        assert by_percentiles > 50


def test_the_same_judgment_twice() -> None:
    """Rankings that cannot differ have a tau of 1 in every draw."""
    random = np.random.default_rng(1)
    one = random.random((6, 30))
    scores = np.stack([one, one])
    drawn = plausible_means(scores.mean(axis=2), resampled_means(scores, 50, random), random)
    assert (tau(drawn[:, 0], drawn[:, 1]) == 1).all()


def test_what_cannot_be_drawn() -> None:
    """Two runs, and undefined scores, have no draws."""
    random = np.random.default_rng(2)
    assert np.isnan(plausible_means(np.zeros((2, 2)), random.random((9, 2, 2)), random)).all()
    undefined = np.array([[0.1, np.nan, 0.3], [0.1, 0.2, 0.3]])
    assert np.isnan(plausible_means(undefined, random.random((9, 2, 3)), random)).all()


def test_errors_of_means() -> None:
    """Resampled means vary as the means of independent units do, not as resamples, which vary less."""
    random = np.random.default_rng(3)
    scores = random.random((2, 3, 4))
    drawn = resampled_means(scores, 200_000, random)
    assert drawn.var(axis=0) == pytest.approx(scores.var(axis=2, ddof=1) / 4, rel=0.03)
