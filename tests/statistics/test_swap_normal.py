"""Reversals by fresh test sets: closed forms against loops, and claims against runs whose truth is known."""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest

from karat.arrays import Floats
from karat.statistics.swap import (
    PairMoments,
    ScoreSpread,
    at_size,
    careful_difference,
    pair_moments,
    reliable_difference,
    reliable_size,
    reversal_rate,
    spread_of,
)


def graded(runs: int, units: int, seed: int = 0) -> Floats:
    """Scores of uneven runs that differ in every unit."""
    random = np.random.default_rng(seed)
    noise = random.normal(0, 0.25, (runs, units)) + random.normal(0, 0.2, units)
    return np.asarray(np.linspace(0.35, 0.6, runs)[:, None] + noise)


def near_copies(random: np.random.Generator, runs: int, units: int, teams: int) -> Floats:
    """Equally good runs; those of one team answer alike but on a tenth of the units."""
    team = np.repeat(random.random((teams, units)), runs // teams, axis=0)
    drawn = np.where(random.random((runs, units)) < 0.1, random.random((runs, units)), team)
    return np.asarray(drawn < 0.6, dtype=np.float64)


def spread(scores: Floats) -> ScoreSpread:
    """Of a matrix."""
    return spread_of(pair_moments(scores), *scores.shape)


def test_moments_are_those_of_differences() -> None:
    """Means and variances from one product are those of each pair's differences."""
    scores = graded(5, 30)
    made = pair_moments(scores)
    expected = [scores[a] - scores[b] for a, b in itertools.combinations(range(5), 2)]
    assert made.mean == pytest.approx([d.mean() for d in expected])
    assert made.variance == pytest.approx([d.var(ddof=1) for d in expected])
    # A million more on every unit moves the mean and no variance.
    scores[1] += 1e6
    far = pair_moments(scores)
    assert far.mean[0] == pytest.approx(made.mean[0] - 1e6)
    assert far.variance == pytest.approx(made.variance, rel=1e-6)


def test_a_constant_difference_has_no_variance() -> None:
    """A run that is better by as much on every unit never varies, whatever rounding makes of it."""
    base = np.random.default_rng(0).random(20)
    scores = np.stack([base, base + 0.07, base])
    assert pair_moments(scores).variance.tolist() == [0, 0, 0]
    made = spread(scores)
    assert (made.ratio, made.reliability, *made.interval(0.95)) == (math.inf, 1, 1, 1)
    assert reversal_rate(0.07, 1.0, made.error_variance) == 0
    assert reliable_difference(0.05, 1.0, made.error_variance) == 0
    assert reliable_size(0.07, 0.05, 1.0, made.error_variance, 20) == 0


def test_ratio_is_that_of_an_analysis_of_variance() -> None:
    """F in loops: between runs, over what is left of runs × units."""
    scores = graded(6, 25)
    runs, units = scores.shape
    grand = scores.mean()
    between = sum(units * (scores[run].mean() - grand) ** 2 for run in range(runs)) / (runs - 1)
    rest = 0.0
    for run, unit in itertools.product(range(runs), range(units)):
        rest += (scores[run, unit] - scores[run].mean() - scores[:, unit].mean() + grand) ** 2
    assert spread(scores).ratio == pytest.approx(between / (rest / (runs - 1) / (units - 1)))


def test_reliability_is_cronbach_s_alpha() -> None:
    """Runs are the persons, units the questions of the test."""
    scores = graded(9, 40)
    units = scores.shape[1]
    alone = sum(scores[:, unit].var(ddof=1) for unit in range(units))
    alpha = units / (units - 1) * (1 - alone / scores.sum(axis=1).var(ddof=1))
    assert 0.3 < alpha < 1
    assert spread(scores).reliability == pytest.approx(alpha)
    half = at_size(spread(scores).reliability, units, units // 2)
    assert 2 * half / (1 + half) == pytest.approx(alpha)


def test_degrees_of_freedom_by_eigenvalues() -> None:
    """Box's epsilon is (Σe)²/(k Σe²) of the contrasts' covariance; sampled, it is close to that of the population."""
    random, runs, units = np.random.default_rng(3), 8, 4000
    mix = random.normal(size=(runs, runs)) * np.array([3, 1, 1, 1, 1, 1, 1, 0.1])
    scores = mix @ random.normal(size=(runs, units))
    centre = np.eye(runs) - 1 / runs
    values = np.linalg.eigvalsh(centre @ mix @ mix.T @ centre)[1:]
    expected = values.sum() ** 2 / (values**2).sum()
    assert 1 < expected < runs - 2
    assert spread(scores).freedom == pytest.approx(expected, rel=0.03)
    assert spread(random.normal(size=(20, 25))).freedom == pytest.approx(19, rel=0.1)
    assert spread(random.normal(size=(2, 25))).freedom == 1
    assert spread(random.normal(size=(5, 2))).freedom == 1


def test_rate_by_simulation() -> None:
    """Normal true differences, two samples of each: reversals by the difference on the first are Φ(−λx/√((1+λ)v))."""
    random, true, noise = np.random.default_rng(0), 0.03, 0.02
    truth = random.normal(0, true, 400_000)
    first, second = (truth + random.normal(0, noise, truth.shape) for _ in range(2))
    reliability = true**2 / (true**2 + noise**2)
    for x in (0.005, 0.02, 0.04, 0.06):
        near = np.abs(np.abs(first) - x) < 0.001
        counted = (first * second < 0)[near].mean()
        assert reversal_rate(x, reliability, noise**2) == pytest.approx(counted, abs=0.015)
        by_hand = NormalDist().cdf(-reliability * x / math.sqrt((1 + reliability) * noise**2))
        assert reversal_rate(x, reliability, noise**2) == pytest.approx(by_hand)


@pytest.mark.parametrize("reliability", [0.02, 0.4, 0.9, 0.999])
@pytest.mark.parametrize("difference", [0.001, 0.03, 0.4])
def test_size_and_difference_solve_the_rate(reliability: float, difference: float) -> None:
    """At the difference, and at the size, that are returned the rate is just small enough."""
    noise, units = 4e-4, 500
    x = reliable_difference(0.05, reliability, noise)
    assert reversal_rate(x, reliability, noise) == pytest.approx(0.05)
    size = reliable_size(difference, 0.05, reliability, noise, units)
    there = float(at_size(reliability, units, size))
    assert reversal_rate(difference, there, noise * units / size) == pytest.approx(0.05, rel=1e-5)


def test_the_careful_difference_by_leaving_runs_out() -> None:
    """Each run deleted from the scores in turn: the largest needed difference, or one that only that run shows."""
    random = np.random.default_rng(3)
    for shift in ([0.0] * 5 + [-0.3], [0.0, 0.05, 0.1, 0.15, 0.2, 0.25], [0.0] * 6):
        scores = (random.random((6, 500)) < 0.6 + np.array(shift)[:, None]).astype(float)
        means = scores.mean(axis=1)
        every = [abs(a - b) for at, a in enumerate(means) for b in means[:at]]
        found = []
        for gone in (None, *range(6)):
            kept = scores if gone is None else np.delete(scores, gone, axis=0)
            spread = spread_of(pair_moments(kept), *kept.shape)
            needed = reliable_difference(0.05, spread.interval(0.95)[0], spread.error_variance)
            larger = [one for one in every if gone is not None and one > np.ptp(kept.mean(axis=1)) + 1e-12]
            found.append(min([needed, *larger]))
        assert careful_difference(pair_moments(scores), 6, 500, 0.05, 0.95) == pytest.approx(max(found))


def test_nothing_is_reliable_where_all_is_chance() -> None:
    """With reliability 0 every difference is reversed half of the time, and no size helps."""
    assert reversal_rate(np.array([0.01, 0.5]), 0.0, 1e-4).tolist() == [0.5, 0.5]
    assert reliable_difference(0.05, 0.0, 1e-4) == math.inf
    assert reliable_size(0.1, 0.05, 0.0, 1e-4, 100) == math.inf
    tied = spread_of(PairMoments(np.zeros(3), np.ones(3)), 3, 10)
    assert (tied.reliability, *tied.interval(0.95)) == (0, 0, 0)
    same = spread(np.tile(np.arange(10) % 2, (3, 1)).astype(float))
    assert np.isnan([same.reliability, *same.interval(0.95), reliable_difference(0.05, same.reliability, 0)]).all()


@pytest.mark.parametrize("teams", [20, 4])
def test_equal_runs_seldom_look_apart(teams: int) -> None:
    """Of equally good runs, near-copies or not, the lower end of reliability is above 0 in 2.5 % of the sets."""
    random = np.random.default_rng(teams)
    lows = [spread(near_copies(random, 20, 200, teams)).interval(0.95)[0] for _ in range(400)]
    assert np.mean(np.array(lows) > 0) < 0.025 + 3 * math.sqrt(0.025 / 400)


@pytest.mark.parametrize("true", [0.02, 0.07])
def test_the_interval_holds_the_reliability(true: float) -> None:
    """Runs drawn from a normal population: 95 % intervals hold its reliability."""
    random, units, held = np.random.default_rng(1), 300, []
    for _ in range(400):
        means = random.normal(0.5, true, (8, 1))
        low, high = spread(means + random.normal(0, 0.4, (8, units))).interval(0.95)
        held.append(low <= true**2 / (true**2 + 0.4**2 / units) <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=3 * math.sqrt(0.05 * 0.95 / 400))
