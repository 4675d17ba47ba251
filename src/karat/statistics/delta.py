"""The delta method for any function of a table.

A unit moved into cell c changes the statistic by its influence there; the variance is the sum over units of
the squared influence times the squared share of the unit, and units of one cell share their influence. So a
table of K² cells needs K² derivatives, whatever the statistic and however many units: they are taken
numerically, all at once, along a leading axis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from karat.data.tables import Table
from karat.kernels.arithmetic import divide
from karat.statistics.bounded import plenty, wald

Floats = NDArray[np.float64]
STEP = 1e-4
"""Of a cell's own share: small enough for six digits of a standard error, large enough for doubles."""


def standard_error(statistic: Callable[[Table], Floats], table: Table) -> Floats:
    """The asymptotic standard error of `statistic` for each table along the leading axes."""
    total = table.counts.sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = table.squares / total[..., None, None] ** 2
    error = np.sqrt((squares * cell_influence(statistic, table) ** 2).sum(axis=(-2, -1)))
    return np.where(total > 0, error, np.nan)[()]


def cell_influence(statistic: Callable[[Table], Floats], table: Table) -> Floats:
    """How a unit of each cell (…, key, response) moves `statistic`, were all units to become like it; 0 if empty."""
    cells = table.counts.shape[-2] * table.counts.shape[-1]
    counts = table.counts.reshape(*table.counts.shape[:-2], cells)
    total = counts.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = counts / total
    # Towards cell c by a step in proportion to its own share, so that no cell is emptied; an empty cell holds
    # no unit and contributes nothing.
    toward = np.eye(cells) - share[..., None, :]
    step = STEP * np.where(share > 0, share, 0.0)[..., :, None]
    moved = np.stack([share[..., None, :] + sign * step * toward for sign in (1.0, -1.0)])
    shape = (*moved.shape[:-1], *table.counts.shape[-2:])
    values = statistic(table.with_counts(np.nan_to_num(moved * total[..., None]).reshape(shape)))
    with np.errstate(divide="ignore", invalid="ignore"):
        influence = np.where(share > 0, (values[0] - values[1]) / (2 * step[..., 0]), 0.0)
    return influence.reshape(table.counts.shape)


def delta_interval(
    statistic: Callable[[Table], Floats],
    table: Table,
    bounds: tuple[float, float],
    level: float = 0.95,
    reach: int | None = None,
) -> tuple[Floats, Floats]:
    """Wald's interval of the table with two units more, spread evenly over its cells; without them where units abound.

    Cells that happen to be empty would else add nothing to the error, and intervals of few units be too short: what
    Agresti and Coull (1998) do for a proportion. The bounds always hold the value itself. NaN where the error vanishes
    all the same, and where the statistic is undefined.

    A statistic that weighs disagreements by distance says how far its `reach` is: of many labels, most cells are far
    off, nothing ever falls there, and two units there would be most of the error.
    """
    value, error = statistic(table), standard_error(statistic, table)
    more = two_units_more(table, reach)
    ends = wald(statistic(more), standard_error(statistic, more), bounds, level)
    around = np.where(np.isnan(value), np.nan, np.minimum(ends[0], value)), np.maximum(ends[1], value)
    enough = plenty(value, error, bounds)
    plain = wald(value, error, bounds, level)
    low, high = (np.where(enough, one, other)[()] for one, other in zip(plain, around, strict=True))
    return low, high


def two_units_more(table: Table, reach: int | None = None) -> Table:
    """Two units more; under weights, of the weight whose units would make the table as precise as it is.

    Labels that nobody used stay unused: a key without a label has no recall of it. With a `reach` they lie in cells of
    labels at most so far apart, where there are any.
    """
    used = (table.key > 0)[..., :, None] & (table.response > 0)[..., None, :]
    if reach is not None:
        places = np.arange(used.shape[-1])
        near = used & (np.abs(places[:, None] - places) <= reach)
        used = np.where(near.any(axis=(-2, -1), keepdims=True), near, used)
    share = 2 * used / np.maximum(used.sum(axis=(-2, -1), keepdims=True), 1)
    weight = np.nan_to_num(divide(table.squares.sum(axis=(-2, -1)), table.total))[..., None, None]
    return replace(table, counts=table.counts + share * weight, squares=table.squares + share * weight**2)


def two_cells(table: Table, reach: int | None = None) -> tuple[NDArray[np.intp], Floats]:
    """The cells (numbered row by row) of one table that two units more lie in, and how much of them lies in each."""
    added = (two_units_more(table, reach).counts - table.counts).ravel()
    cells = np.flatnonzero(added > 0)
    return cells, added[cells]
