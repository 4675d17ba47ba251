"""Less agreement than by chance: against all deals of the labels, its level, and what does not vary."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import hypergeom, norm

from karat.kernels.counting import contingency
from karat.statistics.chance_agreement import below_chance
from karat.statistics.marginal_homogeneity import bowker, stuart_maxwell
from karat.statistics.mcnemar import mcnemar


@pytest.mark.parametrize(("one", "other"), [("aabbcc", "bbccaa"), ("aaabbc", "abcabc"), ("aabb", "bbab")])
def test_moments_of_all_deals(one: str, other: str) -> None:
    """Mean and variance are those of the agreements over every order of one assessor's labels."""
    labels = sorted(set(one))
    agreed = [sum(a == b for a, b in zip(one, dealt, strict=True)) for dealt in permutations(other)]
    found = sum(a == b for a, b in zip(one, other, strict=True))
    step = 1.0 if len(labels) == 2 else 0.5
    expected = norm.cdf((found + step - np.mean(agreed)) / np.std(agreed))
    first, second = (np.array([labels.index(letter) for letter in row], dtype=np.int8) for row in (one, other))
    counts = contingency(first, second, len(labels), len(labels)).astype(float)
    assert float(below_chance(counts)) == pytest.approx(expected)


def test_two_labels_are_nearly_fishers() -> None:
    """Of two labels the exact distribution is hypergeometric."""
    counts = np.array([[12.0, 30.0], [35.0, 23.0]])
    exact = hypergeom(100, 42, 47).cdf(12)
    assert float(below_chance(counts)) == pytest.approx(exact, rel=0.2)


def test_one_label_is_as_expected() -> None:
    """Where one of the two says the same of every unit all deals agree alike; no units, no p."""
    assert below_chance(np.array([[[7.0, 3.0], [0.0, 0.0]], [[9.0, 0.0], [0.0, 0.0]]])).tolist() == [1.0, 1.0]
    assert np.isnan(below_chance(np.zeros((2, 2))))


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.8, 0.2), (0.6, 0.3, 0.1), (0.2,) * 5])
@pytest.mark.parametrize("units", [20, 100])
def test_level(shares: tuple[float, ...], units: int) -> None:
    """Independent assessors are below .05 in at most a twentieth of data sets, and below .001 in a thousandth."""
    cells = np.outer(shares, shares).ravel()
    counts = np.random.default_rng(1).multinomial(units, cells, size=20_000).reshape(-1, len(shares), len(shares))
    p = below_chance(counts.astype(float))
    assert (p < 0.05).mean() <= 0.052
    assert (p < 0.001).mean() <= 0.0015


def test_no_p_is_zero() -> None:
    """However many disagreements, a p too small for a double is the smallest double there is."""
    table = np.array([[0.0, 30_000.0], [0.0, 0.0]])
    swapped = np.array([[0.0, 30_000.0], [30_000.0, 0.0]])
    least = np.finfo(np.float64).tiny
    assert below_chance(swapped) == least
    assert bowker(table)[2] == stuart_maxwell(table)[2] == least
    assert mcnemar(np.array([30_000]), np.array([0])) == least
