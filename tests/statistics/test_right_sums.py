"""Sums of what is right: by hand, in any parts, and the same tests as from all scores."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest

from karat.arrays import Floats
from karat.statistics.equivalence import equivalence
from karat.statistics.noninferiority import within_p, worse_p
from karat.statistics.paired import Paired, adjusted_interval
from karat.statistics.right_sums import RightSums, right_or_wrong


def scores(seed: int, runs: int = 5, units: int = 41, missing: float = 0.2) -> Floats:
    """Scores of 0 and 1, some of them missing."""
    random = np.random.default_rng(seed)
    values = (random.random((runs, units)) < random.uniform(0.3, 0.9, runs)[:, None]).astype(np.float64)
    return np.where(random.random(values.shape) < missing, np.nan, values)


def test_by_hand() -> None:
    """Every sum is what a loop over units counts."""
    values = scores(1)
    sums = RightSums.of(values)
    for a, one in enumerate(values):
        for b, other in enumerate(values):
            shared = [(x, y) for x, y in zip(one, other, strict=True) if x == x and y == y]
            assert sums.scored[a, b] == len(shared)
            assert sums.right[a, b] == sum(x == 1 for x, _ in shared)
            assert sums.both[a, b] == sum(x == y == 1 for x, y in shared)
    assert sums.units == sum((~np.isnan(column)).any() for column in values.T)


@pytest.mark.parametrize("missing", [0, 0.3])
@pytest.mark.parametrize("size", [1, 7, 41])
def test_in_parts(size: int, missing: float) -> None:
    """Sums of parts add up to those of all units, whether a part is of bytes or of doubles."""
    values = scores(2, missing=missing)
    whole = RightSums.of(values)
    cut = [values[:, start : start + size] for start in range(0, values.shape[1], size)]
    bytes_ = [part if np.isnan(part).any() else part.astype(np.int8) for part in cut]
    for parts in (cut, bytes_):
        added = reduce(add, map(RightSums.of, parts), RightSums.zero(len(values)))
        for name in ("scored", "right", "both"):
            np.testing.assert_array_equal(getattr(added, name), getattr(whole, name))
        assert added.units == whole.units


def test_same_tests_as_from_units() -> None:
    """Wins, intervals and tests of margins equal those from all scores, of each pair on its own units."""
    values = scores(3)
    first, second = np.triu_indices(len(values), 1)
    pairs = RightSums.of(values).of_pairs(first, second)
    for place, (a, b) in enumerate(zip(first, second, strict=True)):
        within = ~np.isnan(values[a]) & ~np.isnan(values[b])
        alone = Paired.of(values[[a, b]], np.array([0]), np.array([1]), None, within)
        assert (pairs.won[place], pairs.lost[place]) == tuple(int(side[0]) for side in alone.wins)
        assert pairs.differences[place] == alone.differences[0]
        for of_all, of_one in (
            (adjusted_interval(pairs), adjusted_interval(alone)),
            ((equivalence(pairs, 0.2),), (equivalence(alone, 0.2),)),
            ((worse_p(pairs, 0.1),), (worse_p(alone, 0.1),)),
            ((within_p(pairs, 0.1),), (within_p(alone, 0.1),)),
        ):
            assert [side[place] for side in of_all] == [side[0] for side in of_one]


def test_same_scores() -> None:
    """A run is the same as an earlier one if it has the same scores on the same units."""
    nan = np.nan
    values = np.array([[1, 0, nan], [1, 0, 1], [1, 0, nan], [1, 1, nan], [1, 0, 1]])
    assert RightSums.of(values).same() == [0, 1, 0, 3, 1]


def test_what_is_right_or_wrong() -> None:
    """Only 0, 1 and no score are."""
    assert right_or_wrong(scores(4))
    assert right_or_wrong(np.array([[0, 1]], dtype=np.int8))
    assert not right_or_wrong(np.array([[0, 2]], dtype=np.int8))
    assert not right_or_wrong(np.array([[0, 0.5, np.nan]]))
