"""Division and p-values where a result may be undefined or too small for a double."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats


def divide(above: Floats, below: Floats) -> Floats:
    """above / below, NaN where `below` is 0."""
    defined = below != 0
    return np.where(defined, above / np.where(defined, below, 1), np.nan)[()]


def above_zero(p: Floats) -> Floats:
    """P-values, where one too small for a double becomes the smallest positive double instead of 0; NaN stays NaN."""
    return np.maximum(p, np.finfo(np.float64).tiny)
