"""Right answers by group of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats
from karat.kernels.counting import divide
from karat.statistics.intervals import wilson
from karat.studies.diagnose.rows import Share, SliceAccuracy


@dataclass(frozen=True, eq=False)
class Tally:
    """The right answers of runs on groups (runs, …) out of n (…), with the (weighted) accuracy and its interval."""

    right: Floats
    n: Floats
    accuracy: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, right: Floats, chosen: Bools, level: float, weights: Floats | None = None) -> Tally:
        """From right answers (runs, units) and groups (…, units).

        With weights the interval uses the effective number of pairs, (Σw)² / Σw².
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

    def share(self, run: int, *group: int) -> Share:
        """One run on one group."""
        low, high = float(self.low[run][group]), float(self.high[run][group])
        return Share(
            accuracy=float(self.accuracy[run][group]),
            interval=None if low != low else (low, high),
            n=round(float(self.n[group])),
            right=round(float(self.right[run][group])),
        )

    def cell(self, run: int, *group: int, small: int) -> SliceAccuracy:
        """The same, marked if it has fewer pairs than `small`."""
        share = self.share(run, *group)
        return SliceAccuracy(**vars(share), small=share.n < small)
