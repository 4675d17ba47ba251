"""tau-b of a table against tau-b of its units, here and in scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from karat.statistics.rank_correlation import tau_b
from karat.statistics.table_tau import table_tau_b


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


def test_undefined() -> None:
    """Where one scale has one value only, and where there is nothing."""
    assert np.isnan(table_tau_b(np.array([[3.0, 4], [0, 0]])))
    assert np.isnan(table_tau_b(np.zeros((2, 2))))
