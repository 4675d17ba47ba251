"""Sign flips: the exact tail against enumeration and fractions, the simulated against plain loops."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.data.parameters import generator
from karat.kernels.counting import count_extreme, flip_tail, flipped_sums, random_signs


def tail_of(differences: list[int]) -> float:
    """The kernel's tail for one list of differences."""
    sizes, counts = np.unique(np.abs([d for d in differences if d]), return_counts=True)
    return float(flip_tail(sizes.astype(np.int64), counts[None], np.array([sum(differences)]))[0])


def enumerated(differences: list[int]) -> Fraction:
    """The share of all sign flips that are as extreme, one by one."""
    flips = list(itertools.product((1, -1), repeat=len(differences)))
    observed = abs(sum(differences))
    extreme = sum(abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= observed for signs in flips)
    return Fraction(extreme, len(flips))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9).filter(any))
def test_tail_is_the_enumeration(differences: list[int]) -> None:
    """Every flip counted, ties included."""
    assert tail_of(differences) == pytest.approx(float(enumerated(differences)), rel=1e-10)


def polynomial_tail(counts: dict[int, int], observed: int) -> Fraction:
    """By exact whole-number convolution of binomials."""
    ways = {0: 1}
    for step, number in counts.items():
        ways = {
            total: sum(ways.get(total - step * (2 * k - number), 0) * math.comb(number, k) for k in range(number + 1))
            for total in {t + step * (2 * k - number) for t in ways for k in range(number + 1)}
        }
    return Fraction(sum(w for t, w in ways.items() if abs(t) >= observed), 2 ** sum(counts.values()))


@pytest.mark.parametrize("observed", [1, 11, 61, 121, 171, 199, 201])
def test_tail_keeps_its_digits_far_out(observed: int) -> None:
    """Ten digits of probabilities down to 1e-40, where an untilted transform has none left."""
    counts = {1: 61, 2: 40, 3: 20}
    exact = polynomial_tail(counts, observed)
    ours = flip_tail(np.array([1, 2, 3]), np.array([list(counts.values())]), np.array([observed]))[0]
    assert ours == pytest.approx(float(exact), rel=1e-9)
    assert exact < 1e-36 or observed < 201


def test_tail_of_nothing_is_one() -> None:
    """No difference in sum: every flip is as extreme."""
    assert flip_tail(np.array([1, 2]), np.array([[3, 0], [0, 0]]), np.array([0, 0])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("kind", ["bits", "quarters", "large", "real"])
def test_simulated_counts_are_those_of_a_loop(kind: str) -> None:
    """All pairs from one product: the counts of flips pair by pair, in every width of number."""
    random = np.random.default_rng(5)
    largest = {"bits": 2, "quarters": 5, "large": 1 << 22, "real": 0}[kind]
    values = random.integers(0, largest, size=(5, 37)) if largest else random.normal(size=(5, 37))
    signs = random_signs(37, 200, generator(0, "test"))
    first, second = np.triu_indices(5, 1)
    observed = np.abs(values.sum(axis=1)[first] - values.sum(axis=1)[second])
    counts = count_extreme(flipped_sums(values, signs), first, second, observed)
    for a, b, seen, count in zip(first, second, observed, counts, strict=True):
        sums = [sum(float(s) * (x - y) for s, x, y in zip(row, values[a], values[b], strict=True)) for row in signs]
        assert count == sum(abs(total) >= seen for total in sums)


def test_signs_are_fair() -> None:
    """As many of each, no unit or replicate like another."""
    signs = random_signs(41, 4000, generator(1, "test"))
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.mean(axis=0)).max() < 5 / 4000**0.5
    correlation = signs.T @ signs / 4000 - np.eye(41)
    assert np.abs(correlation).max() < 5 / 4000**0.5
