"""Numbers as spelled in files, and as written."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from karat.arrays import Floats


def as_number(value: object) -> float:
    """A cell as a number, or NaN: `1_0`, `٣` and `true` are numbers only to Python."""
    if isinstance(value, bool) or (isinstance(value, str) and ("_" in value or not value.isascii())):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def as_numbers(cells: Sequence[object]) -> Floats:
    """Cells as numbers, NaN for others; fast if all are numbers, or all are strings of numbers."""
    kinds = set(map(type, cells))
    try:
        if kinds <= {int, float}:
            return np.array(list(map(float, cells)))  # type: ignore[arg-type]
        if kinds == {str} and "_" not in (joined := "".join(cells)) and joined.isascii():  # type: ignore[arg-type]
            return np.array(list(map(float, cells)))  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        pass
    return np.array(list(map(as_number, cells)))


WRITTEN_DIGITS = 12
"""Significant digits of every number written; BLAS, SIMD and libm agree on at least the first nine."""


def rounded(value: float) -> float:
    """The number as it is written."""
    return float(f"{value:.{WRITTEN_DIGITS}g}")
