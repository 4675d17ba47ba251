"""How many of several independent events happen, each with a chance of its own."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats

NEGLIGIBLE = 1e-40
"""What is less likely than this is cut off either end of a distribution."""
SMALLEST = 1e-30
"""A p below this is given as this, which is as good: farther out the distribution is cut off."""
WIDE = 64
"""Up to so many events many distributions are added at once, beyond one by one."""


class Count:
    """The exact distribution of a count: `chances[i]` is that of `first + i`."""

    def __init__(self, chances: Floats, first: int = 0) -> None:
        kept = np.flatnonzero(chances > NEGLIGIBLE)
        start, end = (kept[0], kept[-1] + 1) if len(kept) else (0, len(chances))
        self.chances, self.first = chances[start:end], first + int(start)

    @classmethod
    def of(cls, chances: Floats) -> Count:
        """Of independent events with these chances: sums of two, of four, of eight, … of them."""
        size = 1 << max(0, len(chances) - 1).bit_length()
        happens = np.zeros(size)
        happens[: len(chances)] = chances
        sums = np.stack([1 - happens, happens], axis=1)
        while len(sums) > 1 and sums.shape[1] <= WIDE:
            one, other = sums[::2], sums[1::2]
            width = sums.shape[1]
            sums = np.zeros((len(one), 2 * width - 1))
            for place in range(width):
                sums[:, place : place + width] += one[:, place, None] * other
        counts = [cls(row) for row in sums]
        while len(counts) > 1:
            counts = [one + other for one, other in zip(counts[::2], counts[1::2], strict=True)]
        return counts[0]

    def __add__(self, other: Count) -> Count:
        return Count(np.convolve(self.chances, other.chances), self.first + other.first)

    def p(self, seen: int) -> float:
        """Two-sided: twice the chance of a count so low, or so high, whichever is smaller."""
        place = seen - self.first
        low, high = self.chances[: max(0, place + 1)].sum(), self.chances[max(0, place) :].sum()
        return min(1.0, max(2 * float(min(low, high)), SMALLEST))
