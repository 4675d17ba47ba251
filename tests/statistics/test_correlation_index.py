"""The indices: exact cases, and the weighted correlation against numpy's on repeated units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from karat.statistics.correlation_index import (
    Ratio,
    correlation_index,
    deviation_index,
    pair_index,
    reading,
    weighted_correlation,
)


def test_indices() -> None:
    """A ratio, and the distance of two; NaN where there is nothing to divide by."""
    index = correlation_index(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.0, 0.0]))
    assert index[0] == 2
    assert np.isnan(index[1:]).all()
    assert deviation_index(np.array(0.9), np.array(1.4)) == pytest.approx(0.5)


def test_pair_index() -> None:
    """m/k if right, 0 if wrong and k > 0, undefined if k = 0."""
    found = pair_index(np.array([1.0, 0, 1, 0]), np.array([2.0, 2, 0, 0]), np.full(4, 3.0))
    assert found[:2].tolist() == [1.5, 0]
    assert np.isnan(found[2:]).all()


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=12))
def test_weighted_correlation(rows: list[tuple[int, int, int]]) -> None:
    """Weights are repetitions; undefined exactly where one side does not vary."""
    x, y, w = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    found = weighted_correlation(x, y / 4, np.stack([w, w * 3]))
    a, b = np.repeat(x, w.astype(int)), np.repeat(y, w.astype(int))
    if not len(a) or np.ptp(a) == 0 or np.ptp(b) == 0:
        assert np.isnan(found).all()
    else:
        assert found == pytest.approx(np.full(2, np.corrcoef(a, b)[0, 1]))


@pytest.mark.parametrize(
    ("index", "interval", "p", "ideal", "told"),
    [
        (float("nan"), None, float("nan"), False, "undefined"),
        (1.2, None, float("nan"), False, "too few to tell"),
        (1.2, None, 0.4, False, "too few to tell"),
        (0.7, (0.5, 0.9), 0.01, False, "missing"),
        (0.7, (0.5, 0.9), 0.06, False, "not significant"),
        (1.4, (1.1, 1.9), 0.01, False, "over"),
        (0.95, (0.93, 0.97), 0.01, True, "missing"),
        (1.0, (0.95, 1.04), 0.9, True, "ideal"),
        (1.0, (0.95, 1.04), 0.9, False, "not significant"),
        (1.0, (0.95, 1.04), float("nan"), True, "not tested"),
    ],
)
def test_reading(index: float, interval: tuple[float, float] | None, p: float, ideal: bool, told: str) -> None:
    """The corrected test decides, not the number; nearness to 1 is a claim as well."""
    assert reading(index, interval, p, 0.05, ideal) == told


def lacking(right: float, n: int) -> float:
    """How much larger the variance of a share would be with one more right and one more wrong."""
    return max((right + 1) * (n - right + 1) / (n + 2) ** 3 - right * (n - right) / n**2 / max(n - 1, 1), 0.0)


def t_of(homes: list[list[tuple[bool, int, bool]]], ratio: float) -> float:
    """Wholes less ratio times parts at the wholes' mix, over the error from what each home departs by.

    A home is a list of (whole?, label, right?), one whole each.
    """
    wholes = [one for home in homes for one in home if one[0]]
    parts = {label: [one for home in homes for one in home if not one[0] and one[1] == label] for label in (0, 1)}
    mix = {label: sum(one[1] == label for one in wholes) / len(wholes) for label in parts}
    accuracy = {label: sum(one[2] for one in some) / len(some) for label, some in parts.items()}
    right = sum(one[2] for one in wholes)
    apart = right / len(wholes) - ratio * sum(mix[label] * accuracy[label] for label in mix)
    squares = 0.0
    for home in homes:
        departs = 0.0
        for whole, label, fine in home:
            if whole:
                departs += (fine - ratio * accuracy[label] - apart) / len(wholes)
            else:
                departs -= ratio * mix[label] * (fine - accuracy[label]) / len(parts[label])
        squares += departs**2
    least = lacking(right, len(wholes)) + sum(
        (ratio * mix[label]) ** 2 * lacking(sum(one[2] for one in some), len(some)) for label, some in parts.items()
    )
    return apart / (squares * len(wholes) / (len(wholes) - 1) + least) ** 0.5


def ratio_of(homes: list[list[tuple[bool, int, bool]]]) -> Ratio:
    """The same counted into arrays."""
    counts = np.zeros((3, len(homes), 2, 1))
    above = np.zeros((len(homes), 1))
    for at, home in enumerate(homes):
        for whole, label, fine in home:
            above[at] += whole and fine
            counts[0, at, label] += whole
            counts[1, at, label] += not whole and fine
            counts[2, at, label] += not whole
    return Ratio.of(above, *counts)


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_inverts_the_test(seed: int) -> None:
    """At either end t is at its quantile, or an end is that of one exact interval alone."""
    random = np.random.default_rng(seed)
    chance, homes = random.uniform(0.4, 0.95), []
    for at in range(12 + seed):
        home = [(True, at % 2, bool(random.random() < chance))]
        homes.append(home + [(False, part % 2, bool(random.random() < 0.8)) for part in range(4)])
    ratio = ratio_of(homes)
    low, high = (float(side[0]) for side in ratio.interval(0.95))
    limit = stats.t.ppf(0.975, float(ratio.freedom[0]))
    right = sum(one[2] for home in homes for one in home if one[0])
    exact = stats.binomtest(right, len(homes)).proportion_ci()
    fine = sum(one[2] for home in homes for one in home if not one[0])
    parts = stats.binomtest(fine, 4 * len(homes)).proportion_ci()
    lows, highs = [exact.low / ratio.parts[0]], [exact.high / ratio.parts[0]]
    lows, highs = [*lows, right / len(homes) / parts.high], [*highs, right / len(homes) / parts.low]
    assert t_of(homes, low) == pytest.approx(limit, rel=1e-6) or low == pytest.approx(min(lows), rel=1e-3)
    assert t_of(homes, high) == pytest.approx(-limit, rel=1e-6) or high == pytest.approx(max(highs), rel=1e-3)
    assert t_of(homes, low) >= limit - 1e-9 or low == 0
    assert t_of(homes, high) <= -limit + 1e-9
    assert float(ratio.p()[0]) == pytest.approx(2 * stats.t.sf(abs(t_of(homes, 1.0)), float(ratio.freedom[0])))


def test_an_interval_of_right_answers_alone_has_a_width() -> None:
    """Ten of ten wholes and thirty of thirty parts: Clopper and Pearson's .69 for the wholes, .88 for the parts."""
    ratio = Ratio.of(np.ones((10, 1)), np.ones((10, 1, 1)), np.full((10, 1, 1), 3.0), np.full((10, 1, 1), 3.0))
    low, high = ratio.interval(0.95)
    assert low[0] <= 0.025 ** (1 / 10)
    assert high[0] >= 1 / 0.025 ** (1 / 30)
