"""The number of independent events that happen, each with its own probability."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats

NEGLIGIBLE = 1e-40
"""Probabilities below this are cut off at both ends of a distribution."""
SMALLEST_P = 1e-30
"""The smallest p returned, since the distribution is cut off farther out."""
VALUES_CONVOLVED_TOGETHER = 64
"""Up to this many values per distribution, many are convolved at once; beyond that, one by one."""


class CountDistribution:
    """The exact distribution of a count; `chances[i]` is the probability of `first + i`."""

    def __init__(self, chances: Floats, first: int = 0) -> None:
        kept = np.flatnonzero(chances > NEGLIGIBLE)
        start, end = (kept[0], kept[-1] + 1) if len(kept) else (0, len(chances))
        self.chances, self.first = chances[start:end], first + int(start)

    @classmethod
    def of(cls, chances: Floats) -> CountDistribution:
        """The distribution for independent events with these probabilities, by sums of two, four, eight, … of them."""
        size = 1 << max(0, len(chances) - 1).bit_length()
        happens = np.zeros(size)
        happens[: len(chances)] = chances
        sums = np.stack([1 - happens, happens], axis=1)
        while len(sums) > 1 and sums.shape[1] <= VALUES_CONVOLVED_TOGETHER:
            one, other = sums[::2], sums[1::2]
            width = sums.shape[1]
            sums = np.zeros((len(one), 2 * width - 1))
            for place in range(width):
                sums[:, place : place + width] += one[:, place, None] * other
        counts = [cls(row) for row in sums]
        while len(counts) > 1:
            counts = [one + other for one, other in zip(counts[::2], counts[1::2], strict=True)]
        return counts[0]

    def __add__(self, other: CountDistribution) -> CountDistribution:
        return CountDistribution(np.convolve(self.chances, other.chances), self.first + other.first)

    def p(self, seen: int) -> float:
        """Two-sided p: twice the smaller of the two tail probabilities."""
        place = seen - self.first
        low, high = self.chances[: max(0, place + 1)].sum(), self.chances[max(0, place) :].sum()
        return min(1.0, max(2 * float(min(low, high)), SMALLEST_P))
