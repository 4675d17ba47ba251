"""Runs compared by means over units, and what comparisons by other measures share with it.

`PairedMeans` and `PairedMeasure` have the same methods, which take pairs of runs as two arrays of indices and return
differences, tests, and corrected p-values by the step-down maximum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from karat.arrays import Floats, Ints
from karat.errors import UsageError
from karat.statistics.bootstrap import jackknife, replicate
from karat.statistics.clusters import right_interval
from karat.statistics.equivalence import equivalence, unseen
from karat.statistics.multiple_testing import StepDown
from karat.statistics.noninferiority import unseen_loss, within_p, worse_p
from karat.statistics.paired import (
    EXACT_WORK,
    Paired,
    adjusted_interval,
    constant_p,
    exact_randomisation,
    exact_work,
    mcnemar,
    mean_interval,
    paired_t,
    randomisation,
    standardised,
    t_interval,
)
from karat.statistics.paired_bootstrap import (
    bca_test,
    difference_errors,
    equivalence_shares,
    margin_shares,
    mean_statistic,
    percentile_test,
)
from karat.statistics.right_sums import RightSums
from karat.statistics.wilcoxon import wilcoxon
from karat.studies.compare.contrasts import (
    FROM_SUMS,
    RIGHT_OR_WRONG,
    Contrasts,
    Pairing,
    Simulation,
    Test,
    right_contrasts,
)

STATISTICS_AT_ONCE = 1 << 22
"""Statistics under the null hypothesis (replicates × pairs) held at a time."""
RESAMPLED = ("bootstrap", "bca")
"""The tests that resample units."""


@dataclass(frozen=True, eq=False)
class PairedMeans:
    """Scores (runs, units), NaN if a unit was not scored, and the number of each unit's cluster."""

    values: Floats
    drawing: Simulation
    cluster: Ints | None = None
    range: tuple[float, float] | None = None
    """The lowest and the highest possible score, which limit the intervals; None if they are not known."""

    @property
    def clusters(self) -> int:
        """The number of clusters, or of units, that are flipped and resampled."""
        return self.values.shape[1] if self.cluster is None else int(self.cluster.max(initial=-1)) + 1

    @cached_property
    def zero_or_one(self) -> bool:
        """Whether every score is 0 or 1."""
        return bool(np.isin(self.values[~np.isnan(self.values)], (0, 1)).all())

    @property
    def right_or_wrong(self) -> bool:
        """Whether every score is 0 or 1 and there are no clusters."""
        return self.cluster is None and self.zero_or_one

    @cached_property
    def reach(self) -> float:
        """The largest possible difference of two scores: 1 if all lie between 0 and 1, otherwise the range here."""
        scored = self.values[~np.isnan(self.values)]
        return 1.0 if ((scored >= 0) & (scored <= 1)).all() else float(np.ptp(scored))

    @cached_property
    def estimate(self) -> Floats:
        """The mean of every run over the units on which it was scored."""
        scored = ~np.isnan(self.values)
        number = scored.sum(axis=1)
        sums = np.where(scored, self.values, 0.0).sum(axis=1)
        return np.where(number > 0, sums / np.maximum(number, 1), np.nan)

    @cached_property
    def shared(self) -> Ints:
        """The number of units, or clusters, on which both of two runs were scored (runs, runs)."""
        scored = ~np.isnan(self.values)
        if self.cluster is None:
            counts = scored.astype(np.float32)
            return (counts @ counts.T).astype(np.int64)
        order = np.argsort(self.cluster, kind="stable")
        starts = np.flatnonzero(np.diff(self.cluster[order], prepend=-1))
        sorted_ = scored[:, order]
        return np.array([np.logical_or.reduceat(sorted_ & row, starts, axis=1).sum(axis=1) for row in sorted_])

    def run_intervals(self) -> tuple[Floats, Floats]:
        """The interval of every run's mean: Wilson's if scores are right or wrong, otherwise by t."""
        scored = ~np.isnan(self.values)
        if self.zero_or_one:
            return right_interval(self.values, scored, self.cluster, self.drawing.level)
        nobody = np.empty(0, dtype=np.int64)
        ends = [
            mean_interval(Paired.of(row[None], nobody, nobody, self.cluster, there), self.drawing.level, self.range)
            for row, there in zip(self.values, scored, strict=True)
        ]
        low, high = (np.array([side[0] for side in sides]) for sides in zip(*ends, strict=True))
        return low, high

    def parts(self, pairing: Pairing) -> Iterator[tuple[Paired, Ints]]:
        """Pairs grouped by the units on which both runs were scored: the scores of each group, and its pairs."""
        first, second = pairing
        scored = ~np.isnan(self.values)
        if scored.all():
            yield Paired.of(self.values, first, second, self.cluster), np.arange(len(first))
            return
        by_units: dict[bytes, list[int]] = {}
        for place, (a, b) in enumerate(zip(first, second, strict=True)):
            by_units.setdefault((scored[a] & scored[b]).tobytes(), []).append(place)
        for units, found in by_units.items():
            places, within = np.array(found), np.frombuffer(units, dtype=bool)
            runs, renumbered = np.unique([first[places], second[places]], return_inverse=True)
            a, b = renumbered.reshape(2, -1)
            yield Paired.of(self.values[runs], a, b, self.cluster, within), places

    def choose(self, pairing: Pairing) -> tuple[Test, str]:
        """The test for scores like these, and why."""
        if self.right_or_wrong:
            return "exact", RIGHT_OR_WRONG
        parts = [paired for paired, _ in self.parts(pairing)]
        of_whom = "" if self.cluster is None else " over whole clusters"
        if sum(map(exact_work, parts)) <= EXACT_WORK:
            return "exact", f"all sign flips{of_whom} are enumerated"
        if len(pairing[0]) / self.drawing.alpha > (self.drawing.replicates + 1) / 10:
            why = f"{self.drawing.replicates:,} random sign flips are too coarse for {len(pairing[0]):,} pairs"
            return "t", f"scores are real numbers, and {why}"
        return "randomisation", f"scores are real numbers, so sign flips{of_whom} are drawn at random"

    def contrast(self, pairing: Pairing, test: Test) -> Contrasts:
        """The test of every pair, on the units on which both were scored."""
        if self.right_or_wrong and test in FROM_SUMS:
            return right_contrasts(RightSums.of(self.values), self.drawing, pairing)
        made = Contrasts.empty(len(pairing[0]))
        for paired, places in self.parts(pairing):
            if paired.units:
                made.put(places, self._contrast(paired, test))
        return made.above_zero()

    def _contrast(self, paired: Paired, test: Test) -> Contrasts:
        made = replace(
            Contrasts.empty(len(paired.first)),
            difference=paired.differences,
            units=np.full(len(paired.first), paired.units),
        )
        if paired.clusters < 2:  # a single observation says nothing about the variance: no test
            return made
        level, margin, allowed = self.drawing.level, self.drawing.margin, self.drawing.allowance
        same, worse, within = made.p_equivalence, made.p_worse, made.p_within
        if test in RESAMPLED:
            values, pairing = self._resampled(paired), (paired.first, paired.second)
            if test == "bca":
                left_out = jackknife(mean_statistic(paired), self.clusters, self.drawing.random("jackknife"))
                p, error, low, high = bca_test(values, left_out, paired.means, *pairing, level, paired.scale)
            else:
                p, error, low, high = percentile_test(values, paired.means, *pairing, level, paired.scale)
            # Differences that are the same in every resample are tested by flipping signs, without simulation.
            p, error = np.where(np.isnan(p), constant_p(paired), p), np.where(np.isnan(p), 0.0, error)
            if margin is not None:
                same = equivalence_shares(values, *pairing, margin, paired.scale)
                same = np.fmax(same, unseen(paired, margin, self.reach))
            if allowed:
                worse, within = margin_shares(values, *pairing, allowed, paired.scale)
                worse = np.where(np.isnan(worse), worse_p(paired, allowed), worse)
                within = np.fmax(within, unseen_loss(paired, allowed, self.reach))
        else:
            p, error = self._p(paired, test)
            low, high = (adjusted_interval if paired.right is not None else t_interval)(paired, level)
            if self.range is not None:
                widest = self.range[1] - self.range[0]
                low, high = low.clip(-widest, widest), high.clip(-widest, widest)
            if margin is not None:
                same = equivalence(paired, margin, self.reach)
            if allowed:
                worse, within = worse_p(paired, allowed), within_p(paired, allowed, self.reach)
        return replace(
            made, low=low, high=high, p=p, mc_error=error, p_equivalence=same, p_worse=worse, p_within=within
        )

    def _p(self, paired: Paired, test: Test) -> tuple[Floats, Floats]:
        """The p-values of a test that does not resample units, and their Monte-Carlo errors."""
        if test == "randomisation":
            return randomisation(paired, self.drawing.signs(self.clusters))
        if test == "exact" and exact_work(paired) == float("inf"):
            raise UsageError(
                "--test exact: the scores have too many different values; use --test randomisation or --test t"
            )
        if test == "sign":
            p = mcnemar(*paired.wins)
        else:
            p = {"exact": exact_randomisation, "t": paired_t, "wilcoxon": wilcoxon}[test](paired)
        return p, np.zeros(len(p))

    def _resampled(self, paired: Paired) -> Floats:
        return replicate(
            mean_statistic(paired), self.clusters, self.drawing.replicates, self.drawing.random("bootstrap")
        )

    def step_down(self, pairing: Pairing, test: Test) -> Floats:
        """Corrected p by the step-down maximum, over shared sign flips or over shared, centred resamples."""
        parts = [(paired, places) for paired, places in self.parts(pairing) if paired.clusters > 1]
        number = len(pairing[0])
        observed = np.zeros(number)
        if test in RESAMPLED:
            return self._step_down_resampled(parts, number)
        for paired, places in parts:
            observed[places] = standardised(paired)
        steps = StepDown(observed)
        rows = max(1, STATISTICS_AT_ONCE // max(number, 1))
        for signs in self.drawing.signs(self.clusters):
            for start in range(0, len(signs), rows):
                some = signs[start : start + rows]
                null = np.zeros((len(some), number))
                for paired, places in parts:
                    null[:, places] = standardised(paired, some)
                steps.add(null)
        return steps.p()

    def _step_down_resampled(self, parts: list[tuple[Paired, Ints]], number: int) -> Floats:
        drawn = [(self._resampled(paired), paired, places) for paired, places in parts]
        errors = [difference_errors(values, one.first, one.second, one.scale) for values, one, _ in drawn]
        observed = np.zeros(number)
        for error, (_, paired, places) in zip(errors, drawn, strict=True):
            observed[places] = np.abs(paired.differences) / error
        steps = StepDown(observed)
        rows = max(1, STATISTICS_AT_ONCE // max(number, 1))
        for start in range(0, self.drawing.replicates, rows):
            null = np.zeros((min(rows, self.drawing.replicates - start), number))
            for error, (values, paired, places) in zip(errors, drawn, strict=True):
                some = values[start : start + rows]
                apart = some[:, paired.first] - some[:, paired.second]
                null[:, places] = np.abs(apart - paired.differences) / error
            steps.add(null)
        p = steps.p()
        for _, paired, places in drawn:  # the same in every resample: their own p, with Bonferroni's correction
            constant = paired.errors == 0
            p[places[constant]] = np.minimum(number * constant_p(paired)[constant], 1.0)
        return p
