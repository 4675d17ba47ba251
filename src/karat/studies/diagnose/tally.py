"""Right answers counted over groups of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats, divide
from karat.statistics.wilson import wilson
from karat.studies.diagnose.rows import Cell, Interval


@dataclass(frozen=True, eq=False)
class Tally:
    """For runs and groups (runs, …): how many are right of n (…), the (weighted) share of them and its interval."""

    right: Floats
    n: Floats
    accuracy: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, right: Floats, chosen: Bools, level: float, weights: Floats | None = None) -> Tally:
        """Of right answers (runs, units) and groups (…, units).

        With weights the interval is that of as many pairs as they are worth: n = (Σw)² / Σw².
        """
        shape = chosen.shape[:-1]
        masks = chosen.reshape(math.prod(shape), chosen.shape[-1]).astype(np.float64)
        weight = np.ones(right.shape[1]) if weights is None else weights
        total, squares = masks @ weight, masks @ weight**2
        accuracy = divide((right * weight) @ masks.T, np.broadcast_to(total, (len(right), len(total))))
        low, high = wilson(accuracy, np.broadcast_to(divide(total**2, squares), accuracy.shape), level)
        return cls(
            right=(right @ masks.T).reshape(len(right), *shape),
            n=masks.sum(axis=1).reshape(shape),
            accuracy=accuracy.reshape(len(right), *shape),
            low=np.asarray(low).reshape(len(right), *shape),
            high=np.asarray(high).reshape(len(right), *shape),
        )

    def interval(self, run: int, *group: int) -> Interval:
        """The ends, where there are any."""
        ends = float(self.low[run][group]), float(self.high[run][group])
        return None if ends[0] != ends[0] else ends

    def cell(self, run: int, *group: int, small: int) -> Cell:
        """One run on one group."""
        n = round(float(self.n[group]))
        return Cell(
            accuracy=float(self.accuracy[run][group]),
            interval=self.interval(run, *group),
            n=n,
            right=round(float(self.right[run][group])),
            small=n < small,
        )
