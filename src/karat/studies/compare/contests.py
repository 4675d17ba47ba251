"""What comparisons by means and by other measures share: the simulation settings and the results by pair of runs.

`Means` and `Remeasured` have the same methods, which take pairs of runs as two arrays of indices and return
differences, tests, and corrected p-values by the step-down maximum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat.arrays import Floats, Ints, Singles
from karat.kernels.random import generator
from karat.kernels.signflip import random_signs
from karat.progress import track
from karat.statistics.bootstrap import WEIGHTS_AT_A_TIME
from karat.statistics.multiple_testing import Correction, corrected, error_after
from karat.statistics.paired import simulation_error

Test = Literal["exact", "randomisation", "bootstrap", "bca", "t", "wilcoxon", "sign"]
Pairing = tuple[Ints, Ints]
"""The indices of the first and of the second run of every pair."""

REPLICATES_AT_ONCE = 1000
"""Replicates drawn at a time, fewer if there are very many units. Results depend on it, so it is not set by memory."""


@dataclass(frozen=True)
class Simulation:
    """The number of replicates, the seed, and the level."""

    replicates: int
    seed: int
    level: float = 0.95
    margin: float | None = None
    """The equivalence margin; None if equivalence is not tested."""

    @property
    def alpha(self) -> float:
        """The significance level that goes with the level of the intervals."""
        return 1 - self.level

    def signs(self, clusters: int) -> Iterator[Singles]:
        """Blocks of random signs (replicates, clusters), the same for every pair of runs."""
        rows = max(1, min(REPLICATES_AT_ONCE, WEIGHTS_AT_A_TIME // max(clusters, 1)))
        for block, start in enumerate(track(range(0, self.replicates, rows), "flipping signs")):
            random = generator(self.seed, "compare", "flips", block)
            yield random_signs(clusters, min(rows, self.replicates - start), random)

    def random(self, purpose: str) -> np.random.Generator:
        """A generator for one purpose of this study."""
        return generator(self.seed, "compare", purpose)


@dataclass(frozen=True)
class Contrasts:
    """The results, one entry per pair."""

    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    mc_error: Floats
    p_equivalence: Floats
    units: Ints
    """The units on which both runs were scored."""

    def corrected(self, correction: Correction) -> tuple[Floats, Floats]:
        """The p-values corrected for the number of pairs, and their Monte-Carlo errors."""
        return corrected(self.p, correction), error_after(self.p, self.mc_error, correction)

    def stepped(self, p: Floats, replicates: int) -> tuple[Floats, Floats]:
        """The p-values of the step-down maximum, simulated and never below those of the pairs, and their errors."""
        p = np.where(np.isnan(self.p), np.nan, np.fmax(p, self.p))
        return p, simulation_error(p, replicates)

    @classmethod
    def empty(cls, pairs: int) -> Contrasts:
        """All results undefined."""
        difference, low, high, p, mc_error, p_equivalence = np.full((6, pairs), np.nan)
        return cls(difference, low, high, p, mc_error, p_equivalence, np.zeros(pairs, dtype=np.int64))

    def put(self, places: Ints, other: Contrasts) -> None:
        """Fill in the results of some pairs."""
        for name, column in vars(other).items():
            getattr(self, name)[places] = column
