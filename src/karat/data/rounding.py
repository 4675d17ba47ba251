"""Rounding of numbers: the last digits of a double differ between processors."""

from __future__ import annotations

WRITTEN_DIGITS = 12
"""Significant digits of every number written; BLAS, SIMD and libm agree on at least the first nine."""


def rounded(value: float) -> float:
    """The number as it is written."""
    return float(f"{value:.{WRITTEN_DIGITS}g}")
