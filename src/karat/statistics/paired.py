"""Paired means: the same units for every run, independent or in clusters.

A cluster is a set of dependent units (questions of a series, pairs of one text); without clusters every unit is its
own cluster. A mean depends on a cluster only through the sum of its scores and its size, so every method here takes
`Paired` instead of units. A mean over clusters of unequal sizes is a ratio of sums, with the standard error of a
ratio, from the clusters' sums minus the mean times their sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints
from karat.kernels.counting import as_lattice, divide, squared_distances, wins
from karat.statistics.intervals import quantile, student


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


def adjusted(paired: Paired) -> tuple[Floats, Floats]:
    """The difference and standard error for right/wrong scores with one unit added to each kind of disagreement.

    The error is then never 0, and the interval has its coverage for few disagreements too (Bonett and Price 2012).
    """
    won, lost = paired.wins
    total = paired.units + 2
    shifted, discordant = (won - lost) / total, (won + lost + 2) / total
    return shifted, np.sqrt((discordant - shifted**2) / total)


def adjusted_interval(paired: Paired, level: float = 0.95) -> tuple[Floats, Floats]:
    """The confidence limits of every difference between two paired proportions of right answers."""
    shifted, error = adjusted(paired)
    half = quantile(level) * error
    return np.maximum(shifted - half, -1.0), np.minimum(shifted + half, 1.0)


def mean_interval(paired: Paired, level: float = 0.95) -> tuple[Floats, Floats]:
    """The confidence limits of every run's own mean."""
    if paired.clusters < 2:
        return np.full(len(paired.means), np.nan), np.full(len(paired.means), np.nan)
    residuals = paired.sums - paired.means[:, None] * paired.sizes
    squares = (residuals**2).sum(axis=1) * paired.clusters / (paired.clusters - 1)
    # For scores that are the same on every unit, only rounding error is left.
    squares = np.where(squares <= 1e-24 * (paired.sums**2).sum(axis=1), 0.0, squares)
    half = student(level, paired.clusters - 1) * np.sqrt(squares) / paired.sizes.sum()
    half = np.where(half > 0, half, np.nan)
    return paired.means - half, paired.means + half
