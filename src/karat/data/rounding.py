"""Digits that mean something: the last few of a double differ from processor to processor."""

from __future__ import annotations

WRITTEN = 12
"""Significant digits of every number that is written; BLAS, SIMD and libm agree on the first nine at least."""
COMPARED = 9
"""Significant digits that are the same on every machine."""
NOISE = 1e-12
"""What is left where two numbers cancel differs in every digit: below this, numbers near 1 are no different from 0."""


def rounded(value: float, digits: int = WRITTEN) -> float:
    """The number to so many significant digits."""
    return float(f"{value:.{digits}g}")
