"""The published swap procedure: tie policies, seeds, and its counts held against closed forms."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr

from karat.data.parameters import generator
from karat.kernels.swap import COMPARISONS
from karat.statistics.decay import fit_decay
from karat.statistics.swap import (
    Swaps,
    TiePolicy,
    count_swaps,
    interval_of,
    pair_moments,
    rates_of_other_trials,
    sensitivity,
    smallest_reliable,
)

HUNDREDTH = Fraction(1, 100)


def graded(runs: int, units: int, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Scores of uneven runs that differ in every unit."""
    random = np.random.default_rng(seed)
    noise = random.normal(0, 0.25, (runs, units)) + random.normal(0, 0.2, units)
    return np.asarray(np.clip(np.linspace(0.35, 0.6, runs)[:, None] + noise, 0, 1))


def test_policies_by_hand() -> None:
    """Three runs, two sets drawn again here: errors and comparisons of every policy are those of their definition."""
    scores = np.array([[1, 0, 1, 1, 0, 1], [0, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 1]], dtype=float)
    plain = count_swaps(scores, [2], 200, Fraction(1, 2), 3)
    comparisons, opposite, tied = plain.counts[0, 1:].T.astype(float)
    expected = {
        "strict": (opposite, comparisons),
        "half": (opposite + tied / 2, comparisons),
        "ignore": (opposite, comparisons - tied),
        "sakai": (opposite + tied, comparisons),
    }
    assert set(expected) == set(get_args(TiePolicy))
    assert (tied > 0).any()
    for policy, (errors, of) in expected.items():
        made = count_swaps(scores, [2], 200, Fraction(1, 2), 3, policy)  # type: ignore[arg-type]
        assert made.errors[0].tolist() == errors.tolist()
        assert made.comparisons[0].tolist() == of.tolist()


def test_exhaustive_twin() -> None:
    """Rates of many trials come close to those over all pairs of disjoint sets."""
    scores = np.array([[1, 0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 0, 1, 0], [1, 1, 0, 0, 0, 1, 0]], dtype=float)
    errors, comparisons = np.zeros(3), np.zeros(3)
    for first in itertools.combinations(range(7), 2):
        for second in itertools.combinations(sorted(set(range(7)) - set(first)), 2):
            for one, other in itertools.combinations(range(3), 2):
                ahead, after = ((scores[one, list(part)] - scores[other, list(part)]).sum() for part in (first, second))
                if ahead:
                    comparisons[int(abs(ahead) / 2 / 0.5)] += 1
                    errors[int(abs(ahead) / 2 / 0.5)] += ahead * after < 0
    made = count_swaps(scores, [2], 20_000, Fraction(1, 2), 0)
    known = comparisons > 0
    assert made.rate[0][known[: made.rate.shape[1]]] == pytest.approx(errors[known] / comparisons[known], abs=0.02)


def test_counts_do_not_depend_on_company() -> None:
    """A size has the same trials whatever other sizes are drawn, and the same first trials whatever their number."""
    scores = graded(6, 30)
    alone, among = count_swaps(scores, [9], 20, HUNDREDTH, 5), count_swaps(scores, [7, 9, 12], 20, HUNDREDTH, 5)
    width = alone.counts.shape[1]
    assert (among.counts[1, :width] == alone.counts[0]).all()
    assert (count_swaps(scores, [9], 20, HUNDREDTH, 6).counts.shape != alone.counts.shape) or (
        count_swaps(scores, [9], 20, HUNDREDTH, 6).counts != alone.counts
    ).any()


def test_compiled_or_not() -> None:
    """Compiled or in numpy, the study counts the same."""
    scores = np.round(graded(8, 40) * 4) / 4
    one, other = (count_swaps(scores, [5, 20], 30, HUNDREDTH, 0, compiled=how) for how in (True, False))
    assert (one.counts == other.counts).all()
    assert np.array_equal(one.variance, other.variance)


def test_empty_bins_are_missing() -> None:
    """Quarters over ten units leave bins of .01 empty: no rate there, and never 0."""
    made = count_swaps(np.round(graded(8, 40) * 4) / 4, [10], 50, HUNDREDTH, 0)
    empty = made.comparisons[0] == 0
    assert empty.any()
    assert np.isnan(made.rate[0][empty]).all()
    assert np.isnan(made.standard_error[0][empty]).all()


def test_standard_error_is_that_of_trials() -> None:
    """The closed form is how rates vary between studies with other seeds."""
    scores = graded(6, 40)
    wide = Fraction(1, 10)
    made = [count_swaps(scores, [10], 40, wide, seed) for seed in range(200)]
    rates = np.array([one.rate[0, 0] for one in made])
    claimed = np.mean([one.standard_error[0, 0] for one in made])
    assert claimed == pytest.approx(rates.std(), rel=0.15)


def finite_rate(scores: np.ndarray[tuple[int, int], np.dtype[np.float64]], size: int, low: float, high: float) -> float:
    """The rate of a bin with infinitely many trials on these units: disjoint parts correlate by −n/(N−n)."""
    units = scores.shape[1]
    moments = pair_moments(scores)
    between = -size / (units - size)
    x = np.concatenate([np.linspace(low, high, 41), -np.linspace(low, high, 41)])
    deviation = np.sqrt(moments.variance * (1 / size - 1 / units))[:, None]
    away = (x - moments.mean[:, None]) / deviation
    density = np.exp(-(away**2) / 2) / deviation
    after = moments.mean[:, None] + between * away * deviation
    reversed_again = ndtr(-np.sign(x) * after / (deviation * np.sqrt(1 - between**2)))
    return float((density * reversed_again).sum() / density.sum())


@pytest.mark.parametrize("size", [10, 20, 30])
def test_many_trials_give_the_closed_form(size: int) -> None:
    """6,000 trials give the rates of normal differences whose correlation is −n/(N−n)."""
    scores = graded(16, 64)
    made = count_swaps(scores, [size], 6000, Fraction(1, 50), 0)
    enough = np.flatnonzero(made.comparisons[0] > 5000)
    assert len(enough) >= 4
    expected = [finite_rate(scores, size, place / 50, (place + 1) / 50) for place in enough]
    assert made.rate[0][enough] == pytest.approx(expected, abs=0.02)


def test_naive_loop() -> None:
    """Six runs, twelve units: the paper's description word by word, on the same draws, counts the same."""
    scores = (np.random.default_rng(4).random((6, 12)) < np.linspace(0.2, 0.8, 6)[:, None]).astype(float)
    sizes, trials, seed = [2, 3, 5, 6], 25, 9
    errors: Counter[tuple[int, int]] = Counter()
    comparisons: Counter[tuple[int, int]] = Counter()
    for size in sizes:
        for trial in range(trials):
            drawn = generator(seed, "swap", "sets", size, trial).permutation(12)
            first, second = drawn[:size], drawn[size : 2 * size]
            for a, b in itertools.combinations(range(6), 2):
                before, after = (
                    Fraction(sum(int(scores[a, unit]) - int(scores[b, unit]) for unit in part), size)
                    for part in (first, second)
                )
                if before != 0:
                    cell = size, int(abs(before) / HUNDREDTH)
                    comparisons[cell] += 1
                    errors[cell] += (before > 0 > after) or (before < 0 < after)
    made = count_swaps(scores, sizes, trials, HUNDREDTH, seed)
    for place, size in enumerate(sizes):
        for place_of_bin in range(made.errors.shape[1]):
            assert made.errors[place, place_of_bin] == errors[size, place_of_bin]
            assert made.comparisons[place, place_of_bin] == comparisons[size, place_of_bin]
    assert sum(errors.values()) > 50


def test_resampled_trials_vary_as_other_seeds_do() -> None:
    """Fitted rates of resampled trials spread as those of other seeds, and their interval holds what trials tend to."""
    scores, sizes, lows = graded(8, 60), [5, 12, 20, 30], np.arange(6) / 50

    def counted(seed: int, trials: int = 40) -> Swaps:
        return count_swaps(scores, sizes, trials, Fraction(1, 50), seed)

    def fitted(made: Swaps) -> NDArray[np.float64]:
        columns = made.errors.T, made.comparisons.T, made.variance.T
        return fit_decay(made.sizes.astype(float), *columns, 10, 15).at(60)[:6]

    seeds = np.stack([fitted(counted(seed)) for seed in range(60)])
    drawn = [rates_of_other_trials(counted(seed), 60, 100, 0, 10, 15)[:, :6] for seed in range(20)]
    assert np.mean([one.std(axis=0) for one in drawn], axis=0) == pytest.approx(seeds.std(axis=0), rel=0.3)
    limit = smallest_reliable(fitted(counted(999, 2000)), lows, 0.05)
    ends = [interval_of(smallest_reliable(one, lows, 0.05)) for one in drawn]
    # Forty trials are few here: often no upper end can be told, and then all above the lower one is inside.
    assert sum(low - 1e-9 <= limit <= np.nan_to_num(high, nan=np.inf) + 1e-9 for low, high in ends) >= 18
    assert sum(high == high for _, high in ends) >= 2


def test_interval_of_smallest_differences() -> None:
    """Ends are values that were drawn; a resample in which nothing is reliable counts as larger than all."""
    drawn = np.repeat([0.01, 0.02, 0.03, 0.04], [2, 48, 48, 2])
    assert interval_of(drawn, 0.95) == (0.02, 0.03)
    assert interval_of(drawn, 0.98) == (0.01, 0.04)
    low, high = interval_of(np.append(drawn, [np.nan] * 10), 0.95)
    assert low == 0.02
    assert np.isnan(high)
    assert np.isnan(interval_of(np.full(5, np.nan))).all()


def test_identical_runs_have_no_rate() -> None:
    """Runs that never differ tie always: no rate, no division, no warning."""
    scores = np.tile(np.random.default_rng(0).random(20), (3, 1))
    made = count_swaps(scores, [5], 10, HUNDREDTH, 0)
    assert made.rate.shape == (1, 0)
    assert made.counts[0, 0, COMPARISONS] == 30


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ([0.4, 0.1, 0.04, 0.01], 0.02),
        ([0.4, 0.04, 0.06, 0.01], 0.03),
        ([0.4, 0.1, 0.06, 0.051], float("nan")),
        ([0.04, 0.01, 0.0, 0.0], 0.0),
        ([0.4, 0.1, float("nan"), 0.01], 0.03),
        ([0.4, 0.04, float("nan"), float("nan")], 0.01),
        ([float("nan")] * 4, float("nan")),
    ],
)
def test_smallest_reliable(rates: list[float], expected: float) -> None:
    """Small enough there and in all larger bins; a bin without a rate is neither for nor against, nor the answer."""
    found = smallest_reliable(np.array(rates), np.arange(4) / 100, 0.05)
    assert found == pytest.approx(expected, nan_ok=True)


def test_sensitivity_counts_the_bound() -> None:
    """A difference of exactly the bound counts, in spite of rounding; undefined stays undefined."""
    differences = np.array([0.3 - 0.2, -0.25, 0.05])
    assert sensitivity(differences, 0.1) == pytest.approx(2 / 3)
    assert np.isnan(sensitivity(differences, float("nan")))
    assert np.isnan(sensitivity(differences[:0], 0.1))
