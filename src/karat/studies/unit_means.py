"""Means over the units (questions, series, topics) on which every run has a score, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.arrays import NAN, Floats, Ints
from karat.data.fields import Why
from karat.data.result import Estimate
from karat.kernels.counting import divide
from karat.statistics.intervals import wilson
from karat.statistics.paired import Paired, mean_interval

CONSTANT = "all units have the same score, neither 0 nor 1, or there are too few to tell how it varies"


def _no_end(mean: Mean, _: object) -> str:
    return CONSTANT if mean.value == mean.value else ""


@dataclass(frozen=True)
class Mean(Estimate):
    """A mean over units, with its interval; the field that holds it gives the reason if there is no mean."""

    low: Annotated[float, Why(_no_end)]
    high: Annotated[float, Why(_no_end)]


def mean_of_defined(values: Floats, axis: int = 0) -> Floats:
    """The mean of the defined values over an axis; NaN where none is defined."""
    known = ~np.isnan(values)
    return np.asarray(divide(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis).astype(np.float64)))


def plain_mean(values: Floats) -> Floats:
    """The mean of each run (runs,) over the units that are scored for every run; NaN if there are none."""
    scored = ~np.isnan(values).any(axis=0)
    return values[:, scored].mean(axis=1) if scored.any() else np.full(len(values), np.nan)


def clustered(values: Floats, cluster: Ints | None) -> Paired:
    """Scores (runs, units) by cluster of units, for means and their intervals; no two runs are compared."""
    no_pairs = np.empty(0, dtype=np.int64)
    return Paired.of(
        values, no_pairs, no_pairs, None if cluster is None else np.unique(cluster, return_inverse=True)[1]
    )


def unit_means(values: Floats, level: float, cluster: Ints | None = None) -> list[Mean]:
    """The mean of every run over the units scored for all runs, with Student's interval clipped to [0, 1].

    `cluster` numbers the clusters of dependent units; the interval is then over clusters. A run that scores 0, or 1, on
    every unit gets Wilson's interval, with one trial per cluster.
    """
    scored = ~np.isnan(values).any(axis=0)
    if not len(values) or not scored.any():
        return [Mean(NAN, NAN, NAN)] * len(values)
    paired = clustered(values[:, scored], None if cluster is None else cluster[scored])
    low, high = mean_interval(paired, level)
    least, most = wilson(paired.means, np.array(float(paired.clusters)), level)
    extreme = (paired.means == 0) | (paired.means == 1)
    ends = np.where(extreme, least, low.clip(0, 1)), np.where(extreme, most, high.clip(0, 1))
    return [Mean(*row) for row in np.stack([paired.means, *ends], axis=-1).tolist()]
