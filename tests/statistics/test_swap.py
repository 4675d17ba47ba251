"""The swap method: tie policies, seeds, and the analytic curves held against many trials."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from karat.kernels.random import generator
from karat.kernels.swap import COMPARISONS
from karat.statistics.decay import fit_decay
from karat.statistics.swap import (
    Swaps,
    TiePolicy,
    count_swaps,
    interval_of,
    rates_of_other_trials,
    sensitivity,
    smallest_reliable,
)
from karat.statistics.swap_normal import (
    PairMoments,
    _gathered,
    finite_rates,
    fresh_rates,
    pair_moments,
    resampled_fresh_rates,
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


@pytest.mark.parametrize("size", [10, 20, 30])
def test_finite_curve_is_the_procedure(size: int) -> None:
    """With the correlation −n/(N−n) the normal curve is what 6,000 trials on these units give."""
    scores = graded(16, 64)
    made = count_swaps(scores, [size], 6000, Fraction(1, 50), 0)
    edges = np.arange(made.rate.shape[1] + 1) / 50
    expected = finite_rates(pair_moments(scores), size, 64, edges)
    enough = made.comparisons[0] > 5000
    assert enough.sum() >= 4
    assert made.rate[0][enough] == pytest.approx(expected[enough], abs=0.02)


def test_fresh_curve_is_that_of_fresh_samples() -> None:
    """Without correlation it is what two samples drawn with replacement give, at the full size too."""
    scores, random = graded(10, 60), np.random.default_rng(1)
    trials = 4000
    means = [scores[:, random.integers(0, 60, (trials, 60))].mean(axis=-1).T for _ in range(2)]
    one, other = np.triu_indices(10, 1)
    ahead, after = (mean[:, one] - mean[:, other] for mean in means)
    edges = np.arange(11) / 50
    place = np.digitize(np.abs(ahead), edges) - 1
    swapped = (ahead * after) < 0
    rates = np.array([swapped[place == cell].mean() for cell in range(8)])
    assert fresh_rates(pair_moments(scores), 60, edges)[:8] == pytest.approx(rates, abs=0.02)


def test_fresh_curve_has_half_of_the_ties() -> None:
    """On right/wrong scores the curve, which knows no ties, is what counting ties as half an error gives."""
    random = np.random.default_rng(5)
    easy = np.clip(np.linspace(0.4, 0.6, 9)[:, None] + random.normal(0, 0.25, 100), 0.02, 0.98)
    scores = (random.random((9, 100)) < easy).astype(np.int64)
    drawn = [scores[:, random.integers(0, 100, (3000, 100))].sum(axis=-1).T for _ in range(2)]
    one, other = np.triu_indices(9, 1)
    ahead, after = (sums[:, one] - sums[:, other] for sums in drawn)
    # A whole number of units stands for all that round to it: the bin of four to seven units begins at 3½.
    edges = (4 * np.arange(7) - 0.5) / 100
    expected = fresh_rates(pair_moments(scores.astype(float)), 100, edges)
    for place in range(1, 6):
        inside = (np.abs(ahead) >= 4 * place) & (np.abs(ahead) < 4 * place + 4)
        strict = ((ahead * after) < 0)[inside].mean()
        assert strict < expected[place]
        assert strict + (after == 0)[inside].mean() / 2 == pytest.approx(expected[place], abs=0.015)


def test_halves_are_opposite() -> None:
    """At half of the units D_B = 2μ − D_A: with equal means every difference is an error."""
    pairs = PairMoments(np.zeros(1), np.ones(1), np.ones(1))
    assert finite_rates(pairs, 50, 100, np.arange(5) / 20) == pytest.approx(1, abs=1e-6)
    assert fresh_rates(pairs, 50, np.arange(5) / 20) == pytest.approx(0.5)


def test_moments_are_those_of_differences() -> None:
    """Means and variances from one product are those of each pair's differences, weighted ones too."""
    scores = graded(5, 30)
    made = pair_moments(scores)
    expected = [scores[a] - scores[b] for a, b in itertools.combinations(range(5), 2)]
    assert made.mean == pytest.approx([d.mean() for d in expected])
    assert made.variance == pytest.approx([d.var(ddof=1) for d in expected])
    weights = np.random.default_rng(0).integers(0, 4, 30).astype(float)
    again = pair_moments(np.repeat(scores, weights.astype(int), axis=1))
    assert pair_moments(scores, weights).mean == pytest.approx(again.mean)
    assert pair_moments(scores, weights).variance == pytest.approx(again.variance)


@pytest.mark.parametrize("size", [20, 100, 2000])
def test_gathered_pairs_give_the_same_curve(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Taking near pairs together, as is done where they are many, changes no digit that anybody would print."""
    random = np.random.default_rng(0)
    pairs = PairMoments(random.normal(0, 0.1, 30_000), random.uniform(0.05, 0.4, 30_000), np.ones(30_000))
    edges = np.arange(30) / 100
    gathered = _gathered(pairs, 1 / size)
    assert len(gathered.mean) < 20_000
    assert gathered.weight.sum() == pytest.approx(30_000)
    short = fresh_rates(pairs, size, edges), finite_rates(pairs, size, 3 * size, edges)
    monkeypatch.setattr("karat.statistics.swap_normal.CROWD", 10**9)
    assert short[0] == pytest.approx(fresh_rates(pairs, size, edges), abs=5e-5)
    assert short[1] == pytest.approx(finite_rates(pairs, size, 3 * size, edges), abs=1e-4)


@pytest.mark.parametrize("hundredths", range(1, 30))
def test_constant_differences_are_in_their_bin(hundredths: int) -> None:
    """A run that is better by .05 on every unit differs by .05, whatever rounding makes of it; it is never an error."""
    base = np.random.default_rng(hundredths).random(20)
    scores = np.stack([base, base + hundredths / 100, base])
    edges = np.arange(41) / 100
    expected = np.where(np.arange(40) == hundredths, 0.0, np.nan)
    moments = pair_moments(scores)
    assert fresh_rates(moments, 20, edges) == pytest.approx(expected, nan_ok=True)
    assert finite_rates(moments, 10, 20, edges) == pytest.approx(expected, nan_ok=True)


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


def test_identical_runs_have_no_curve() -> None:
    """Runs that never differ tie always: no rate, no division, no warning."""
    scores = np.tile(np.random.default_rng(0).random(20), (3, 1))
    assert np.isnan(fresh_rates(pair_moments(scores), 20, np.arange(4) / 100)).all()
    made = count_swaps(scores, [5], 10, HUNDREDTH, 0)
    assert made.rate.shape == (1, 0)
    assert made.counts[0, 0, COMPARISONS] == 30


def test_resampled_curves_are_around() -> None:
    """Resampling runs and units gives curves around the curve, seeded."""
    scores, edges = graded(12, 50), np.arange(8) / 50
    many = resampled_fresh_rates(scores, 50, edges, 100, 0)
    full = fresh_rates(pair_moments(scores), 50, edges)
    low, high = np.quantile(many, [0.005, 0.995], axis=0)
    assert ((low <= full) & (full <= high)).all()
    assert np.array_equal(many, resampled_fresh_rates(scores, 50, edges, 100, 0))


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


def test_variances_of_runs_far_apart() -> None:
    """A million more on every unit moves the mean and no variance; numpy has it of the differences themselves."""
    scores = graded(3, 40)
    scores[1] += 1e6
    moments = pair_moments(scores, (np.arange(40) % 3).astype(np.float64))
    times = np.repeat(np.arange(40), np.arange(40) % 3)
    for place, (one, other) in enumerate(itertools.combinations(range(3), 2)):
        apart = (scores[one] - scores[other])[times]
        assert moments.mean[place] == pytest.approx(apart.mean())
        assert moments.variance[place] == pytest.approx(apart.var(ddof=1), rel=1e-6)
    same = pair_moments(np.stack([scores[0], scores[0] + 0.1]))
    assert same.variance.tolist() == [0.0]
