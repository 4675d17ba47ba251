"""What is compared: runs by the mean of their scores, or by a measure that has to be worked out anew.

Both answer the same questions of any pairs of runs, given as two arrays of places: how far apart, how surely, and what
might have come out were there no difference.
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
from karat.statistics.corrections import Correction, corrected, error_after
from karat.statistics.randomisation import simulation_error

Test = Literal["exact", "randomisation", "bootstrap", "bca", "t", "wilcoxon", "sign"]
Pairing = tuple[Ints, Ints]
"""The places of the first and of the second run of every pair."""

BLOCK = 1000
"""Replicates drawn at a time, fewer where there are very many units; results depend on it, never on memory."""


@dataclass(frozen=True)
class Drawing:
    """How much is simulated, and from which seed."""

    replicates: int
    seed: int
    level: float = 0.95
    margin: float | None = None
    """Differences smaller than this do not matter; None where nobody asked."""

    @property
    def alpha(self) -> float:
        """The level of the tests that goes with that of the intervals."""
        return 1 - self.level

    def signs(self, clusters: int) -> Iterator[Singles]:
        """Blocks of random signs (replicates, clusters), the same for every pair of runs."""
        rows = max(1, min(BLOCK, WEIGHTS_AT_A_TIME // max(clusters, 1)))
        for block, start in enumerate(track(range(0, self.replicates, rows), "flipping signs")):
            random = generator(self.seed, "compare", "flips", block)
            yield random_signs(clusters, min(rows, self.replicates - start), random)

    def random(self, purpose: str) -> np.random.Generator:
        """Numbers for one purpose of this study."""
        return generator(self.seed, "compare", purpose)


@dataclass(frozen=True)
class Contrasts:
    """What came out, one entry a pair."""

    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    mc_error: Floats
    p_equivalence: Floats
    units: Ints
    """Units that both runs were scored on."""

    def corrected(self, correction: Correction) -> tuple[Floats, Floats]:
        """Corrected p-values that follow from those of the pairs, and their Monte-Carlo errors."""
        return corrected(self.p, correction), error_after(self.p, self.mc_error, correction)

    def stepped(self, p: Floats, replicates: int) -> tuple[Floats, Floats]:
        """Those of the step-down maximum: simulated, even where the pairs' own p are not, and no smaller than those."""
        p = np.where(np.isnan(self.p), np.nan, np.fmax(p, self.p))
        return p, simulation_error(p, replicates)

    @classmethod
    def empty(cls, pairs: int) -> Contrasts:
        """Nothing known yet."""
        difference, low, high, p, mc_error, p_equivalence = np.full((6, pairs), np.nan)
        return cls(difference, low, high, p, mc_error, p_equivalence, np.zeros(pairs, dtype=np.int64))

    def put(self, places: Ints, other: Contrasts) -> None:
        """Fill in some pairs."""
        for name, column in vars(other).items():
            getattr(self, name)[places] = column
