"""Paired comparisons: the same units for every run, independent or in clusters; means, intervals and tests.

A cluster is a set of dependent units (questions of a series, pairs of one text); without clusters every unit is its
own cluster. A mean depends on a cluster only through the sum of its scores and its size, so methods take `Paired`
instead of units. A mean over clusters of unequal sizes is a ratio of sums, with the standard error of a ratio, from
the clusters' sums minus the mean times their sizes.

Under the null hypothesis the two scores of each unit are exchangeable, so every difference could have the opposite
sign. The p of a randomisation test is the share of sign flips whose sum is at least as far from 0 as the observed one.
It is exact if the scores are on a lattice, and otherwise comes from random flips that all pairs of runs share. On
right/wrong scores it is McNemar's exact test (the sign test), whose counterpart with a margin is Tango's score test.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints, Singles
from karat.kernels.counting import as_lattice, count_extreme, divide, flip_tail, flipped_sums, squared_distances, wins
from karat.statistics.intervals import quantile, student, wilson
from karat.statistics.right_sums import RightPairs

EXACT_WORK = 5e7
"""Above this many steps (some seconds), studies do not choose the exact test by themselves."""
ENUMERATED_UP_TO = 16
"""Up to this many units or clusters, all sign flips are enumerated (32,768, and as many again by symmetry)."""


@dataclass(frozen=True, eq=False)
class Paired:
    """Sums of scores (runs, clusters), the clusters' sizes, and which runs are compared: `first` with `second`."""

    sums: Floats
    sizes: Floats
    first: Ints
    second: Ints
    right: Bools | None = None
    """The scores, if all are 0 or 1 and units are independent."""
    absolute: Floats | None = None
    """Sums of absolute scores, if scores within a cluster may cancel."""

    @classmethod
    def of(
        cls,
        values: Floats,
        first: Ints,
        second: Ints,
        cluster: Ints | None = None,
        within: Bools | None = None,
    ) -> Paired:
        """From scores (runs, units); `cluster` numbers each unit's cluster, and `within` selects the units that count.

        Units that do not count may leave a cluster empty but do not renumber the others, so that random flips and
        resamples refer to the same clusters for every pair.
        """
        counted = np.ones(values.shape[1]) if within is None else within.astype(np.float64)
        scores = values if within is None else np.where(within, values, 0.0)
        if cluster is None:
            right = scores == 1 if np.isin(scores, (0, 1)).all() else None
            return cls(scores, counted, first, second, right)
        clusters = int(cluster.max(initial=-1)) + 1
        sums, absolute = (
            np.stack([np.bincount(cluster, row, minlength=clusters).astype(np.float64) for row in rows])
            for rows in (scores, np.abs(scores))
        )
        sizes = np.bincount(cluster, counted, minlength=clusters).astype(np.float64)
        return cls(sums, sizes, first, second, absolute=absolute)

    @property
    def units(self) -> int:
        """The number of units in all clusters."""
        return round(float(self.sizes.sum()))

    @cached_property
    def clusters(self) -> int:
        """How many clusters have units: the number of independent observations."""
        return int((self.sizes > 0).sum())

    @cached_property
    def means(self) -> Floats:
        """The mean score of every run; NaN if nothing was scored."""
        return divide(self.sums.sum(axis=1), self.sizes.sum())

    @cached_property
    def differences(self) -> Floats:
        """The mean of `first` minus the mean of `second`, for every pair."""
        lattice = self.lattice
        if lattice is None:
            return self.means[self.first] - self.means[self.second]
        # Equal sums are exactly equal for integers, but only approximately for fractions.
        totals, step = lattice[0].sum(axis=1), lattice[1]
        return divide((totals[self.first] - totals[self.second]) * step, self.sizes.sum())

    @cached_property
    def lattice(self) -> tuple[Ints, float] | None:
        """The sums as integer multiples of a step, if they are that."""
        if self.right is not None:
            return self.right.astype(np.int64), 1.0
        return as_lattice(self.sums)

    @cached_property
    def rounding(self) -> Floats:
        """The possible rounding error of each sum (runs, clusters), relative to what was added up.

        Sums that differ by no more are ties: the same fractions added in another order differ in their last digits.
        """
        return EXACT_TOLERANCE * self._added

    @cached_property
    def scale(self) -> Floats:
        """The mean absolute score of every run; differences that are tiny relative to it are rounding error."""
        return self._added.sum(axis=1) / max(float(self.sizes.sum()), 1.0)

    @cached_property
    def _added(self) -> Floats:
        return np.abs(self.sums) if self.absolute is None else self.absolute

    @cached_property
    def wins(self) -> tuple[Ints, Ints]:
        """On how many clusters `first` does better, and on how many `second` does."""
        if self.right is not None:
            table = wins(self.right)
            return table[self.first, self.second].astype(np.int64), table[self.second, self.first].astype(np.int64)
        sums = self.sums if self.lattice is None else self.lattice[0]
        better = np.empty((2, len(self.first)), dtype=np.int64)
        for row in np.unique(self.first):
            here = np.flatnonzero(self.first == row)
            others = self.second[here]
            apart = sums[row] - sums[others]
            near = 0.0 if self.lattice is not None else self.rounding[row] + self.rounding[others]
            better[:, here] = (apart > near).sum(axis=1), (apart < -near).sum(axis=1)
        return better[0], better[1]

    @cached_property
    def apart(self) -> Bools:
        """Which differences exceed rounding error."""
        return np.abs(self.differences) > EXACT_TOLERANCE * np.maximum(self.scale[self.first], self.scale[self.second])

    @cached_property
    def errors(self) -> Floats:
        """The standard error of every difference; NaN with one cluster, 0 for a difference equal on all units."""
        if self.clusters < 2:
            return np.full(len(self.first), np.nan)
        residuals = self.sums - self.means[:, None] * self.sizes
        squares = squared_distances(residuals)[self.first, self.second]
        # For a difference that is the same on every unit, only rounding error is left.
        squares = np.where(squares <= 1e-24 * (self.sums**2).sum(axis=1)[self.first], 0.0, squares)
        return np.sqrt(squares * self.clusters / (self.clusters - 1)) / self.sizes.sum()


def paired_t(paired: Paired) -> Floats:
    """Two-sided p of every pair by Student's t, with one degree of freedom less than there are clusters.

    If the difference is the same on every unit, it has no standard error, and p is `constant_p`; NaN with one cluster.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    t = divide(paired.differences, paired.errors)
    return np.where(paired.errors == 0, constant_p(paired), 2 * stdtr(max(paired.clusters - 1, 1), -np.abs(t)))


def constant_p(paired: Paired) -> Floats:
    """p over all sign flips of a difference that is the same on every unit: 1 if it is 0, else 2 flips of 2^clusters.

    NaN if the difference varies, or with one cluster.
    """
    p = np.where(paired.apart, 2.0 ** (1 - paired.clusters), 1.0)
    return np.where(paired.errors == 0, p, np.nan)


def t_interval(paired: Paired, level: float = 0.95) -> tuple[Floats, Floats]:
    """The confidence limits of every difference; NaN if its standard error is 0 or unknown."""
    half = student(level, paired.clusters - 1) * np.where(paired.errors > 0, paired.errors, np.nan)
    return paired.differences - half, paired.differences + half


def adjusted(paired: Paired | RightPairs) -> tuple[Floats, Floats]:
    """The difference and standard error for right/wrong scores with one unit added to each kind of disagreement.

    The error is then never 0, and the interval has its coverage for few disagreements too (Bonett and Price 2012).
    """
    won, lost = paired.wins
    total = paired.units + 2
    shifted, discordant = (won - lost) / total, (won + lost + 2) / total
    return shifted, np.sqrt((discordant - shifted**2) / total)


def adjusted_interval(paired: Paired | RightPairs, level: float = 0.95) -> tuple[Floats, Floats]:
    """The confidence limits of every difference between two paired proportions of right answers."""
    shifted, error = adjusted(paired)
    half = quantile(level) * error
    return np.maximum(shifted - half, -1.0), np.minimum(shifted + half, 1.0)


def mean_interval(
    paired: Paired, level: float = 0.95, span: tuple[float, float] | None = None
) -> tuple[Floats, Floats]:
    """The confidence limits of every run's own mean: Student's, clipped to the range of the scores if it is known.

    A run with the same end of the range on every unit gets Wilson's interval, with one trial per cluster.
    """
    residuals = paired.sums - paired.means[:, None] * paired.sizes
    squares = (residuals**2).sum(axis=1) * paired.clusters / max(paired.clusters - 1, 1)
    # For scores that are the same on every unit, only rounding error is left.
    squares = np.where(squares <= 1e-24 * (paired.sums**2).sum(axis=1), 0.0, squares)
    half = student(level, max(paired.clusters - 1, 1)) * np.sqrt(squares) / paired.sizes.sum()
    half = np.where((half > 0) & (paired.clusters > 1), half, np.nan)
    low, high = paired.means - half, paired.means + half
    if span is None:
        return low, high
    low, high = low.clip(*span), high.clip(*span)
    if not np.isfinite(span).all():
        return low, high
    share = (paired.means - span[0]) / (span[1] - span[0])
    extreme = (share == 0) | (share == 1)
    ends = wilson(share, np.array(float(paired.clusters)), level)
    least, most = (span[0] + (span[1] - span[0]) * end for end in ends)
    return np.where(extreme, least, low), np.where(extreme, most, high)


def mcnemar(won: Ints, lost: Ints, mid: bool = False) -> Floats:
    """Two-sided p of wins against losses under equal chances; ties are ignored.

    `mid` counts half of the probability of the observed outcome: its size is closer to the nominal level, but sometimes
    exceeds it.
    """
    from scipy.special import bdtr, gammaln  # here: scipy takes long to load

    fewer, total = np.minimum(won, lost).astype(np.int64), won.astype(np.int64) + lost
    # Among half a million pairs, many have the same counts, so each combination is computed once.
    width = int(total.max(initial=0)) + 1
    different, place = np.unique(fewer * width + total, return_inverse=True)
    k, n = different // width, different % width
    p = np.minimum(2 * bdtr(k.astype(np.float64), n, 0.5), 1.0)
    if mid:
        here = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * np.log(2))
        # If wins equal losses, the observed outcome is counted once, not on both sides.
        p = np.where(2 * k == n, 1.0, p) - np.where(2 * k == n, 0.5, 1.0) * here
    return above_zero(p)[place].reshape(np.shape(won))


def score_p(behind: Floats, ahead: Floats, units: Floats, margin: float) -> Floats:
    """Tango's one-sided p if losses exceed wins by at least the margin, as shares of the units (Tango 1998).

    The standard error is that of the most likely shares under the null hypothesis. p is 1 if the margin is 0 and there
    are neither wins nor losses.
    """
    from scipy.special import ndtr  # here: scipy takes long to load

    middle = (2 * units - behind + ahead) * margin - behind - ahead
    ends = ahead * margin * (1 - margin)
    least = (np.sqrt(middle**2 + 8 * units * ends) - middle) / (4 * units)
    error = np.sqrt(units * (2 * least + margin * (1 - margin)))
    z = divide(behind - ahead - units * margin, error)
    return np.where((error == 0) & ~np.isnan(units), 1.0, ndtr(z))


def above_zero(p: Floats) -> Floats:
    """P-values, where one too small for a double becomes the smallest positive double instead of 0; NaN stays NaN."""
    return np.maximum(p, np.finfo(np.float64).tiny)


def exact_work(paired: Paired) -> float:
    """The number of steps of the exact test; infinite for many real-valued scores, whose flips cannot be enumerated."""
    if paired.right is not None:
        return float(len(paired.first))
    if paired.clusters <= ENUMERATED_UP_TO:
        return float(len(paired.first)) * 2.0 ** (paired.clusters - 1)
    if paired.lattice is None:
        return float("inf")
    whole = paired.lattice[0]
    spread = whole.max(axis=0, initial=0) - whole.min(axis=0, initial=0)
    values = min(int(spread.max(initial=0)), int(spread.size))
    return float(len(paired.first)) * values * float(spread.sum() + 1)


def exact_randomisation(paired: Paired) -> Floats:
    """p over all sign flips of every pair: McNemar's test on right/wrong scores, by enumeration for few units."""
    if paired.right is not None:
        return mcnemar(*paired.wins)
    if paired.clusters <= ENUMERATED_UP_TO:
        return _enumerated(paired)
    assert paired.lattice is not None
    whole = paired.lattice[0]
    p = np.empty(len(paired.first))
    for row in np.unique(paired.first):
        here = np.flatnonzero(paired.first == row)
        apart = whole[row] - whole[paired.second[here]]
        sizes = np.abs(apart)
        steps = np.unique(sizes[sizes > 0])
        counts = np.stack([(sizes == step).sum(axis=1) for step in steps], axis=1) if len(steps) else None
        p[here] = 1.0 if counts is None else flip_tail(steps, counts, apart.sum(axis=1))
    return p


def _enumerated(paired: Paired) -> Floats:
    """All flips with a positive first sign; the other half is equally extreme by symmetry."""
    values, _, observed = _values(paired)
    values = values[:, paired.sizes > 0]
    others = max(values.shape[1] - 1, 0)
    bits = np.arange(1 << others)[:, None] >> np.arange(others) & 1
    signs = np.concatenate([np.ones((len(bits), 1)), 1 - 2.0 * bits], axis=1).astype(np.float32)
    return count_extreme(flipped_sums(values, signs), paired.first, paired.second, observed) / len(bits)


def randomisation(paired: Paired, blocks: Iterable[Singles]) -> tuple[Floats, Floats]:
    """Simulated p of every pair, (1 + as extreme) / (1 + replicates), and its Monte-Carlo standard error."""
    values, _, observed = _values(paired)
    counts, replicates = np.zeros(len(paired.first), dtype=np.int64), 0
    for signs in blocks:
        counts += count_extreme(flipped_sums(values, signs), paired.first, paired.second, observed)
        replicates += len(signs)
    return simulated(counts, replicates)


def simulated(counts: Ints, replicates: int) -> tuple[Floats, Floats]:
    """p, never 0 because the observed outcome is one of the possible, and its Monte-Carlo standard error."""
    p = (1 + counts) / (1 + replicates)
    return p, simulation_error(p, replicates)


def simulation_error(p: Floats, replicates: int) -> Floats:
    """The Monte-Carlo standard error of a simulated p."""
    return np.sqrt(p * (1 - p) / (1 + replicates))


def standardised(paired: Paired, signs: Singles | None = None) -> Floats:
    """|Σd| over √Σd², which is invariant under flips: (pairs,), or under every row of signs (replicates, pairs)."""
    values, double, _ = _values(paired)
    spread = np.sqrt(squared_distances(double)[paired.first, paired.second])
    sums = double.sum(axis=1)[:, None] if signs is None else flipped_sums(values, signs)
    apart = np.abs(sums[paired.first] - sums[paired.second]).T
    scaled = apart / np.where(spread > 0, spread, np.inf)
    return scaled[0] if signs is None else scaled


def _values(paired: Paired) -> tuple[Ints | Floats, Floats, Ints | Floats]:
    """The sums, as integers if possible; the same as doubles; and the absolute difference of each pair's totals."""
    whole = paired.sums if paired.lattice is None else paired.lattice[0]
    totals = whole.sum(axis=1)
    observed = np.abs(totals[paired.first] - totals[paired.second])
    if paired.lattice is None:
        # Sums of fractions that should tie differ in their last digits, by the rounding error of these two runs.
        near = paired.rounding.sum(axis=1)
        observed = observed - (near[paired.first] + near[paired.second])
    return whole, whole.astype(np.float64), observed
