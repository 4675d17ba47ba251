"""Paired comparisons: t against scipy, intervals against the literature, sign flips against enumeration."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from karat.arrays import Floats, Singles
from karat.data.parameters import generator
from karat.kernels.counting import random_signs
from karat.statistics.paired import (
    ENUMERATED_UP_TO,
    Paired,
    adjusted_interval,
    exact_randomisation,
    exact_work,
    mcnemar,
    mean_interval,
    paired_t,
    randomisation,
    standardised,
    t_interval,
)


def paired_of(values: Floats, cluster: NDArray[np.int64] | None = None) -> Paired:
    """All pairs of the rows."""
    return Paired.of(values, *np.triu_indices(len(values), 1), cluster)


def test_t_is_scipys() -> None:
    """p and bounds of all pairs, from one product, are those of scipy's paired test."""
    values = np.random.default_rng(0).normal(size=(5, 43)) + 1e3
    paired = paired_of(values)
    low, high = t_interval(paired)
    for place, (a, b) in enumerate(zip(paired.first, paired.second, strict=True)):
        theirs = stats.ttest_rel(values[a], values[b])
        ends = theirs.confidence_interval()
        assert paired_t(paired)[place] == pytest.approx(theirs.pvalue, rel=1e-7)
        assert (low[place], high[place]) == (pytest.approx(ends.low, rel=1e-6), pytest.approx(ends.high, rel=1e-6))


def test_ratio_of_clusters() -> None:
    """The difference is that of the means over units; its error that of a ratio, C/(C−1)·Σ(D − r·n)²/N²."""
    random = np.random.default_rng(1)
    cluster = random.integers(0, 9, size=80)
    values = random.normal(size=(3, 80))
    paired = paired_of(values, cluster)
    for place, (a, b) in enumerate(zip(paired.first, paired.second, strict=True)):
        apart = values[a] - values[b]
        ratio = apart.mean()
        residuals = [(apart[cluster == c] - ratio).sum() for c in range(9)]
        error = (9 / 8 * sum(one**2 for one in residuals)) ** 0.5 / 80
        assert paired.differences[place] == pytest.approx(ratio)
        assert paired.errors[place] == pytest.approx(error)
        assert paired_t(paired)[place] == pytest.approx(2 * stats.t.sf(abs(ratio / error), 8))


def test_equal_clusters_are_units() -> None:
    """Clusters of one size give the t-test of the clusters' means."""
    values = np.random.default_rng(2).normal(size=(2, 60))
    theirs = stats.ttest_rel(*values.reshape(2, 20, 3).mean(axis=2))
    assert paired_t(paired_of(values, np.repeat(np.arange(20), 3)))[0] == pytest.approx(theirs.pvalue)


def test_adjusted_interval_by_hand() -> None:
    """30 against 10 of 100: (31 − 11)/102 ± 1.959964·√((42/102 − (20/102)²)/102), as Bonett and Price have it."""
    first = np.array([1.0] * 30 + [0.0] * 10 + [1.0] * 60)
    second = np.array([0.0] * 30 + [1.0] * 10 + [1.0] * 60)
    low, high = adjusted_interval(paired_of(np.stack([first, second])))
    half = 1.959963985 * ((42 / 102 - (20 / 102) ** 2) / 102) ** 0.5
    assert (low[0], high[0]) == (pytest.approx(20 / 102 - half), pytest.approx(20 / 102 + half))


def test_wins_count_clusters() -> None:
    """On how many clusters each does better; a tie is neither's."""
    values = np.array([[1.0, 0, 1, 0, 1, 1], [0.0, 0, 1, 1, 1, 0]])
    assert [int(side[0]) for side in paired_of(values).wins] == [2, 1]
    assert [int(side[0]) for side in paired_of(values, np.array([0, 0, 1, 1, 2, 2])).wins] == [2, 1]
    assert [int(side[0]) for side in paired_of(values + 0.1).wins] == [2, 1]


def test_wins_are_not_of_rounding() -> None:
    """A cluster on which both runs have the same scores in another order is a tie."""
    scores = np.random.default_rng(4).random((40, 9))
    values = np.stack([scores.ravel(), scores[:, ::-1].ravel()])
    cluster = np.repeat(np.arange(40), 9)
    sums = [np.bincount(cluster, row) for row in values]
    assert (sums[0] != sums[1]).any()
    assert [int(side[0]) for side in paired_of(values, cluster).wins] == [0, 0]


def test_units_that_do_not_count() -> None:
    """Leaving units out is the same as never having had them."""
    random = np.random.default_rng(3)
    values, cluster = random.normal(size=(3, 50)), random.integers(0, 12, size=50)
    within = random.random(50) < 0.7
    first, second = np.triu_indices(3, 1)
    for numbers in (None, cluster):
        part = Paired.of(values, first, second, numbers, within)
        again = None if numbers is None else np.unique(cluster[within], return_inverse=True)[1]
        alone = Paired.of(values[:, within], first, second, again)
        np.testing.assert_allclose(part.differences, alone.differences)
        np.testing.assert_allclose(part.errors, alone.errors)
        np.testing.assert_allclose(paired_t(part), paired_t(alone))
        np.testing.assert_allclose(mean_interval(part), mean_interval(alone))


def test_degenerate() -> None:
    """Alike: p 1, no interval. The same difference on every unit: p by flips. One unit: none. Right/wrong: bounds."""
    alike = paired_of(np.array([[0.3, 0.7, 0.1]] * 2))
    assert paired_t(alike).tolist() == [1.0]
    assert np.isnan(t_interval(alike)).all()
    shifted = paired_of(np.array([[0.3, 0.7, 0.1], [0.4, 0.8, 0.2]]))
    assert paired_t(shifted).tolist() == [0.25]  # 2 of the 8 flips of three equal differences
    single = paired_of(np.array([[0.3], [0.4]]))
    assert np.isnan(paired_t(single)).all()
    assert np.isnan(t_interval(single)).all()
    assert np.isnan(mean_interval(single)).all()
    low, high = adjusted_interval(paired_of(np.ones((2, 20))))
    assert low[0] < 0 < high[0]


def blocks(clusters: int, number: int = 20) -> Iterator[Singles]:
    """Replicates by the thousand."""
    for block in range(number):
        yield random_signs(clusters, 1000, generator(0, "test", block))


def enumerated(sums: Floats) -> float:
    """The share of all flips of the differences that are as extreme."""
    apart = sums[0] - sums[1]
    flips = 1 - 2 * (np.arange(1 << len(apart))[:, None] >> np.arange(len(apart)) & 1)
    return float((np.abs(flips @ apart) >= abs(apart.sum()) - 1e-9).mean())


@pytest.mark.parametrize("units", [ENUMERATED_UP_TO - 5, ENUMERATED_UP_TO + 1])
@pytest.mark.parametrize("values", [2, 5, 11])
def test_exact_is_all_flips(values: int, units: int) -> None:
    """Right/wrong, quarters, tenths: every flip counted, one by one where they are few, else by convolution."""
    scores = np.random.default_rng(values).integers(0, values, size=(4, units)) / (values - 1)
    paired = paired_of(scores)
    for p, a, b in zip(exact_randomisation(paired), paired.first, paired.second, strict=True):
        assert p == pytest.approx(enumerated(scores[[a, b]]), rel=1e-9)


def test_exact_of_few_real_numbers() -> None:
    """Scores of any kind, and clusters of them, where there are few; many have no exact test."""
    random = np.random.default_rng(3)
    scores, cluster = random.random((3, 40)), np.arange(40) % 7
    paired = paired_of(scores, cluster)
    sums = np.stack([np.bincount(cluster, row).astype(np.float64) for row in scores])
    for p, a, b in zip(exact_randomisation(paired), paired.first, paired.second, strict=True):
        assert p == pytest.approx(enumerated(sums[[a, b]]), rel=1e-9)
    assert exact_work(paired_of(scores)) == float("inf")


@pytest.mark.parametrize("clusters", [9, ENUMERATED_UP_TO + 1])
def test_exact_of_clusters_flips_whole_clusters(clusters: int) -> None:
    """Sums of right/wrong scores over clusters are a lattice, and are flipped as one."""
    random = np.random.default_rng(0)
    scores = (random.random((2, 60)) < 0.6).astype(float)
    cluster = np.arange(60) % clusters
    sums = np.stack([np.bincount(cluster, row, minlength=clusters).astype(np.float64) for row in scores])
    assert exact_randomisation(paired_of(scores, cluster))[0] == pytest.approx(enumerated(sums), rel=1e-9)


def test_on_right_and_wrong_it_is_mcnemars() -> None:
    """The convolution and the binomial agree."""
    right = np.random.default_rng(1).random((6, 300)) < np.linspace(0.4, 0.7, 6)[:, None]
    paired = paired_of(right.astype(float))
    # Halves of the same scores are a lattice, not right and wrong: they go the other way.
    halves = paired_of(right / 2)
    assert paired.right is not None
    assert halves.right is None
    np.testing.assert_allclose(exact_randomisation(halves), mcnemar(*paired.wins), rtol=1e-8)


def test_scipys_permutation_test() -> None:
    """Its p is ours, for scores where it enumerates all flips."""
    scores = np.random.default_rng(2).integers(0, 5, size=(2, 10)) / 4
    theirs = stats.permutation_test(scores, lambda a, b: (a - b).sum(), permutation_type="samples", n_resamples=np.inf)
    assert exact_randomisation(paired_of(scores))[0] == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("kind", ["right", "quarters", "real"])
def test_simulated_is_within_its_error(kind: str) -> None:
    """Twenty thousand flips give the exact p within five of its Monte-Carlo errors; never 0."""
    random = np.random.default_rng(3)
    levels = {"right": 2, "quarters": 5, "real": 100_000}[kind]
    scores = random.integers(0, levels, size=(5, 12)) / (levels - 1)
    paired = paired_of(scores)
    p, error = randomisation(paired, blocks(12))
    exact = [enumerated(scores[[a, b]]) for a, b in zip(paired.first, paired.second, strict=True)]
    assert (np.abs(p - exact) <= 5 * error + 1e-4).all()
    assert (p > 0).all()
    np.testing.assert_allclose(error, np.sqrt(p * (1 - p) / 20_001))


def test_tenths_tie_exactly() -> None:
    """Sums of tenths that tie count as ties, though as floating-point numbers they differ."""
    scores = np.array([[0.1, 0.2, 0.3, 0.0], [0.0, 0.0, 0.0, 0.6]])
    p, _ = randomisation(paired_of(scores), blocks(4, 2))
    assert p[0] == 1.0
    assert exact_randomisation(paired_of(scores))[0] == 1.0


def test_work_of_exact() -> None:
    """Many real numbers cannot be counted; right and wrong cost nothing."""
    assert exact_work(paired_of(np.random.default_rng(0).random((2, ENUMERATED_UP_TO + 1)))) == float("inf")
    assert exact_work(paired_of(np.eye(3))) == 3
    assert 0 < exact_work(paired_of(np.eye(3) / 2)) < 100


def test_standardised_is_what_flips_do_not_change() -> None:
    """|Σd|/√Σd², of the scores as they are and under flips; 0 where runs are alike."""
    scores = np.vstack([np.random.default_rng(7).random((2, 30)), np.zeros((2, 30))])
    paired = paired_of(scores)
    apart = scores[paired.first] - scores[paired.second]
    spread = np.sqrt((apart**2).sum(axis=1))
    spread[spread == 0] = 1
    np.testing.assert_allclose(standardised(paired), np.abs(apart.sum(axis=1)) / spread)
    signs = random_signs(30, 8, generator(0, "test"))
    np.testing.assert_allclose(standardised(paired, signs), np.abs(signs @ apart.T) / spread, atol=1e-9)


def test_a_run_on_another_scale_changes_no_other_pair() -> None:
    """What is rounding is a matter of the two runs compared: exact, simulated and by signs."""
    values = np.random.default_rng(8).normal(size=(3, 12)) + np.array([[2.5], [0.0], [0.0]])
    alone, among = paired_of(values[:2]), paired_of(values * np.array([[1.0], [1.0], [1e13]]))
    assert exact_randomisation(alone)[0] < 0.05
    assert exact_randomisation(among)[0] == exact_randomisation(alone)[0]
    flips = [random_signs(12, 500, generator(0, "flips"))]
    assert randomisation(among, flips)[0][0] == randomisation(alone, flips)[0][0]
    assert [side[0] for side in among.wins] == [side[0] for side in alone.wins]


@given(st.integers(0, 60), st.integers(0, 60))
def test_is_the_binomial_test(won: int, lost: int) -> None:
    """Exactly the two-sided binomial, by fractions; mid-p is less by half of what was observed on either side."""
    n, k = won + lost, min(won, lost)
    half = Fraction(sum(math.comb(n, j) for j in range(k + 1)), 2**n)
    here = Fraction(math.comb(n, k), 2**n)
    p = min(2 * half, Fraction(1))
    assert float(mcnemar(np.array(won), np.array(lost))) == pytest.approx(float(p), rel=1e-9)
    mid = 1 - here / 2 if 2 * k == n else p - here
    assert float(mcnemar(np.array(won), np.array(lost), mid=True)) == pytest.approx(float(mid), rel=1e-9)


def test_many_pairs_at_once() -> None:
    """Any shape; equal counts are worked out once and are equal; scipy agrees."""
    random = np.random.default_rng(0)
    won, lost = random.integers(0, 900, size=(2, 30, 30))
    p = mcnemar(won, lost)
    assert p.shape == (30, 30)
    expected = [stats.binomtest(int(a), int(a + b)).pvalue for a, b in zip(won.ravel(), lost.ravel(), strict=True)]
    np.testing.assert_allclose(p.ravel(), expected, rtol=1e-9)


def test_no_disagreement() -> None:
    """Runs that never disagree cannot be told apart."""
    assert mcnemar(np.array([0]), np.array([0])).tolist() == [1.0]
    assert mcnemar(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []
