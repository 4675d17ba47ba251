"""The delta method for any function of a table.

A unit moved into cell c changes the statistic by its influence there; the variance is the sum over units of
the squared influence times the squared share of the unit, and units of one cell share their influence. So a
table of K² cells needs K² derivatives, whatever the statistic and however many units: they are taken
numerically, all at once, along a leading axis.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from karat.data.tables import Table
from karat.statistics.wilson import quantile

Floats = NDArray[np.float64]
FLAT = 1e-7
"""A half-width below this is rounding, not uncertainty."""
STEP = 1e-4
"""Of a cell's own share: small enough for six digits of a standard error, large enough for doubles."""


def standard_error(statistic: Callable[[Table], Floats], table: Table) -> Floats:
    """The asymptotic standard error of `statistic` for each table along the leading axes."""
    cells = table.counts.shape[-2] * table.counts.shape[-1]
    counts = table.counts.reshape(*table.counts.shape[:-2], cells)
    total = counts.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = counts / total
        squares = table.squares.reshape(counts.shape) / total**2
    # Towards cell c by a step in proportion to its own share, so that no cell is emptied; an empty cell holds
    # no unit and contributes nothing.
    toward = np.eye(cells) - share[..., None, :]
    step = STEP * np.where(share > 0, share, 0.0)[..., :, None]
    moved = np.stack([share[..., None, :] + sign * step * toward for sign in (1.0, -1.0)])
    shape = (*moved.shape[:-1], *table.counts.shape[-2:])
    values = statistic(table.with_counts(np.nan_to_num(moved * total[..., None]).reshape(shape)))
    with np.errstate(divide="ignore", invalid="ignore"):
        influence = np.where(share > 0, (values[0] - values[1]) / (2 * step[..., 0]), 0.0)
    error = np.sqrt((squares * influence**2).sum(axis=-1))
    return np.where(total[..., 0] > 0, error, np.nan)[()]


def delta_interval(
    statistic: Callable[[Table], Floats], table: Table, bounds: tuple[float, float], level: float = 0.95
) -> tuple[Floats, Floats]:
    """A symmetric interval from the standard error, kept inside the statistic's range.

    NaN where the error vanishes: at a perfect run or an independent one the statistic is flat to first order,
    and an interval of no width would claim certainty.
    """
    value = statistic(table)
    half = quantile(level) * standard_error(statistic, table)
    low, high = np.clip(value - half, *bounds), np.clip(value + half, *bounds)
    undefined = np.isnan(value) | ~(half > FLAT)
    return np.where(undefined, np.nan, low)[()], np.where(undefined, np.nan, high)[()]
