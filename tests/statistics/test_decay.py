"""The exponential fit: it finds what made the data, keeps zeros, and says where it knows nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import binom

from karat.statistics.decay import fit_decay, refit_rates

SIZES = np.arange(5.0, 33.0)


def binomial(errors: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variance of independent trials."""
    rate = errors.sum() / counts.sum()
    return np.asarray(counts * rate * (1 - rate))


def test_exact_curve() -> None:
    """Rates that lie on a curve give that curve, whatever the counts; several at once."""
    counts = np.linspace(100, 3000, len(SIZES))
    a, b = np.array([0.45, 0.3, 0.6]), np.array([0.1, 0.02, 0.01])
    errors = a[:, None] * np.exp(-b[:, None] * SIZES) * counts
    made = fit_decay(SIZES, errors, np.tile(counts, (3, 1)), errors)
    assert np.exp(made.log_a) == pytest.approx(a, rel=1e-7)
    assert made.b == pytest.approx(b, rel=1e-6)
    assert made.at(64) == pytest.approx(a * np.exp(-b * 64), rel=1e-6)
    assert made.reaches(0.05) == pytest.approx(np.log(a / 0.05) / b, rel=1e-6)
    assert made.dispersion == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_likelihood_of_another_optimiser(seed: int) -> None:
    """Newton's maximum is the one a general optimiser finds, zeros and all."""
    random = np.random.default_rng(seed)
    counts = random.integers(20, 60, len(SIZES)).astype(float)
    errors = random.binomial(counts.astype(int), 0.4 * np.exp(-0.12 * SIZES)).astype(float)
    assert (errors == 0).any()
    made = fit_decay(SIZES, errors, counts, binomial(errors, counts))

    def loss(beta: NDArray[np.float64]) -> float:
        rate = np.exp(beta[0] - beta[1] * SIZES)
        return 1e9 if (rate >= 1).any() else -binom.logpmf(errors, counts, rate).sum()

    best = minimize(loss, [-1, 0.1], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000})
    assert [float(made.log_a), float(made.b)] == pytest.approx(best.x, abs=1e-4)


def test_zeros_are_kept() -> None:
    """Sizes without errors pull the curve down; dropping them, as logarithms must, gives a higher one."""
    counts = np.full(len(SIZES), 50.0)
    errors = np.where(SIZES < 12, 5.0, 0.0)
    errors[-1] = 1
    made = fit_decay(SIZES, errors, counts, errors)
    logged = np.polyfit(SIZES[errors > 0], np.log(errors[errors > 0] / 50), 1)
    assert made.at(64) < np.exp(np.polyval(logged, 64)) / 10


def test_no_errors() -> None:
    """Where no error was seen a is 0, the rate is 0 everywhere, and there is no b."""
    made = fit_decay(SIZES, np.zeros(len(SIZES)), np.full(len(SIZES), 30.0), np.zeros(len(SIZES)))
    assert np.exp(made.log_a) == 0
    assert np.isnan(made.b)
    assert made.at(64) == 0
    assert made.reaches(0.05) == 0


@pytest.mark.parametrize(("points", "least", "reach"), [(2, 1, 0), (10, 100, 0), (10, 1, 30)])
def test_too_little(points: int, least: int, reach: float) -> None:
    """Too few sizes, too few comparisons, or none of a large size: no fit at all."""
    counts = np.where(np.arange(len(SIZES)) < points, 50.0, 0.0)
    made = fit_decay(SIZES, counts / 5, counts, counts / 5, least, reach)
    assert np.isnan(made.log_a)
    assert np.isnan(made.at(64))
    assert np.isnan(made.reaches(0.05))
    assert np.isnan(made.interval(64)).all()


def test_rising_rates() -> None:
    """Where rates rise the most likely curve that does not is flat: the mean rate, with the error of a mean."""
    counts = np.full(len(SIZES), 1000.0)
    errors = 0.1 * np.exp(0.01 * SIZES) * counts
    made = fit_decay(SIZES, errors, counts, errors)
    assert made.b == 0
    assert made.at(64) == pytest.approx(errors.sum() / counts.sum())
    assert made.reaches(0.05) == np.inf
    low, high = made.interval(64)
    assert np.log(high / low) / 2 / 1.959964 == pytest.approx(1 / np.sqrt(errors.sum()), rel=1e-6)
    certain = fit_decay(SIZES, counts, counts, counts)
    assert certain.at(64) == pytest.approx(1)


def test_interval_covers() -> None:
    """The interval from the variance over trials holds the true rate about as often as it says."""
    random = np.random.default_rng(0)
    counts = np.full((400, len(SIZES)), 400.0)
    truth = 0.45 * np.exp(-0.06 * SIZES)
    errors = random.binomial(400, truth, size=counts.shape).astype(float)
    low, high = fit_decay(SIZES, errors, counts, counts * truth * (1 - truth)).interval(64)
    inside = np.mean((low <= 0.45 * np.exp(-0.06 * 64)) & (0.45 * np.exp(-0.06 * 64) <= high))
    assert 0.92 <= inside <= 0.98


def test_refits_are_fits() -> None:
    """Many curves at once give the rates that each gives by itself; no fit, no rate; no error, rate 0."""
    random = np.random.default_rng(0)
    counts = random.integers(0, 40, (30, len(SIZES))).astype(float)
    errors = random.binomial(counts.astype(int), 0.4 * np.exp(-0.05 * SIZES)).astype(float)
    errors[3], counts[4] = 0, 0
    made = refit_rates(SIZES, errors, counts, 64, 5, 16)
    alone = [fit_decay(SIZES, one, of, one, 5, 16).at(64) for one, of in zip(errors, counts, strict=True)]
    assert made == pytest.approx(np.array(alone, dtype=float), nan_ok=True)
    assert (made[3], np.isnan(made[4])) == (0, True)
