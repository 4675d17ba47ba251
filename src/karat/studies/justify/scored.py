"""Ratings as numbers: one criterion under one policy, (judges, pairs, runs)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.data.criteria import Criterion
from karat.data.ratings import Ratings
from karat.errors import UsageError
from karat.studies.justify.parameters import JustifyParameters, NotAsked


@dataclass(frozen=True, eq=False)
class Scored:
    """What every judge gave every run on every pair; NaN where nothing counts."""

    scale: Criterion
    cube: Floats
    exchangeable: bool
    policy: NotAsked
    entered: NDArray[np.bool_]
    """Which runs are rated on which pair at all (pairs, runs), or were shown to somebody who skipped it."""

    @classmethod
    def of(cls, ratings: Ratings, scale: Criterion, policy: NotAsked) -> Scored:
        """Skipped pairs are left out; what was not asked counts 0, or is left out too."""
        entered = np.zeros((len(ratings.units), len(ratings.runs)), dtype=bool)
        entered[ratings.unit, ratings.run] = True
        values = counted(ratings, scale, policy)
        return cls(scale, ratings.cube(values), ratings.exchangeable, policy, entered)

    @property
    def values(self) -> tuple[int, ...]:
        """What may be given, and before it what may count where a criterion was not asked."""
        zero = () if self.scale.zero is None or self.scale.asked_if is None else (self.scale.zero,)
        return (*zero, *self.scale.values)

    @property
    def span(self) -> tuple[int, int]:
        """The least and the most that counts."""
        return (self.values if self.policy == "zero" else self.scale.values)[0], self.scale.high

    def contested(self) -> tuple[Floats, NDArray[np.int64]]:
        """Scores (runs, cells), NaN where a run has none, a cell a judge and pair, and the pair of each cell.

        Exchangeable raters have no ratings that belong together, so there a cell is a pair, and a score their mean.
        """
        if self.exchangeable:
            known = ~np.isnan(self.cube)
            total, times = np.where(known, self.cube, 0.0).sum(axis=0), known.sum(axis=0)
            cells = np.where(times > 0, total / np.maximum(times, 1), np.nan)[None]
        else:
            cells = self.cube
        some = ~np.isnan(cells).all(axis=-1)
        return cells[some].T, np.nonzero(some)[1]


def counted(ratings: Ratings, scale: Criterion, policy: NotAsked) -> Floats:
    """A number a row: what was given, and 0 where the criterion was not asked if that counts."""
    values = ratings.criterion(scale.name)
    if policy == "missing" or scale.zero is None:
        return values
    return np.where(ratings.not_asked(scale), float(scale.zero), values)


def policy_for(scale: Criterion, asked: JustifyParameters) -> NotAsked:
    """What the criterion counts where it was not asked."""
    if asked.not_asked != "by-scale":
        if asked.not_asked == "zero" and scale.asked_if is not None and scale.zero is None:
            raise UsageError(
                f"--not-asked zero: {scale.name} goes from {scale.low} to {scale.high}, where 0 is no number below all "
                "others that could stand for what was not asked; leave it to by-scale, or say missing"
            )
        return asked.not_asked
    return "missing" if scale.zero is None else "zero"
