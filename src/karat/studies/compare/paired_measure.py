"""Runs compared by a measure that is not a mean over units (kappa, information, average precision).

The measure is recomputed: randomisation exchanges both runs' answers on whole units, and the bootstrap resamples whole
units. Such a measure has no scores unit by unit, so there are no signs to flip.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats, Ints
from karat.errors import UsageError
from karat.measures.facts import bounds
from karat.registry import Bound
from karat.statistics.bootstrap import jackknife, replicate
from karat.statistics.equivalence import unseen_units
from karat.statistics.multiple_testing import StepDown
from karat.statistics.paired import simulated
from karat.statistics.paired_bootstrap import (
    bca_test,
    difference_errors,
    equivalence_shares,
    margin_shares,
    percentile_test,
    run_intervals,
)
from karat.studies.compare.contrasts import Contrasts, Pairing, Simulation, Test
from karat.studies.scorer import Scorer

TABLES_AT_ONCE = 1 << 17
"""Tables measured at a time."""


@dataclass(frozen=True, eq=False)
class PairedMeasure:
    """Runs by a measure, and the number of each scored unit's cluster."""

    scorer: Scorer
    drawing: Simulation
    cluster: Ints | None = None

    @property
    def measure(self) -> Bound:
        """The measure that is recomputed."""
        return self.scorer.measure

    @property
    def clusters(self) -> int:
        """The number of clusters, or of units, that are exchanged and resampled."""
        return self.scorer.units if self.cluster is None else int(self.cluster.max(initial=-1)) + 1

    @property
    def reach(self) -> float:
        """How far apart two runs can be by the measure; infinite if there is no limit."""
        low, high = bounds(self.measure, len(self.scorer.way.labels))
        return high - low

    def statistic(self, weights: Floats) -> Floats:
        """The measure of every run (…, runs) under weights (…, clusters)."""
        return self.scorer.values(resamples=self._of_units(weights))

    def _of_units(self, weights: Floats) -> Floats:
        """Weights of units from those of clusters; units without a label in the key have weight 0."""
        weights = weights if self.cluster is None else weights[..., self.cluster]
        scored = self.scorer.runs.key.labels >= 0
        if scored.all():
            return weights
        of_units = np.zeros((*weights.shape[:-1], len(scored)))
        of_units[..., scored] = weights
        return of_units

    @cached_property
    def estimate(self) -> Floats:
        """The measure of every run."""
        return self.statistic(np.ones((1, self.clusters)))[0]

    @property
    def shared(self) -> Ints:
        """The number of units, or clusters, shared by two runs (runs, runs); 0 if one of them has no value."""
        defined = ~np.isnan(self.estimate)
        return np.where(defined & defined[:, None], self.clusters, 0)

    def choose(self, pairing: Pairing) -> tuple[Test, str]:
        """The test for a measure like this, and why."""
        del pairing
        if self.scorer.ranks:
            return "bootstrap", f"{self.measure} is a measure of rankings, whose answers cannot be exchanged"
        return (
            "randomisation",
            f"{self.measure} is not a mean over units, so answers are exchanged and it is recomputed",
        )

    @cached_property
    def resampled(self) -> Floats:
        """The measure of every run on resamples of the clusters (replicates, runs)."""
        return replicate(self.statistic, self.clusters, self.drawing.replicates, self.drawing.random("bootstrap"))

    def run_intervals(self) -> tuple[Floats, Floats]:
        """The percentile interval of every run's value."""
        low, high = run_intervals(self.resampled, self.drawing.level)
        known = ~np.isnan(self.estimate)
        return np.where(known, low, np.nan), np.where(known, high, np.nan)

    def contrast(self, pairing: Pairing, test: Test) -> Contrasts:
        """The test of every pair."""
        self._refuse(test)
        units = np.full(len(pairing[0]), self.scorer.units)
        if self.clusters < 2:  # a single observation says nothing about the variance: no test
            return replace(Contrasts.empty(len(units)), difference=self._differences(pairing), units=units)
        values = self.resampled
        if test == "bca":
            left_out = jackknife(self.statistic, self.clusters, self.drawing.random("jackknife"))
            p, error, low, high = bca_test(values, left_out, self.estimate, *pairing, self.drawing.level)
        else:
            p, error, low, high = percentile_test(values, self.estimate, *pairing, self.drawing.level)
        if test == "randomisation":
            p, error = self._randomise(pairing)
        apart = self._differences(pairing)
        same = np.full(len(p), np.nan)
        if self.drawing.margin is not None:
            same = equivalence_shares(values, *pairing, self.drawing.margin)
            same = np.fmax(same, unseen_units(np.abs(apart), self.clusters, self.drawing.margin, self.reach))
            same = np.where(np.isnan(apart), np.nan, same)
        worse = within = np.full(len(p), np.nan)
        if self.drawing.allowance:
            allowed = self.drawing.allowance
            worse, within = margin_shares(values, *pairing, allowed)
            # A difference that never varies (a copy) is not worse within the margin, and rare losses may be unseen.
            constant = np.isnan(worse) & ~np.isnan(apart)
            worse = np.where(constant, np.where(apart < -allowed, 0.5**self.clusters, 1.0), worse)
            within = np.fmax(within, unseen_units(np.maximum(-apart, 0.0), self.clusters, allowed, self.reach))
        return Contrasts(apart, low, high, p, error, same, worse, within, units)

    def step_down(self, pairing: Pairing, test: Test) -> Floats:
        """Corrected p by the step-down maximum, over shared exchanges or over shared, centred resamples."""
        differences = self._differences(pairing)
        # An undefined difference is not tested, and must not be the maximum.
        asked = ~np.isnan(differences)
        errors = difference_errors(self.resampled, *pairing)
        steps = StepDown(np.where(asked, np.abs(differences) / errors, 0.0))
        null = self._exchanged(pairing) if test == "randomisation" else self._centred(pairing, differences)
        for apart in null:
            steps.add(np.where(asked, np.abs(apart) / errors, 0.0))
        return steps.p()

    def _centred(self, pairing: Pairing, differences: Floats) -> Iterator[Floats]:
        """Differences (replicates, pairs) on resamples, minus the observed ones."""
        rows = max(1, TABLES_AT_ONCE // max(len(differences), 1))
        for start in range(0, self.drawing.replicates, rows):
            some = self.resampled[start : start + rows]
            yield some[:, pairing[0]] - some[:, pairing[1]] - differences

    def _differences(self, pairing: Pairing) -> Floats:
        apart = self.estimate[pairing[0]] - self.estimate[pairing[1]]
        return np.where(np.abs(apart) <= EXACT_TOLERANCE, 0.0, apart)

    def _randomise(self, pairing: Pairing) -> tuple[Floats, Floats]:
        observed = self._differences(pairing)
        counts = np.zeros(len(observed), dtype=np.int64)
        for exchanged in self._exchanged(pairing):
            # An exchange that leaves the measure undefined counts as extreme.
            counts += (~(np.abs(exchanged) < np.abs(observed) - EXACT_TOLERANCE)).sum(axis=0)
        p, error = simulated(counts, self.drawing.replicates)
        unknown = np.isnan(observed)
        return np.where(unknown, np.nan, p), np.where(unknown, np.nan, error)

    def _exchanged(self, pairing: Pairing) -> Iterator[Floats]:
        """Differences (replicates, pairs) after both runs' answers are exchanged on random clusters.

        The table of a run with the other's answers on some units is its own table, minus its counts on those units,
        plus the other's: so the tables of every run on those units, a single product, suffice for all pairs.
        """
        table, runs = self.scorer.table(), len(self.scorer.runs)
        first, second = pairing
        own, others = table.counts[first], table.counts[second]
        rows = max(1, TABLES_AT_ONCE // max(len(first), runs, 1))
        for signs in self.drawing.signs(self.clusters):
            for start in range(0, len(signs), rows):
                taken = (signs[start : start + rows] > 0).astype(np.float64)
                moved = self.scorer.table(resamples=self._of_units(taken)).counts
                received = moved[:, second] - moved[:, first]
                changed = [self.measure(table.with_counts(one)) for one in (own + received, others - received)]
                yield changed[0] - changed[1]

    def _refuse(self, test: Test) -> None:
        if self.scorer.ranks and test == "randomisation":
            raise UsageError(f"--test randomisation: answers of two rankings cannot be exchanged under {self.measure}")
        if test in ("exact", "t", "wilcoxon", "sign"):
            raise UsageError(
                f"--test {test} is for means over units, and {self.measure} is not one; use --test bootstrap"
            )
