"""Measures of rankings: expectations over ties against brute force, and the textbook without ties."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from karat.data.orders import Order, Ranking
from karat.errors import NotApplicable
from karat.measures import average_precision, confidence_weighted, mean_precision

rankings = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=7)


def naive_average_precision(gains: list[bool]) -> float:
    """The RTE-4 guidelines, word by word."""
    return sum(sum(gains[: i + 1]) / (i + 1) for i, gain in enumerate(gains) if gain) / sum(gains)


def naive_mean_precision(gains: list[bool]) -> float:
    """Precision of every cut-off, averaged."""
    return sum(sum(gains[:r]) / r for r in range(1, len(gains) + 1)) / len(gains)


def every_order(ranking: list[tuple[int, bool]]) -> list[list[bool]]:
    """All orders that the scores allow."""
    groups = [[g for s, g in ranking if s == score] for score in sorted({s for s, _ in ranking}, reverse=True)]
    within = (itertools.permutations(group) for group in groups)
    return [[gain for group in chosen for gain in group] for chosen in itertools.product(*within)]


@given(ranking=rankings)
def test_ties_are_expectations(ranking: list[tuple[int, bool]]) -> None:
    """Within ties the value is the mean over all orders, exactly."""
    scores = np.array([score for score, _ in ranking], dtype=float)
    gains = np.array([gain for _, gain in ranking], dtype=float)
    orders = every_order(ranking)
    order = Ranking.of("entailment", scores, gains).count()
    by_hand = np.mean([naive_mean_precision(one) for one in orders])
    assert float(mean_precision(order)) == pytest.approx(by_hand)
    by_response = Ranking.of("response", scores, gains).count()
    assert float(confidence_weighted(by_response)) == pytest.approx(by_hand)
    if gains.any():
        expected = np.mean([naive_average_precision(one) for one in orders])
        assert float(average_precision(order)) == pytest.approx(expected)
    else:
        assert np.isnan(average_precision(order))


@given(
    ranking=rankings,
    weights=st.lists(st.integers(0, 3), min_size=7, max_size=7).filter(lambda w: sum(w) > 0),
)
def test_weights_are_copies(ranking: list[tuple[int, bool]], weights: list[int]) -> None:
    """Counting a unit twice is ranking two copies of it, tied."""
    scores = np.array([score for score, _ in ranking], dtype=float)
    gains = np.array([gain for _, gain in ranking], dtype=float)
    copies = np.array(weights[: len(ranking)])
    if not copies.sum():
        return
    weighted = Ranking.of("entailment", scores, gains).count(copies.astype(float))
    copied = Ranking.of("entailment", np.repeat(scores, copies), np.repeat(gains, copies)).count()
    for measure in (average_precision, mean_precision):
        np.testing.assert_allclose(measure(weighted), measure(copied))


def test_scikit_learn_without_ties() -> None:
    """Average precision without ties is scikit-learn's, for many runs at once."""
    random = np.random.default_rng(0)
    scores, key = random.random((20, 300)), random.random(300) < 0.4
    order = Ranking.of("entailment", scores, np.broadcast_to(key, scores.shape).astype(float)).count()
    theirs = [average_precision_score(key, row) for row in scores]
    np.testing.assert_allclose(average_precision(order), theirs)


def test_runs_with_and_without_ties_together() -> None:
    """Runs of different numbers of tie groups can be measured at once."""
    scores = np.array([[3.0, 2, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]])
    gains = np.broadcast_to(np.array([1.0, 0, 1, 0]), scores.shape)
    together = average_precision(Ranking.of("entailment", scores, gains).count())
    apart = [average_precision(Ranking.of("entailment", row, gains[0]).count()) for row in scores]
    np.testing.assert_allclose(together, apart)


@pytest.mark.parametrize(("units", "relevant"), [(1000, 500), (800, 410), (1, 1), (7, 2)])
def test_random_ranking(units: int, relevant: int) -> None:
    """One group of ties has the closed form q + (1−q)·H_N/N."""
    q = (relevant - 1) / (units - 1) if units > 1 else 0.0
    harmonic = sum(1 / k for k in range(1, units + 1))
    order = Order("entailment", np.array([float(units)]), np.array([float(relevant)]))
    assert float(average_precision(order)) == pytest.approx(q + (1 - q) * harmonic / units)


def test_wrong_kind_of_ranking() -> None:
    """A measure asked of the wrong ranking is refused with the reason."""
    order = Order("response", np.ones(3), np.ones(3))
    with pytest.raises(NotApplicable, match="needs one by entailment"):
        average_precision(order)
    with pytest.raises(NotApplicable, match="needs one by response"):
        confidence_weighted(Order("entailment", np.ones(3), np.ones(3)))
