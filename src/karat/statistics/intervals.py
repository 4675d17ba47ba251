"""Intervals: Wilson's for a proportion, and from standard errors for whatever has a lowest and a highest value.

Near an end of its range an estimate is skewed, and its standard error is smallest where the estimate is most extreme,
so the symmetric interval (Wald's) lies too close to the end and is too short. Wilson's interval does not have this
fault, and needs only a proportion and its number of trials. Any bounded quantity, scaled to 0…1, is as precise as a
proportion p from p(1 − p)/error² trials. For a plain proportion that is the number of units, and the interval is
Wilson's own.

The standard error of a function of a table comes from the delta method. A unit added to a cell changes the statistic by
the influence of that cell. The variance is the sum over units of the squared influence times the squared share of the
unit, and units of one cell have the same influence. A table of K² cells thus needs K² derivatives, whatever the
statistic and the number of units; they are computed numerically, all at once, along a leading axis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats
from karat.data.tables import Table
from karat.kernels.counting import divide

ROUNDING_WIDTH = 1e-7
"""A half-width below this is rounding error, not uncertainty."""
WALD_FROM = 50.0
"""With this many effective hits and misses all intervals have the same coverage, and Wald's is the one that is
published: kappa ± 1.96 standard errors of Fleiss, Cohen and Everitt."""
FEWEST_EXPECTED = 5.0
"""The expected count in every cell from which a standard error can be trusted (Cochran 1954)."""
RELATIVE_STEP = 1e-4
"""Relative to a cell's share: small enough for six digits of a standard error, large enough for doubles."""

Among = Literal["all", "key", "used"]
"""The labels that a statistic is over: all, those that occur in the key, those that occur in the key or the run."""


def quantile(level: float) -> float:
    """The normal quantile of a two-sided interval at this level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student(level: float, freedom: Floats | float) -> Floats:
    """Student's quantile of a two-sided interval at this level; NaN without degrees of freedom."""
    from scipy.special import stdtrit  # here: scipy takes long to load

    limited = np.where((freedom > 0) & (freedom < np.inf), freedom, 1.0)
    found = np.where(freedom < np.inf, stdtrit(limited, (1 + level) / 2), quantile(level))
    return np.where(freedom > 0, found, np.nan)[()]


def wilson(proportion: Floats, trials: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The limits of a proportion of `trials`; NaN if these are 0 or infinite (Wilson 1927)."""
    z = quantile(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        shrink = 1 + z * z / trials
        centre = (proportion + z * z / (2 * trials)) / shrink
        half = z / shrink * np.sqrt(proportion * (1 - proportion) / trials + (z / (2 * trials)) ** 2)
    # At 0 and 1 the limit is the proportion itself, which rounding must not exceed.
    low = np.where(proportion == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(proportion == 1, 1.0, np.minimum(centre + half, 1.0))
    undefined = np.isnan(proportion) | ~((trials > 0) & (trials < np.inf))
    return np.where(undefined, np.nan, low)[()], np.where(undefined, np.nan, high)[()]


def wald(
    value: Floats,
    error: Floats,
    bounds: tuple[float, float],
    level: float = 0.95,
    freedom: Floats | None = None,
) -> tuple[Floats, Floats]:
    """The value ± a multiple of its error, truncated to the range, unless the value itself is outside of it.

    The quantile is normal, or Student's t with `freedom`. NaN if the error vanishes: a statistic that is flat to first
    order would get an interval of width 0, and appear certain.
    """
    half = (quantile(level) if freedom is None else student(level, freedom)) * np.asarray(error)
    undefined = np.isnan(value) | ~(half > ROUNDING_WIDTH)
    lowest = np.where(np.asarray(value) < bounds[0], -np.inf, bounds[0])
    highest = np.where(np.asarray(value) > bounds[1], np.inf, bounds[1])
    ends = (np.clip(value - half, lowest, highest), np.clip(value + half, lowest, highest))
    low, high = (np.where(undefined, np.nan, end)[()] for end in ends)
    return low, high


def trials_worth(value: Floats, error: Floats, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """The quantity as a share of its range, and the number of trials of an equally precise proportion; 0 if none."""
    width = bounds[1] - bounds[0]
    if not np.isfinite(width):
        return np.full(np.shape(value), np.nan), np.zeros(np.shape(value))
    share = (np.asarray(value) - bounds[0]) / width
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = share * (1 - share) * (width / np.asarray(error)) ** 2
    return share, np.where(trials > 0, trials, 0.0)


def plenty(value: Floats, error: Floats, bounds: tuple[float, float], units: Floats | float = np.inf) -> Bools:
    """Whether the quantity is so many errors away from both ends of its range that Wald's interval is accurate.

    Trials are limited to the number of units: however many ballots each has, few units say little about the spread.
    """
    share, trials = trials_worth(value, error, bounds)
    return np.asarray(np.minimum(trials, units) * np.minimum(share, 1 - share) >= WALD_FROM)


def expected(shares: Floats, others: Floats, units: Floats) -> Bools:
    """Whether every cell of two independent margins (…, labels) has a large enough expected count (Cochran).

    An error that is too small because a rare pair of labels happens not to occur cannot be recognised by itself. A last
    column of the second margin that the first does not have is for no answer, and does not count if it is empty.
    """
    labels = shares.shape[-1]
    silent = others[..., labels:]
    rarest = shares.min(axis=-1) * np.minimum(
        others[..., :labels].min(axis=-1), np.where(silent > 0, silent, 1.0).min(axis=-1, initial=1.0)
    )
    return np.asarray((rarest > 0) & (units * np.where(rarest > 0, rarest, 1.0) >= FEWEST_EXPECTED))


def holding(value: Floats, ends: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """An interval extended to contain the value; NaN if either is."""
    low, high = np.minimum(ends[0], value), np.maximum(ends[1], value)
    return low, high


def bounded(value: Floats, error: Floats, bounds: tuple[float, float], level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval with the effective number of trials, Wald's if there are plenty; NaN where Wald's is."""
    ends = wald(value, error, bounds, level)
    share, trials = trials_worth(value, error, bounds)
    few = (trials > 0) & ~plenty(value, error, bounds) & ~np.isnan(ends[0])
    scaled = (bounds[0] + (bounds[1] - bounds[0]) * end for end in wilson(share, trials, level))
    low, high = (np.where(few, one, other)[()] for one, other in zip(scaled, ends, strict=True))
    return low, high


def standard_error(statistic: Callable[[Table], Floats], table: Table) -> Floats:
    """The asymptotic standard error of `statistic` for each table along the leading axes."""
    total = table.counts.sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = table.squares / total[..., None, None] ** 2
    error = np.sqrt((squares * cell_influence(statistic, table) ** 2).sum(axis=(-2, -1)))
    return np.where(total > 0, error, np.nan)[()]


def cell_influence(statistic: Callable[[Table], Floats], table: Table) -> Floats:
    """The influence of a unit in each cell (…, key, response) on `statistic`; 0 for an empty cell."""
    cells = table.counts.shape[-2] * table.counts.shape[-1]
    counts = table.counts.reshape(*table.counts.shape[:-2], cells)
    total = counts.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = counts / total
    # The step towards cell c is proportional to its share, so that no cell is emptied. An empty cell has no unit and
    # contributes nothing.
    toward = np.eye(cells) - share[..., None, :]
    step = RELATIVE_STEP * np.where(share > 0, share, 0.0)[..., :, None]
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
    ordered: bool = False,
    among: Among = "all",
) -> tuple[Floats, Floats]:
    """Wald's interval after adding two units, spread evenly over the cells, with Student's quantile.

    Otherwise cells that happen to be empty would add nothing to the error, and intervals for few units or rare labels
    would be too short; Agresti and Coull (1998) do the same for a proportion. With many units and a large enough
    expected count in every cell, the interval is the plain Wald interval, as papers print it. The interval always
    contains the value. NaN if the error vanishes even so, or if the statistic is undefined.

    `ordered` is for statistics that weight disagreements by distance, `among` for those over some of the labels.
    """
    value, error, size = statistic(table), standard_error(statistic, table), table.size
    filled = expected(_shares(table.key), _shares(table.response), size)
    enough = np.isnan(value) | (filled & plenty(value, error, bounds, size))
    plain = wald(value, error, bounds, level)
    if enough.all():
        return plain
    more = two_units_more(table, ordered, among)
    around = wald(statistic(more), standard_error(statistic, more), bounds, level, more.size - 1)
    low, high = (np.where(enough, one, other)[()] for one, other in zip(plain, holding(value, around), strict=True))
    return low, high


def root_interval(
    statistic: Callable[[Table], Floats],
    table: Table,
    bounds: tuple[float, float],
    worth: Callable[[Table], Floats],
    level: float = 0.95,
) -> tuple[Floats, Floats]:
    """The interval of information between key and response, which is 0 and flat where they are independent.

    Near 0 the estimate has a scaled noncentral chi-square distribution with (rows − 1)(columns − 1) degrees of freedom,
    and its root is nearly normal (Sankaran 1963). The scale is chosen to give the error of the delta method for the
    table with two more units; if key and response are independent there, `worth` is the factor that turns the statistic
    into a chi-square. NaN if the statistic is undefined.
    """
    more = two_units_more(table)
    centre, error = statistic(more), standard_error(statistic, more)
    rows, columns = (table.key > 0).sum(axis=-1), (table.response > 0).sum(axis=-1)
    shift = np.maximum((rows - 1) * (columns - 1) - 1, 0) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(centre > ROUNDING_WIDTH, error**2 / (4 * centre), 1 / worth(more))
        root = np.sqrt(np.maximum(centre / scale - shift, 0))
        half = student(level, more.size - 1)
        squares = np.maximum(root - half, 0) ** 2, (root + half) ** 2
        low, high = (np.clip((end - shift) * scale, *bounds) for end in squares)
    return holding(statistic(table), (low, high))


def two_units_more(table: Table, ordered: bool = False, among: Among = "all") -> Table:
    """The table with two more units; under weights, with the weight of a typical unit.

    If labels are `ordered`, cells get less the farther they are from the diagonal: with many labels most cells are far
    off and always empty, and evenly spread units would dominate the error. Labels that nobody uses get nothing, since
    the scale may not extend that far, and neither does an empty column for no answer. With `among`, only labels that
    occur in the key, or in key or run, get something.
    """
    cells = np.ones_like(table.counts)
    # A run that answers everything has the same interval whether or not other runs have gaps.
    labels = cells.shape[-2]
    cells[..., labels:] *= table.response[..., None, labels:] > 0
    if ordered:
        places = np.arange(cells.shape[-1])
        cells = cells / (1.0 + np.abs(places[:, None] - places))
    if ordered or among == "used":
        used = (table.key > 0) | (table.answered > 0)
        columns = np.concatenate([used, table.response[..., used.shape[-1] :] > 0], axis=-1)
        cells = cells * used[..., :, None] * columns[..., None, :]
    if among == "key":
        cells = cells * (table.key > 0)[..., None]
    share = 2 * np.nan_to_num(divide(cells, cells.sum(axis=(-2, -1), keepdims=True)))
    weight = np.nan_to_num(divide(table.squares.sum(axis=(-2, -1)), table.total))[..., None, None]
    return replace(table, counts=table.counts + share * weight, squares=table.squares + share * weight**2)


def two_cells(table: Table, ordered: bool = False) -> tuple[NDArray[np.intp], Floats]:
    """The cells (numbered row by row) of one table that receive the two units, and how much each receives."""
    added = (two_units_more(table, ordered).counts - table.counts).ravel()
    cells = np.flatnonzero(added > 0)
    return cells, added[cells]


def _shares(margin: Floats) -> Floats:
    return divide(margin, margin.sum(axis=-1, keepdims=True))
