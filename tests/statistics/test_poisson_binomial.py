"""The number of independent events that happen, against a plain recursion and the binomial distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from karat.statistics.poisson_binomial import SMALLEST_P, CountDistribution


def one_by_one(chances: list[float]) -> list[float]:
    """The distribution as textbooks have it: one event after the other."""
    found = [1.0]
    for chance in chances:
        found = [
            (found[at] * (1 - chance) if at < len(found) else 0.0) + (found[at - 1] * chance if at else 0.0)
            for at in range(len(found) + 1)
        ]
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 65, 150, 700])
def test_twin(size: int) -> None:
    """Any chances, certain and impossible ones included."""
    random = np.random.default_rng(size)
    chances = np.round(random.random(size) ** random.choice([0.05, 1, 3]), 2)
    twin, count = one_by_one(chances.tolist()), CountDistribution.of(chances)
    ours = np.zeros(size + 1)
    ours[count.first : count.first + len(count.chances)] = count.chances
    np.testing.assert_allclose(ours, twin, rtol=1e-9, atol=1e-30)
    for seen in range(size + 1):
        p = min(1.0, max(2 * min(sum(twin[: seen + 1]), sum(twin[seen:])), SMALLEST_P))
        assert count.p(seen) == pytest.approx(p, rel=1e-6)


def test_equal_chances() -> None:
    """Of equal chances it is the binomial, in parts or all at once."""
    whole = CountDistribution.of(np.full(5000, 0.97))
    parts = CountDistribution.of(np.full(1200, 0.97)) + CountDistribution.of(np.full(3800, 0.97))
    for seen in (4700, 4800, 4850, 4900, 4950):
        p = min(1.0, max(SMALLEST_P, 2 * min(binom.cdf(seen, 5000, 0.97), binom.sf(seen - 1, 5000, 0.97))))
        assert whole.p(seen) == pytest.approx(p, rel=1e-8)
        assert parts.p(seen) == pytest.approx(p, rel=1e-8)


def test_nothing_can_happen() -> None:
    """No events at all, and events that are certain."""
    assert CountDistribution.of(np.array([])).p(0) == 1
    assert CountDistribution.of(np.ones(3)).p(3) == 1
    assert CountDistribution.of(np.ones(3)).p(2) == SMALLEST_P
