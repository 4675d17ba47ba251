"""Arithmetic that knows what undefined is."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats


def divide(above: Floats, below: Floats) -> Floats:
    """above / below, NaN where there is nothing to divide by."""
    defined = below != 0
    return np.where(defined, above / np.where(defined, below, 1), np.nan)[()]


def above_zero(p: Floats) -> Floats:
    """A p-value too small for a double is the smallest there is, not 0: nothing is impossible. NaN stays NaN."""
    return np.maximum(p, np.finfo(np.float64).tiny)
