"""Scores: runs × units, whatever filled them; NaN is "not scored"."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Scores:
    """One number a run and unit: the object that reliability is studied on."""

    runs: tuple[str, ...]
    units: tuple[str, ...]
    values: NDArray[np.float64]

    def means(self) -> NDArray[np.float64]:
        """Each run's mean over its scored units; NaN where there is none."""
        counts = (~np.isnan(self.values)).sum(axis=1)
        with np.errstate(invalid="ignore"):
            return np.nansum(self.values, axis=1) / counts
