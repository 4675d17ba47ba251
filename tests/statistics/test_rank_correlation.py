"""Rank correlation: naive twins, scipy, ties. The papers' rankings are in tests/papers."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.statistics.rank_correlation import (
    best_first,
    discordant,
    largest_move,
    rank_biased_overlap,
    ranks,
    table_tau_b,
    tau,
    tau_ap,
    tau_ap_b,
    tau_b,
    tied,
)

X = np.array([0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54])
Y = np.array([0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84])
scores = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=6)


@given(scores)
def test_tau_b_is_scipys(pairs: list[tuple[int, int]]) -> None:
    """tau-b is scipy's, undefined where scipy's is."""
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    np.testing.assert_allclose(tau_b(x, y), stats.kendalltau(x, y).statistic, atol=1e-12)


def broken(values: np.ndarray) -> list[tuple[int, ...]]:
    """Every way to break the ties of a ranking: runs, best first."""
    return [
        order
        for order in itertools.permutations(range(len(values)))
        if all(values[a] >= values[b] for a, b in itertools.pairwise(order))
    ]


def plain_tau_ap(reference: tuple[int, ...], estimate: tuple[int, ...]) -> Fraction:
    """The definition of Yilmaz et al., on two orders without ties."""
    total = Fraction(0)
    for place in range(1, len(estimate)):
        above = [run for run in estimate[:place] if reference.index(run) < reference.index(estimate[place])]
        total += Fraction(len(above), place)
    return 2 * total / (len(estimate) - 1) - 1


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=4))
def test_tau_ap_is_the_expectation_over_broken_ties(pairs: list[tuple[int, int]]) -> None:
    """Averaged over every way to break the ties, the plain definition gives what the closed form gives."""
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    values = [plain_tau_ap(a, b) for a in broken(x) for b in broken(y)]
    assert float(tau_ap(x, y)) == pytest.approx(float(sum(values) / len(values)), abs=1e-12)


def plain_peers(x: np.ndarray, y: np.ndarray) -> float:
    """One direction of tau_AP,b in loops, after the authors' R package."""
    total, count = 0.0, 0
    for i in range(len(x)):
        above = [j for j in range(len(x)) if y[j] > y[i]]
        if above:
            count += 1
            total += sum(x[j] > x[i] for j in above) / len(above)
    return 2 * total / count - 1 if count else float("nan")


@given(scores)
def test_tau_ap_b_against_loops(pairs: list[tuple[int, int]]) -> None:
    """tau_AP,b is the mean of both directions, as loops have it."""
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    np.testing.assert_allclose(tau_ap_b(x, y), (plain_peers(x, y) + plain_peers(y, x)) / 2, atol=1e-12)
    np.testing.assert_allclose(tau_ap_b(x, y), tau_ap_b(y, x), atol=1e-12)


def test_without_ties_tau_ap_b_is_the_mean_of_both_directions() -> None:
    """Ties alone tell the two forms apart."""
    assert float(tau_ap_b(X, Y)) == pytest.approx((0.392857 + 0.261287) / 2, abs=1e-6)


def test_extremes() -> None:
    """Equal rankings have 1, reversed ones -1, in every coefficient."""
    for coefficient in (tau, tau_b, tau_ap, tau_ap_b):
        assert float(coefficient(X, 2 * X + 1)) == pytest.approx(1)
        assert float(coefficient(X, -X)) == pytest.approx(-1)


def test_leading_axes() -> None:
    """Many estimates against one reference, and each is as alone."""
    many = np.random.default_rng(0).integers(0, 5, (7, 10)).astype(float)
    for coefficient in (tau, tau_b, tau_ap, tau_ap_b, discordant, largest_move):
        np.testing.assert_allclose(coefficient(X, many), [coefficient(X, row) for row in many])


def test_undefined() -> None:
    """One run alone, a run without a score, and a ranking that is one tie."""
    for coefficient in (tau, tau_b, tau_ap, tau_ap_b):
        assert np.isnan(coefficient(np.ones(1), np.ones(1)))
        assert np.isnan(coefficient(X, np.where(X.max() > X, Y, np.nan)))
    assert np.isnan(tau_b(X, np.ones(10)))
    assert np.isnan(tau_ap_b(X, np.ones(10)))
    assert float(tau(X, np.ones(10))) == 0
    assert float(tau_ap(X, np.ones(10))) == pytest.approx(0)


def test_rounding_is_no_order() -> None:
    """0.1 + 0.2 and 0.3 are one score."""
    assert int(tied(np.array([0.1 + 0.2, 0.3, 0.5]))) == 1
    assert ranks(np.array([0.1 + 0.2, 0.3, 0.5])).tolist() == [2.5, 2.5, 1.0]


def test_best_first() -> None:
    """Ties keep the order of the runs, and what has no score comes last."""
    assert best_first(np.array([np.nan, 0.5, 0.7, 0.5])).tolist() == [2, 1, 3, 0]


@pytest.mark.parametrize("seed", range(10))
def test_as_of_the_units(seed: int) -> None:
    """One unit at a time gives the same."""
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 5, 80), random.integers(0, 4, 80)
    y = np.where(random.random(80) < 0.4, np.minimum(x, 3), y)
    counts = np.zeros((5, 4))
    np.add.at(counts, (x, y), 1)
    assert table_tau_b(counts) == pytest.approx(float(tau_b(x.astype(float), y.astype(float))))
    assert table_tau_b(counts) == pytest.approx(stats.kendalltau(x, y).statistic)


def test_undefined_table() -> None:
    """Where one scale has one value only, and where there is nothing."""
    assert np.isnan(table_tau_b(np.array([[3.0, 4], [0, 0]])))
    assert np.isnan(table_tau_b(np.zeros((2, 2))))


def test_rank_biased_overlap_by_breaking_ties() -> None:
    """It is the mean over all orders of the ties of the overlap by definition, which is 1 for equal rankings."""

    def plain(first: list[int], second: list[int], p: float) -> float:
        shares = [len({*first[:depth]} & {*second[:depth]}) / depth for depth in range(1, len(first) + 1)]
        return (1 - p) * sum(share * p**at for at, share in enumerate(shares)) + p ** len(first)

    def broken(scores: list[float]) -> list[list[int]]:
        return [
            list(one)
            for one in itertools.permutations(range(5))
            if all(scores[a] >= scores[b] for a, b in itertools.pairwise(one))
        ]

    random = np.random.default_rng(0)
    for digits in (0, 1, 3):
        for _ in range(5):
            x, y = (random.random((2, 5)) * 3).round(digits).tolist()
            expected = np.mean([plain(a, b, 0.8) for a in broken(x) for b in broken(y)])
            assert rank_biased_overlap(np.array(x), np.array(y), 0.8) == pytest.approx(expected)
    ranked = np.arange(400.0)
    assert rank_biased_overlap(ranked, ranked) == pytest.approx(1)
    assert np.isnan(rank_biased_overlap(np.array([1.0, np.nan]), np.array([1.0, 2.0])))
