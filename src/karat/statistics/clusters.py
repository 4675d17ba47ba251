"""Intervals over clusters: units that may depend on each other, such as pairs on one text or questions of a series.

Whatever the statistic, a unit changes it by its influence. If units are independent, the variance is the sum of the
squared influences; if only clusters are, it is that of the squared sums over clusters. The ratio of the two is the
design effect (Kish 1965), and an interval for independent units becomes one over clusters if the units count for as
many fewer. The variance is estimated from the clusters, so that the quantile of the interval is Student's with one
degree of freedom less than there are clusters; relative to that of as many independent units, it enlarges the effect
(Korn and Graubard 1998).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from karat.arrays import Bools, Floats, Integers, Ints
from karat.data.tables import Table
from karat.kernels.counting import divide
from karat.statistics.intervals import cell_influence, student, wilson

NO_INFLUENCE = 1e-18
"""A mean squared influence below this is rounding error: the statistic does not vary over units."""


class Effect(NamedTuple):
    """How many times as large a variance is over clusters as over units, and as the square of its quantile is."""

    variance: Floats
    quantile: Floats

    @property
    def whole(self) -> Floats:
        """By how many times the units count for fewer in an interval."""
        return self.variance * self.quantile


ONE = Effect(np.array(1.0), np.array(1.0))
"""That of independent units."""


def cluster_sums(values: Floats, cluster: Ints) -> Floats:
    """The sums of values (…, units) over clusters (…, clusters), which are numbered from 0."""
    order = np.argsort(cluster, kind="stable")
    return np.add.reduceat(values[..., order], np.flatnonzero(np.diff(cluster[order], prepend=-1)), axis=-1)


def design_effect(influence: Floats, cluster: Ints | None, level: float = 0.95, counted: Bools | None = None) -> Effect:
    """The effect of clusters on statistics (…), from the influence of each unit (…, units).

    `counted` says which units a statistic is about: only these, and the clusters that have any, are counted. If no unit
    has an influence, such as where all answers are right, every cluster counts as one unit. NaN with one cluster.
    """
    if cluster is None:
        return ONE
    here = np.ones(influence.shape, dtype=bool) if counted is None else np.broadcast_to(counted, influence.shape)
    each = np.where(here, influence, 0.0)
    units = here.sum(axis=-1).astype(np.float64)
    clusters = (cluster_sums(here.astype(np.float64), cluster) > 0).sum(axis=-1).astype(np.float64)
    alone, together = (each**2).sum(axis=-1), (cluster_sums(each, cluster) ** 2).sum(axis=-1)
    flat = alone <= NO_INFLUENCE * units
    ratio = divide(together, np.where(flat, 1.0, alone)) * divide(clusters, clusters - 1) * divide(units - 1, units)
    variance = np.where(flat, divide(units, clusters), ratio)
    times = divide(student(level, clusters - 1), student(level, units - 1)) ** 2
    # One unit per cluster is no clustering, whatever rounding makes of the ratio.
    same = clusters == units
    return Effect(
        np.where(same, 1.0, np.where(clusters > 1, variance, np.nan))[()], np.where(same | flat, 1.0, times)[()]
    )


def widened(effect: Effect, ends: Callable[[Floats], tuple[Floats | float, Floats | float]]) -> tuple[Floats, Floats]:
    """An interval, made by a function of how many times fewer units count.

    NaN if that is not known, because there is one cluster, or if the clusters do not differ.
    """
    known = effect.whole > 0
    low, high = (np.where(known, end, np.nan)[()] for end in ends(np.where(known, effect.whole, 1.0)))
    return low, high


@dataclass(frozen=True, eq=False)
class UnitCells:
    """The cell of its table that each unit is in (tables, units), numbered row by row, −1 for none; and its cluster.

    `within` (slices, units) restricts the units for tables (slices, tables, …).
    """

    cell: Ints
    cluster: Ints | None
    weights: Floats | None = None
    within: Bools | None = None

    @classmethod
    def of(
        cls, rows: Integers, columns: Integers, size: int, cluster: Ints | None, weights: Floats | None = None
    ) -> UnitCells:
        """From codes of rows and columns, −1 for none, that broadcast; a table has `size` columns."""
        known = (rows >= 0) & (columns >= 0)
        return cls(np.where(known, rows.astype(np.int64) * size + columns, -1), cluster, weights)

    def __getitem__(self, tables: Any) -> UnitCells:
        if self.cluster is None:
            return self
        weights = self.weights[tables] if self.weights is not None and self.weights.ndim > 1 else self.weights
        return UnitCells(self.cell[tables], self.cluster, weights, self.within)

    def effect(self, influence: Floats, level: float = 0.95, about: Bools | None = None) -> Effect:
        """The effect of clusters, from the influence of a unit in each cell (…, tables, rows, columns).

        `about` (rows, columns) says which cells a statistic is about, such as the row of a label.
        """
        if self.cluster is None:
            return ONE
        if self.within is not None:
            parts = [
                UnitCells(np.where(one, self.cell, -1), self.cluster, self.weights).effect(some, level, about)
                for one, some in zip(self.within, influence, strict=True)
            ]
            return Effect(np.stack([one.variance for one in parts]), np.stack([one.quantile for one in parts]))
        there, place = self.cell >= 0, np.maximum(self.cell, 0)
        if about is not None:
            there = there & about.ravel()[place]
        each = np.take_along_axis(influence.reshape(*influence.shape[:-2], -1), place, axis=-1)
        return design_effect(each if self.weights is None else each * self.weights, self.cluster, level, there)

    def of_statistic(self, statistic: Callable[[Table], Floats], table: Table, level: float = 0.95) -> Effect:
        """The effect of clusters on a statistic of tables (…, tables)."""
        return ONE if self.cluster is None else self.effect(cell_influence(statistic, table), level)


UNCLUSTERED = UnitCells(np.empty((0, 0), dtype=np.int64), None)
"""Those of independent units, which need not be known."""


def right_interval(values: Floats, scored: Bools, cluster: Ints | None, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval of the share of right answers, from 1 and 0 (runs, units) where `scored`."""
    units = scored.sum(axis=-1).astype(np.float64)
    share = divide(np.where(scored, values, 0.0).sum(axis=-1), units)
    effect = design_effect(np.where(scored, values - share[..., None], 0.0), cluster, level, scored)
    return widened(effect, lambda fewer: wilson(share, units / fewer, level))


def mean_p(values: Floats, scored: Bools, cluster: Ints) -> list[float]:
    """Two-sided p (rows) of a mean of 0 over the units `scored` (rows, units), by Student's t over clusters."""
    from scipy.special import stdtr  # here: scipy takes long to load

    units, clusters = scored.sum(axis=-1), (cluster_sums(scored.astype(float), cluster) > 0).sum(axis=-1)
    mean = np.where(scored, values, 0.0).sum(axis=-1) / np.maximum(units, 1)
    sums = cluster_sums(np.where(scored, values - mean[:, None], 0.0), cluster)
    error = np.sqrt((sums**2).sum(axis=-1) * divide(clusters, clusters - 1.0)) / np.maximum(units, 1)
    t = np.where(error > 1e-12, divide(mean, error), np.nan)
    p: list[float] = (2 * stdtr(np.maximum(clusters - 1, 1), -np.abs(t))).tolist()
    return p
