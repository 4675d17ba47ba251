"""Ratings as numbers: one criterion under one policy, (judges, pairs, runs)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.data.criteria import Criterion
from karat.data.ratings import Ratings
from karat.studies.justify.parameters import NotAsked

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scored:
    """What every judge gave every run on every pair; NaN where nothing counts."""

    scale: Criterion
    cube: Floats
    exchangeable: bool

    @classmethod
    def of(cls, ratings: Ratings, scale: Criterion, policy: NotAsked) -> Scored:
        """Skipped pairs are left out; what was not asked counts 0, or is left out too."""
        values = ratings.criterion(scale.name)
        if policy == "zero":
            values = np.where(ratings.not_asked(scale), float(scale.zero), values)
        return cls(scale, ratings.cube(values), ratings.exchangeable)

    @property
    def values(self) -> tuple[int, ...]:
        """What may be given, and before it what counts where a criterion was not asked."""
        return (*((self.scale.zero,) if self.scale.asked_if else ()), *self.scale.values)

    def contested(self) -> tuple[Floats, NDArray[np.int64]]:
        """Scores (runs, cells) that all runs have, a cell a judge and pair, and the pair of each cell.

        Exchangeable raters have no ratings that belong together, so there a cell is a pair, and a score their mean.
        """
        if self.exchangeable:
            known = ~np.isnan(self.cube)
            total, times = np.where(known, self.cube, 0.0).sum(axis=0), known.sum(axis=0)
            cells = np.where(times > 0, total / np.maximum(times, 1), np.nan)[None]
        else:
            cells = self.cube
        full = ~np.isnan(cells).any(axis=-1)
        return cells[full].T, np.nonzero(full)[1]
