"""Paired means: the same units for every run, alone or in clusters.

A cluster is a set of units that stand or fall together (questions of a series, pairs of one text); without clusters
every unit is one by itself. All that a mean needs of a cluster is the sum of its scores and its size, so every method
here takes `Paired` and knows no units. A mean over clusters of unequal sizes is a ratio of sums, and its error that of
a ratio: the clusters' sums less what their sizes alone would make them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, Ints
from karat.kernels.arithmetic import divide
from karat.kernels.gram import squared_distances, wins
from karat.kernels.lattice import as_lattice
from karat.statistics.wilson import quantile

ROUNDING = 1e-12
"""The share of a sum that may be rounding."""


@dataclass(frozen=True, eq=False)
class Paired:
    """Sums of scores (runs, clusters), the clusters' sizes, and which runs are compared: `first` with `second`."""

    sums: Floats
    sizes: Floats
    first: Ints
    second: Ints
    right: NDArray[np.bool_] | None = None
    """Where scores are 0 or 1 and units stand alone: the scores."""
    absolute: Floats | None = None
    """Sums of the scores without their signs, where a cluster may hold scores that cancel."""

    @classmethod
    def of(
        cls,
        values: Floats,
        first: Ints,
        second: Ints,
        cluster: Ints | None = None,
        within: NDArray[np.bool_] | None = None,
    ) -> Paired:
        """From scores (runs, units); `cluster` numbers each unit's cluster, `within` says which units count.

        Units that do not count leave their clusters empty and do not renumber them, so that random flips and
        resamples mean the same clusters for every pair.
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
        """How many units there are."""
        return round(float(self.sizes.sum()))

    @cached_property
    def clusters(self) -> int:
        """How many clusters have units: the number of independent observations."""
        return int((self.sizes > 0).sum())

    @cached_property
    def means(self) -> Floats:
        """The mean score of every run; NaN where nothing was scored."""
        return divide(self.sums.sum(axis=1), self.sizes.sum())

    @cached_property
    def differences(self) -> Floats:
        """The mean of `first` less that of `second`, for every pair."""
        lattice = self.lattice
        if lattice is None:
            return self.means[self.first] - self.means[self.second]
        # Equal sums of whole numbers are equal; of fractions, nearly.
        totals, step = lattice[0].sum(axis=1), lattice[1]
        return divide((totals[self.first] - totals[self.second]) * step, self.sizes.sum())

    @cached_property
    def lattice(self) -> tuple[Ints, float] | None:
        """The sums as whole numbers of a step, where they are that."""
        if self.right is not None:
            return self.right.astype(np.int64), 1.0
        return as_lattice(self.sums)

    @cached_property
    def rounding(self) -> Floats:
        """How much of each sum (runs, clusters) may be rounding: a share of what was added up, on its own scale.

        What differs by no more is a tie: sums of the same fractions in another order differ in their last digits.
        """
        return ROUNDING * self._added

    @cached_property
    def scale(self) -> Floats:
        """The mean of every run's scores without their signs: what is small beside it is rounding."""
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
    def apart(self) -> NDArray[np.bool_]:
        """Which differences are more than rounding."""
        return np.abs(self.differences) > ROUNDING * np.maximum(self.scale[self.first], self.scale[self.second])

    @cached_property
    def errors(self) -> Floats:
        """The standard error of every difference; NaN with one cluster, 0 where no unit departs from the mean."""
        if self.clusters < 2:
            return np.full(len(self.first), np.nan)
        residuals = self.sums - self.means[:, None] * self.sizes
        squares = squared_distances(residuals)[self.first, self.second]
        # A difference that is the same on every unit leaves nothing but rounding.
        squares = np.where(squares <= 1e-24 * (self.sums**2).sum(axis=1)[self.first], 0.0, squares)
        return np.sqrt(squares * self.clusters / (self.clusters - 1)) / self.sizes.sum()


def paired_t(paired: Paired) -> Floats:
    """Two-sided p of every pair, the mean difference over its error, on one degree of freedom less than clusters.

    Where the difference is the same on every unit it has no error, and p is `constant_p`; NaN with one cluster.
    """
    from scipy.special import stdtr  # here: scipy takes long to load

    t = divide(paired.differences, paired.errors)
    return np.where(paired.errors == 0, constant_p(paired), 2 * stdtr(max(paired.clusters - 1, 1), -np.abs(t)))


def constant_p(paired: Paired) -> Floats:
    """p over all sign flips of a difference that is the same on every unit: 1 if that is 0, else 2 flips of 2^clusters.

    NaN where the difference varies, and with one cluster.
    """
    p = np.where(paired.apart, 2.0 ** (1 - paired.clusters), 1.0)
    return np.where(paired.errors == 0, p, np.nan)


def t_interval(paired: Paired, level: float = 0.95) -> tuple[Floats, Floats]:
    """Bounds of every difference; NaN where its error is 0 or not known."""
    half = _t_quantile(paired.clusters - 1, level) * np.where(paired.errors > 0, paired.errors, np.nan)
    return paired.differences - half, paired.differences + half


def adjusted(paired: Paired) -> tuple[Floats, Floats]:
    """Difference and error of right/wrong scores after one unit is added to each kind of disagreement.

    So the error is never 0, and the interval holds what it promises for few disagreements too (Bonett and Price 2012).
    """
    won, lost = paired.wins
    total = paired.units + 2
    shifted, discordant = (won - lost) / total, (won + lost + 2) / total
    return shifted, np.sqrt((discordant - shifted**2) / total)


def adjusted_interval(paired: Paired, level: float = 0.95) -> tuple[Floats, Floats]:
    """Bounds of every difference of two proportions of right answers to the same units."""
    shifted, error = adjusted(paired)
    half = quantile(level) * error
    return np.maximum(shifted - half, -1.0), np.minimum(shifted + half, 1.0)


def mean_interval(paired: Paired, level: float = 0.95) -> tuple[Floats, Floats]:
    """Bounds of every run's own mean."""
    if paired.clusters < 2:
        return np.full(len(paired.means), np.nan), np.full(len(paired.means), np.nan)
    residuals = paired.sums - paired.means[:, None] * paired.sizes
    squares = (residuals**2).sum(axis=1) * paired.clusters / (paired.clusters - 1)
    # Scores that are the same on every unit leave nothing but rounding.
    squares = np.where(squares <= 1e-24 * (paired.sums**2).sum(axis=1), 0.0, squares)
    half = _t_quantile(paired.clusters - 1, level) * np.sqrt(squares) / paired.sizes.sum()
    half = np.where(half > 0, half, np.nan)
    return paired.means - half, paired.means + half


def _t_quantile(freedom: int, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2)) if freedom > 0 else float("nan")
