"""Scores: runs × units, whatever filled them; NaN is "not scored"."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.data.source import Source


@dataclass(frozen=True, eq=False)
class Scores:
    """One number a run and unit: the object that reliability is studied on."""

    runs: tuple[str, ...]
    units: tuple[str, ...]
    values: NDArray[np.float64]
    measure: str = ""
    """What the mean over units is."""
    clusters: tuple[str, ...] | None = None
    """Which units belong together (questions of a series, pairs of a text) and are resampled as one."""
    sources: tuple[Source, ...] = ()
