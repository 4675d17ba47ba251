"""Order: a ranking as groups of ties, with the gains in each group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from karat.arrays import Floats, Integers, Ints
from karat.kernels.ranking import group_sums, harmonic_differences, tie_groups

RankedBy = Literal["entailment", "response"]
Ties = Literal["expected", "file", "id"]
"""How ties are broken: not at all (measures are expectations), by file order, or by id."""


@dataclass(frozen=True, eq=False)
class Order:
    """The number of units in each tie group (…, groups) from the top, and the sum of their gains.

    In a ranking by entailment a gain is a ⊢ of the key; in a ranking by response, a right answer.
    """

    ranked_by: RankedBy
    sizes: Floats
    gains: Floats

    @cached_property
    def before(self) -> Floats:
        """The number of units above each group."""
        return np.cumsum(self.sizes, axis=-1) - self.sizes

    @cached_property
    def gained(self) -> Floats:
        """The gains above each group."""
        above = np.cumsum(self.gains, axis=-1)
        above -= self.gains
        return above

    @cached_property
    def harmonic(self) -> Floats:
        """Σ 1/rank over the ranks of each group."""
        return harmonic_differences(self.sizes)

    @cached_property
    def untied(self) -> bool:
        """Whether every group has one unit."""
        return bool((self.sizes == 1).all())

    @property
    def total(self) -> Floats:
        """The number of all units."""
        return self.sizes.sum(axis=-1)


@dataclass(frozen=True, eq=False)
class Ranking:
    """The units of some runs in rank order, to be counted under any weights as an `Order`."""

    ranked_by: RankedBy
    order: Ints
    group: Ints
    gains: Floats

    @classmethod
    def of(cls, ranked_by: RankedBy, scores: Floats, gains: Floats, tie_break: Integers | None = None) -> Ranking:
        """Rank units (…, units) by decreasing score."""
        return cls(ranked_by, *tie_groups(scores, tie_break), gains)

    def count(self, weights: Floats | None = None) -> Order:
        """Group sizes and gains; with integer weights (…, units), those of a resample."""
        ones = np.ones(self.order.shape[-1])
        given = ones if weights is None else weights
        if weights is None and self.group.size and (self.group[..., -1] == self.order.shape[-1] - 1).all():
            sizes = np.broadcast_to(ones, self.order.shape)
        else:
            sizes = group_sums(given, self.order, self.group)
        return Order(self.ranked_by, sizes, group_sums(given * self.gains, self.order, self.group))

    def __getitem__(self, run: int) -> Ranking:
        return Ranking(self.ranked_by, self.order[run], self.group[run], self.gains[run])
