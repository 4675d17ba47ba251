"""Means over units (questions, series, topics) that every run has a score on, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats, divide
from karat.data.result import Estimate
from karat.data.shown import Why
from karat.statistics.paired import Paired, mean_interval
from karat.statistics.wilson import wilson

CONSTANT = "all units have the same score, neither 0 nor 1, or there are too few to tell how it varies"


def _no_end(mean: Mean, _: object) -> str:
    return CONSTANT if mean.value == mean.value else ""


@dataclass(frozen=True)
class Mean(Estimate):
    """A mean over units, with its interval. Why there is no mean, the field that holds it says."""

    low: Annotated[float, Why(_no_end)]
    high: Annotated[float, Why(_no_end)]


def mean_of_defined(values: Floats) -> Floats:
    """The mean over the first axis of what is defined; NaN where nothing is."""
    known = ~np.isnan(values)
    return np.asarray(divide(np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0).astype(np.float64)))


def plain_mean(values: Floats) -> Floats:
    """The mean (runs,) over the units that are scored for every run; NaN where none is."""
    scored = ~np.isnan(values).any(axis=0)
    return values[:, scored].mean(axis=1) if scored.any() else np.full(len(values), np.nan)


def unit_means(values: Floats, level: float, cluster: NDArray[np.int64] | None = None) -> list[Mean]:
    """The mean of every run over the units scored for all, with Student's interval between 0 and 1.

    `cluster` numbers what stands or falls together; then clusters are what varies. A run with 0, or 1, on every unit
    has Wilson's interval, with a trial for each cluster.
    """
    scored = ~np.isnan(values).any(axis=0)
    if not len(values) or not scored.any():
        return [Mean(float("nan"), float("nan"), float("nan"))] * len(values)
    nobody = np.empty(0, dtype=np.int64)
    within = None if cluster is None else np.unique(cluster[scored], return_inverse=True)[1]
    paired = Paired.of(values[:, scored], nobody, nobody, within)
    low, high = mean_interval(paired, level)
    least, most = wilson(paired.means, np.array(float(paired.clusters)), level)
    extreme = (paired.means == 0) | (paired.means == 1)
    ends = np.where(extreme, least, low.clip(0, 1)), np.where(extreme, most, high.clip(0, 1))
    rows = np.stack([paired.means, *ends], axis=-1)
    return [Mean(*row) for row in rows.tolist()]
