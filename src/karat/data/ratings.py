"""Ratings: numbers that assessors gave to runs' answers, on one criterion or several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.data.source import IN_MEMORY, Source
from karat.errors import Problem, UsageError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ratings:
    """One row a rated answer: run, unit and assessor are indices; `values` is (rows, criteria), NaN where not rated."""

    runs: tuple[str, ...]
    units: tuple[str, ...]
    assessors: tuple[str, ...]
    criteria: tuple[str, ...]
    run: NDArray[np.int32]
    unit: NDArray[np.int32]
    assessor: NDArray[np.int32]
    values: Floats
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.run)

    def criterion(self, name: str) -> Floats:
        """One criterion of every row."""
        if name not in self.criteria:
            raise UsageError.unknown("criterion", name, self.criteria)
        return self.values[:, self.criteria.index(name)]

    def means(self, values: Floats) -> Floats:
        """The mean of a number a row over the units that each assessor rated (assessors, runs); NaN where none."""
        cell = self.assessor.astype(np.int64) * len(self.runs) + self.run
        size = len(self.assessors) * len(self.runs)
        known = ~np.isnan(values)
        sums = np.bincount(cell[known], values[known], minlength=size)
        counts = np.bincount(cell[known], minlength=size)
        means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
        return means.reshape(len(self.assessors), len(self.runs))
