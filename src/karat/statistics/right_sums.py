"""How often runs are right, alone and together: sums over units, from which McNemar's test of every pair follows.

Sums over disjoint units add up, so a score matrix need not be held: it is enough to see it part by part. They are whole
numbers, so that the same tests result however it is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Ints
from karat.kernels.counting import divide, gram


def right_or_wrong(values: NDArray[Any]) -> bool:
    """Whether every score is 0, 1 or NaN."""
    if values.dtype == np.int8:
        return bool(((values | 1) == 1).all())
    return bool(((values == 0) | (values == 1) | np.isnan(values)).all())


@dataclass(frozen=True, eq=False)
class RightSums:
    """For every two runs (runs, runs): the units on which both are scored, the first is right, and both are right."""

    scored: Ints
    right: Ints
    """Of the units on which both are scored, those on which the first is right."""
    both: Ints
    units: int
    """The units on which some run is scored."""

    @classmethod
    def zero(cls, runs: int) -> RightSums:
        """The sums over no unit."""
        nothing = np.zeros((runs, runs), dtype=np.int64)
        return cls(nothing, nothing, nothing, 0)

    @classmethod
    def of(cls, values: NDArray[Any]) -> RightSums:
        """The sums over some units, from scores (runs, units) of 0, 1 or NaN."""
        right = values == 1
        both = gram(right).astype(np.int64)
        known = np.ones(1, dtype=bool) if values.dtype == np.int8 else ~np.isnan(values)
        if known.all():
            units = values.shape[1]
            return cls(np.full_like(both, units), np.broadcast_to(np.diagonal(both)[:, None], both.shape), both, units)
        scored, first = known.astype(np.float32), right.astype(np.float32)
        # Sums of a part are exact in single precision as long as it has fewer units than EXACT_SINGLE.
        shared, alone = (np.rint(side @ scored.T).astype(np.int64) for side in (scored, first))
        return cls(shared, alone, both, int(known.any(axis=0).sum()))

    def __add__(self, other: RightSums) -> RightSums:
        return RightSums(
            self.scored + other.scored, self.right + other.right, self.both + other.both, self.units + other.units
        )

    @property
    def own(self) -> Ints:
        """The units on which each run is scored (runs,)."""
        return np.diagonal(self.scored)

    @property
    def means(self) -> Floats:
        """The share of right answers of each run; NaN if it is scored on no unit."""
        return divide(np.diagonal(self.both).astype(np.float64), self.own.astype(np.float64))

    def same(self) -> list[int]:
        """For each run the first that is scored on the same units with the same scores: itself, if there is none."""
        own, right = self.own, np.diagonal(self.both)
        together = (self.scored == own[:, None]) & (self.scored == own)
        alike = together & (self.both == right[:, None]) & (self.both == right)
        return alike.argmax(axis=1).tolist()

    def of_pairs(self, first: Ints, second: Ints) -> RightPairs:
        """Wins, losses and shared units of some pairs."""
        both = self.both[first, second]
        won, lost = self.right[first, second] - both, self.right[second, first] - both
        return RightPairs(won, lost, self.scored[first, second])


@dataclass(frozen=True, eq=False)
class RightPairs:
    """Pairs of runs that are right or wrong: wins, losses and units of each, in the words of `Paired`."""

    won: Ints
    lost: Ints
    units: Ints

    @property
    def wins(self) -> tuple[Ints, Ints]:
        """On how many units the first does better, and on how many the second does."""
        return self.won, self.lost

    @property
    def clusters(self) -> Ints:
        """The number of independent observations: the units."""
        return self.units

    @property
    def right(self) -> Bools:
        """Scores are right or wrong."""
        return np.ones(len(self.won), dtype=bool)

    @cached_property
    def differences(self) -> Floats:
        """The mean of the first minus that of the second."""
        return divide((self.won - self.lost).astype(np.float64), self.units.astype(np.float64))
