"""The delta method for any function of sums over units, as `delta` has it for tables.

Each unit changes the statistic by its influence, and the standard error is the root of the mean squared influence
over N − 1 (the infinitesimal jackknife). For agreement coefficients these are Gwet's standard errors.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from karat.arrays import Floats, Ints
from karat.statistics.intervals import holding, plenty, wald

Times = Ints | Floats
"""How many units have each pattern; fractional for added pseudo-units."""
RELATIVE_STEP = 1e-3
"""Relative to a pattern's share of the units, so that no pattern is emptied."""
VALUES_AT_A_TIME = 1 << 21
"""Values held in memory at a time."""


def influences(statistic: Callable[[Floats], Floats], rows: Floats, times: Times) -> Floats:
    """The influence of a unit of each pattern on the statistic: (patterns, …).

    `rows` is what a unit of each pattern contributes to the sums, and `times` how many units have it.
    """
    units = times.sum()
    sums = times @ rows
    at_a_time = max(1, VALUES_AT_A_TIME // rows.shape[1])
    made = []
    for start in range(0, len(rows), at_a_time):
        chunk = slice(start, start + at_a_time)
        toward = units * rows[chunk] - sums
        step = (RELATIVE_STEP * times[chunk] / units)[:, None]
        above, below = statistic(sums + step * toward), statistic(sums - step * toward)
        made.append((above - below) / (2 * step.reshape(-1, *[1] * (above.ndim - 1))))
    return np.concatenate(made)


def error_of_sums(statistic: Callable[[Floats], Floats], rows: Floats, times: Times) -> Floats:
    """The standard error, given how many units have each pattern; NaN if there are fewer than two units."""
    units = times.sum()
    if units < 2:
        return np.full(np.shape(statistic(times @ rows)), np.nan)[()]
    squared = influences(statistic, rows, times) ** 2
    return np.sqrt(np.tensordot(times, squared, axes=(0, 0)) / (units * (units - 1)))[()]


def interval_with_more(
    statistic: Callable[[Floats], Floats],
    units: tuple[Floats, Times],
    more: tuple[Floats, Times],
    bounds: tuple[float, float],
    level: float = 0.95,
    filled: bool = False,
    fewer: Floats | float = 1.0,
) -> tuple[Floats, Floats]:
    """Wald's interval of these units (rows and times) together with `more`, as `delta_interval` does for a table.

    `filled` says that every pair of labels has a large enough expected count; if there are also many units, none are
    added. `fewer` says how many times fewer independent units they are worth, if they are in clusters.
    """
    rows, times = np.concatenate([units[0], more[0]]), np.concatenate([units[1], more[1] * fewer])
    value, error = statistic(units[1] @ units[0]), error_of_sums(statistic, *units) * np.sqrt(fewer)
    plain = wald(value, error, bounds, level)
    enough = filled & plenty(value, error, bounds, units[1].sum() / fewer)
    if enough.all():
        return plain
    wider = error_of_sums(statistic, rows, times) * np.sqrt(fewer)
    around = wald(statistic(times @ rows), wider, bounds, level, times.sum() / fewer - 1)
    low, high = (np.where(enough, one, other)[()] for one, other in zip(plain, holding(value, around), strict=True))
    return low, high
