"""Sets scattered at random, against counting every way, against scipy, and by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from karat.statistics.scattering import SMALLEST_TAIL, in_common, tails


def by_hand(places: int, sizes: Sequence[int]) -> list[Fraction]:
    """Every way to place every set."""
    ways = list(product(*(combinations(range(places), size) for size in sizes)))
    common = [len(set.intersection(*map(set, way))) for way in ways]
    return [Fraction(common.count(number), len(ways)) for number in range(min(sizes) + 1)]


@pytest.mark.parametrize(("places", "sizes"), [(5, (2, 3)), (6, (6, 4)), (4, (0, 2)), (5, (3, 4, 2)), (4, (3, 3, 3))])
def test_every_way(places: int, sizes: tuple[int, ...]) -> None:
    """Two sets and three, counted one by one."""
    found, expected = in_common(places, sizes), by_hand(places, sizes)
    np.testing.assert_allclose(found[: len(expected)], [float(one) for one in expected], atol=1e-14)
    assert found[len(expected) :].sum() == 0


@pytest.mark.parametrize(("right", "slice_right"), [(700, 40), (700, 30), (990, 44), (3, 0)])
def test_fisher(right: int, slice_right: int) -> None:
    """One stratum of two sets is Fisher's exact test, one-sided."""
    table = [[slice_right, 50 - slice_right], [right - slice_right, 950 - right + slice_right]]
    for tail, alternative in zip(tails([(1000, (right, 50))], slice_right), ("less", "greater"), strict=True):
        assert tail == pytest.approx(stats.fisher_exact(table, alternative).pvalue, rel=1e-9)


def test_strata() -> None:
    """Each stratum is scattered by itself, and what they have in common is summed."""
    strata = [(4, (2, 3)), (5, (3, 4, 2))]
    one, other = (by_hand(*stratum) for stratum in strata)
    for observed in range(4):
        pairs = [(a + b, x * y) for (a, x), (b, y) in product(enumerate(one), enumerate(other))]
        low = sum(chance for number, chance in pairs if number <= observed)
        high = sum(chance for number, chance in pairs if number >= observed)
        assert tails(strata, observed) == pytest.approx((float(low), float(high)))


def test_never_nothing() -> None:
    """What was observed is possible, however small its chance."""
    assert tails([(20_000, (10_000, 10_000))], 0)[0] == SMALLEST_TAIL
    assert tails([], 0) == (1.0, 1.0)
