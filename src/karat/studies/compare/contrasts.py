"""What comparing runs gives for each pair, with the draws it takes; and the pairs of runs that are right or wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from karat.arrays import Floats, Ints, Singles
from karat.data.parameters import generator
from karat.kernels.counting import random_signs
from karat.progress import track
from karat.statistics.bootstrap import WEIGHTS_AT_A_TIME
from karat.statistics.equivalence import equivalence
from karat.statistics.intervals import wilson
from karat.statistics.multiple_testing import Correction, corrected, error_after
from karat.statistics.noninferiority import within_p, worse_p
from karat.statistics.paired import above_zero, adjusted_interval, mcnemar, simulation_error
from karat.statistics.right_sums import RightSums
from karat.studies.compare.result import FEWEST_TESTED

Test = Literal["exact", "randomisation", "bootstrap", "bca", "t", "wilcoxon", "sign"]
FROM_SUMS = ("exact", "sign")
"""The tests of right or wrong that need only sums over units."""
RIGHT_OR_WRONG = "scores are right or wrong, so it is McNemar's exact test"
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
    allowance: float | None = None
    """How much worse than a baseline a run may be; None if that is not tested."""

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
    p_worse: Floats
    """Of the null hypothesis that the first run is at most the allowance worse than the second, …"""
    p_within: Floats
    """… and that it is worse by the allowance or more."""
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
        difference, low, high, p, mc_error, p_equivalence, p_worse, p_within = np.full((8, pairs), np.nan)
        units = np.zeros(pairs, dtype=np.int64)
        return cls(difference, low, high, p, mc_error, p_equivalence, p_worse, p_within, units)

    def put(self, places: Ints, other: Contrasts) -> None:
        """Fill in the results of some pairs."""
        for name, column in vars(other).items():
            getattr(self, name)[places] = column

    def above_zero(self) -> Contrasts:
        """The same with p-values that are never 0."""
        return replace(
            self,
            p=above_zero(self.p),
            p_equivalence=above_zero(self.p_equivalence),
            p_worse=above_zero(self.p_worse),
            p_within=above_zero(self.p_within),
        )


def right_contrasts(sums: RightSums, drawing: Simulation, pairing: Pairing) -> Contrasts:
    """McNemar's exact test of every pair, on the units on which both were scored."""
    pairs = sums.of_pairs(*pairing)
    made = replace(Contrasts.empty(len(pairs.units)), difference=pairs.differences, units=pairs.units)
    tested = np.flatnonzero(pairs.units >= FEWEST_TESTED)  # a single unit says nothing about the variance: no test
    first, second = pairing
    some = sums.of_pairs(first[tested], second[tested])
    low, high = adjusted_interval(some, drawing.level)
    found = replace(
        Contrasts.empty(len(tested)),
        difference=some.differences,
        units=some.units,
        low=low,
        high=high,
        p=mcnemar(*some.wins),
        mc_error=np.zeros(len(tested)),
    )
    if drawing.margin is not None:
        found = replace(found, p_equivalence=equivalence(some, drawing.margin))
    if drawing.allowance:
        worse, within = worse_p(some, drawing.allowance), within_p(some, drawing.allowance)
        found = replace(found, p_worse=worse, p_within=within)
    made.put(tested, found)
    return made.above_zero()


@dataclass(frozen=True, eq=False)
class RightMeans:
    """Runs that are right or wrong on independent units, compared from sums over the units, as `PairedMeans` does."""

    sums: RightSums
    drawing: Simulation
    cluster: None = None
    right_or_wrong: bool = True

    @property
    def estimate(self) -> Floats:
        """The mean of every run over the units on which it was scored."""
        return self.sums.means

    @property
    def shared(self) -> Ints:
        """The number of units on which both of two runs were scored (runs, runs)."""
        return self.sums.scored

    def run_intervals(self) -> tuple[Floats, Floats]:
        """Wilson's interval of every run's mean."""
        return wilson(self.sums.means, self.sums.own.astype(np.float64), self.drawing.level)

    def choose(self, _: Pairing) -> tuple[Test, str]:
        """The test for such scores, and why."""
        return "exact", RIGHT_OR_WRONG

    def contrast(self, pairing: Pairing, _: Test) -> Contrasts:
        """The test of every pair: on what is right or wrong, the exact test and the sign test are one."""
        return right_contrasts(self.sums, self.drawing, pairing)
