"""Ratings on one criterion under one policy as an array (judges, pairs, runs)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.data.criteria import Criterion
from karat.data.ratings import Ratings
from karat.errors import UsageError
from karat.studies.justify.parameters import JustifyParameters, NotAsked
from karat.studies.unit_means import mean_of_defined


@dataclass(frozen=True, eq=False)
class Scored:
    """The rating of every run on every pair by every judge; NaN if there is none."""

    scale: Criterion
    cube: Floats
    exchangeable: bool
    policy: NotAsked
    entered: Bools
    """Which runs were rated on which pair (pairs, runs), or shown to a judge who skipped it."""

    @classmethod
    def of(cls, ratings: Ratings, scale: Criterion, policy: NotAsked) -> Scored:
        """Skipped pairs are left out; ratings that were not asked for count as 0 or are left out too."""
        entered = np.zeros((len(ratings.units), len(ratings.runs)), dtype=bool)
        entered[ratings.unit, ratings.run] = True
        values = counted(ratings, scale, policy)
        return cls(scale, ratings.cube(values), ratings.exchangeable, policy, entered)

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the scale, preceded by the value that may count if it was not asked."""
        zero = () if self.scale.zero is None or self.scale.asked_if is None else (self.scale.zero,)
        return (*zero, *self.scale.values)

    @property
    def span(self) -> tuple[int, int]:
        """The least and the greatest value that counts."""
        return (self.values if self.policy == "zero" else self.scale.values)[0], self.scale.high

    def contested(self) -> tuple[Floats, Ints]:
        """Scores (runs, cells), NaN if a run has none, and the pair of each cell; a cell is one judge on one pair.

        The ratings of exchangeable raters cannot be matched, so a cell is then a pair, and a score their mean.
        """
        cells = mean_of_defined(self.cube)[None] if self.exchangeable else self.cube
        some = ~np.isnan(cells).all(axis=-1)
        return cells[some].T, np.nonzero(some)[1]


def counted(ratings: Ratings, scale: Criterion, policy: NotAsked) -> Floats:
    """One number per row: the rating, or 0 if the criterion was not asked and the policy is `zero`."""
    values = ratings.criterion(scale.name)
    if policy == "missing" or scale.zero is None:
        return values
    return np.where(ratings.not_asked(scale), float(scale.zero), values)


def policy_for(scale: Criterion, asked: JustifyParameters) -> NotAsked:
    """How the criterion counts if it was not asked."""
    if asked.not_asked != "by-scale":
        if asked.not_asked == "zero" and scale.asked_if is not None and scale.zero is None:
            raise UsageError(
                f"--not-asked zero: {scale.name} goes from {scale.low} to {scale.high}, so 0 cannot stand for "
                "ratings that were not asked; use by-scale or missing"
            )
        return asked.not_asked
    return "missing" if scale.zero is None else "zero"
