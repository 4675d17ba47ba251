"""Thresholds of published systems against their rules told step by step."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.learning.folds import stratified
from karat.engines.learning.threshold import learn_first_best, learn_stable, spread
from tests.engines.learning.by_hand import accuracy

PAIRS = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.booleans()), min_size=1, max_size=15)


@given(PAIRS)
def test_first_best(pairs: list[tuple[float, bool]]) -> None:
    """Pairs by distance, one more accepted at a time; the first strictly better one gives its distance."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    truth = [entailed for _, entailed in ordered]
    threshold, best = 0.0, accuracy([False] * len(ordered), truth)
    for accepted in range(1, len(ordered) + 1):
        value = accuracy([place < accepted for place in range(len(ordered))], truth)
        if value > best + 1e-12:
            threshold, best = ordered[accepted - 1][0], value
    codes = np.array([0 if entailed else 1 for _, entailed in pairs], dtype=np.int8)
    model = learn_first_best(-np.array([distance for distance, _ in pairs]), codes)
    assert (-model.everywhere, model.value) == pytest.approx((threshold, best))


def test_ties_are_parted_by_their_order() -> None:
    """Faithful to the sweep: the value is one that the threshold does not reach."""
    model = learn_first_best(np.array([-0.5, -0.5]), np.array([0, 1], dtype=np.int8))
    assert (model.everywhere, model.value) == (-0.5, 1.0)
    assert model.decide(np.array([-0.5, -0.5])).tolist() == [0, 0]


@pytest.mark.parametrize(("pairs", "levels"), [(60, 20), *((120 + seed, 1000) for seed in range(6))])
def test_stable_by_hand(pairs: int, levels: int) -> None:
    """Of the 15 best distances (all, where there are few) the one least different from fold to fold."""
    random = np.random.default_rng(pairs)
    distances = random.integers(0, levels, pairs) / levels
    codes = (random.random(pairs) < distances).astype(np.int8)
    folds = stratified(codes, 10)
    rows = []
    for distance in sorted(set(distances.tolist())):
        answers = distances < distance
        value = accuracy(answers.tolist(), (codes == 0).tolist())
        parts = [accuracy(answers[folds == f].tolist(), (codes[folds == f] == 0).tolist()) for f in range(10)]
        rows.append((-round(value, 9), distance, sum(abs(a - b) for a, b in combinations(parts, 2))))
    rows = sorted(rows)[:15] if len(rows) > 25 else sorted(rows)
    value, distance, _ = min(rows, key=lambda row: round(row[2], 9))
    model = learn_stable(-distances, codes, folds)
    assert model.value == pytest.approx(-value)
    # Just beyond the distance itself: a pair at it is not entailed.
    assert model.decide(np.array([-distance, -distance + 1e-9])).tolist() == [1, 0]


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=9))
def test_spread(values: list[float]) -> None:
    """The sum of all differences, from the sorted values."""
    assert spread(np.array(values)) == pytest.approx(sum(abs(a - b) for a, b in combinations(values, 2)), abs=1e-9)
