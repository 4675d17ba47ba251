"""Pairs of assessors: counts by every way equal those of a loop, and parts of the units add up."""

from __future__ import annotations

import numpy as np
import pytest

from karat.arrays import Ints
from karat.kernels import assessor_pairs
from karat.kernels.assessor_pairs import common_units, pair_tables


def ballots(seed: int, units: int = 23, assessors: int = 7, share: float = 0.4) -> Ints:
    """Unit, assessor and code of random ballots, in random order."""
    random = np.random.default_rng(seed)
    unit, assessor = np.nonzero(random.random((units, assessors)) < share)
    order = random.permutation(len(unit))
    return np.stack([unit, assessor, random.integers(0, 3, len(unit))])[:, order]


@pytest.mark.parametrize("crowded", [0, 16])
@pytest.mark.parametrize("cells", [10, 1 << 26])
def test_common_units(crowded: int, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By table and by neighbours, in blocks and at once."""
    monkeypatch.setattr(assessor_pairs, "CROWDED", crowded)
    monkeypatch.setattr(assessor_pairs, "CELLS_AT_ONCE", cells)
    unit, assessor, _ = ballots(1)
    judged = {who: set(unit[assessor == who].tolist()) for who in range(7)}
    expected = [[len(judged[a] & judged[b]) for b in range(7)] for a in range(7)]
    assert common_units(unit, assessor, 23, 7).tolist() == expected


@pytest.mark.parametrize("cells", [10, 1 << 26])
def test_pair_tables(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell counts the units of which the first says one label and the second another."""
    monkeypatch.setattr(assessor_pairs, "CELLS_AT_ONCE", cells)
    unit, assessor, code = ballots(2)
    said = {(one, who): label for one, who, label in zip(unit, assessor, code, strict=True)}
    pairs = np.array([5, 0, 2]), np.array([1, 6, 3])
    expected = np.zeros((3, 3, 3), dtype=int)
    for place, (a, b) in enumerate(zip(*pairs, strict=True)):
        for one in range(23):
            if (one, a) in said and (one, b) in said:
                expected[place, said[one, a], said[one, b]] += 1
    np.testing.assert_array_equal(pair_tables(unit, assessor, code, 23, pairs, 3), expected)
