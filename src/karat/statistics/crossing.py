"""Where the curves of two runs cross, found by bisection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from karat.arrays import Floats, Ints
from karat.statistics.rank_correlation import signs

Curves = Callable[[Ints, Floats], Floats]
"""The values of runs (by number) at x, element by element."""
BISECTIONS = 50
"""Bisection steps, enough for full precision."""


def crossings(curves: Curves, runs: int, low: float, high: float, grid: int = 400) -> list[tuple[int, int, float]]:
    """(a, b, x) for every crossing between `low` and `high`: a is above b before x and below it after.

    Two crossings within one step of the grid are missed, and curves that touch do not cross. Curves that coincide on a
    stretch before they change order cross where that stretch begins.
    """
    x = np.linspace(low, high, grid)
    values = [curves(np.full(grid, run), x) for run in range(runs)]
    above, below, brackets = [], [], []
    for a in range(runs):
        for b in range(a + 1, runs):
            ahead = signs(values[a] - values[b])
            apart = np.flatnonzero(ahead)  # where they are equal, the last sign before still counts
            for turn in np.flatnonzero(ahead[apart[1:]] != ahead[apart[:-1]]).tolist():
                left, right = apart[turn], apart[turn + 1]
                above.append(a if ahead[left] > 0 else b)
                below.append(b if ahead[left] > 0 else a)
                brackets.append((x[left], x[right]))
    if not brackets:
        return []
    return list(zip(above, below, _solve(curves, np.array(above), np.array(below), *np.array(brackets).T), strict=True))


def _solve(curves: Curves, above: Ints, below: Ints, low: Floats, high: Floats) -> list[float]:
    """Bisection of all brackets at once; `above` is above at the left end of each and below at the right end."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        still = signs(curves(above, middle) - curves(below, middle)) > 0
        low, high = np.where(still, middle, low), np.where(still, high, middle)
    return list(map(float, (low + high) / 2))
