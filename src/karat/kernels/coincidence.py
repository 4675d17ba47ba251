"""Coincidences of ballots: sums over units from which every symmetric coefficient of agreement follows.

All of them are linear in the units, so a weighted version is one matrix product.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Integers, Ints

NUMBERED_PATTERNS = 1 << 20
"""Up to this many possible patterns of counts, patterns are numbered and counted by number."""


def coincidence_sums(counts: Ints | Floats, tabled: bool) -> Floats:
    """The contribution of each unit (units, …), from how often it was given each of K values (units, K).

    In order: K shares of its pairs of ballots that agree on a value; K shares of its ballots; K agreeing ballots and
    K ballots with Krippendorff's weights (each ballot of a unit with at least two ballots counts once); 1 if it has at
    least two ballots; and, if `tabled`, the K × K coincidences of ballots, and the same as shares of the unit's pairs.
    A unit with one ballot contributes only to the shares of ballots.
    """
    counts = np.asarray(counts, dtype=np.float64)
    units, values = counts.shape
    ballots = counts.sum(axis=1, keepdims=True)
    paired = ballots >= 2
    others = np.where(paired, ballots - 1, 1.0)
    some = np.maximum(ballots, 1.0)
    sums = np.empty((units, 4 * values + 1 + 2 * tabled * values * values))
    same, shares, matching, given = np.split(sums[:, : 4 * values], 4, axis=1)
    # Counts of 0 and 1 contain no agreeing pair, so units with fewer than two ballots need no mask here.
    np.divide(counts * (counts - 1), others, out=matching)
    np.divide(matching, some, out=same)
    np.divide(counts, some, out=shares)
    np.multiply(counts, paired, out=given)
    sums[:, 4 * values] = paired[:, 0]
    if tabled:
        tables = sums[:, 4 * values + 1 :].reshape(units, 2, values, values)
        np.multiply(given[:, :, None], (counts / others)[:, None, :], out=tables[:, 0])
        diagonal = np.arange(values)
        tables[:, 0, diagonal, diagonal] = matching
        np.divide(tables[:, 0], some[:, :, None], out=tables[:, 1])
    return sums


def total_coincidence(rows: Ints, times: Ints, tabled: bool) -> Floats:
    """`coincidence_sums` added up over units, from their patterns, without holding a table for each."""
    if _short(rows):
        return times @ coincidence_sums(rows, tabled)
    sums = times @ coincidence_sums(rows, tabled=False)
    if not tabled:
        return sums
    values = rows.shape[1]
    ballots = rows.sum(axis=1)
    several = ballots >= 2
    kept, given, many = rows[several], ballots[several], times[several]
    tables = [kept.T @ (kept * (many / among)[:, None]) for among in (given - 1, given * (given - 1))]
    for table, agreeing in zip(tables, (sums[2 * values : 3 * values], sums[:values]), strict=True):
        np.fill_diagonal(table, agreeing)
    return np.concatenate([sums, *(table.ravel() for table in tables)])


def _short(counts: Ints) -> bool:
    return (int(counts.max(initial=0)) + 1) ** counts.shape[1] <= NUMBERED_PATTERNS


def patterns(counts: Ints) -> tuple[Ints, Ints, Ints]:
    """The distinct rows, which of them each row is, and how often each occurs.

    Symmetric coefficients do not distinguish units with the same counts, and there are few different ones: 100,000
    units with six ballots over five labels have 210 patterns. They come in one order, whatever the units': by the count
    of the last value, then by that of the one before it.
    """
    if not _short(counts):
        found, which, times = np.unique(counts[:, ::-1], axis=0, return_inverse=True, return_counts=True)
        return found[:, ::-1], which.ravel(), times
    # Read each row as a number whose digits are its counts.
    base = int(counts.max(initial=0)) + 1
    numbers = counts @ base ** np.arange(counts.shape[1])
    occurring = np.bincount(numbers, minlength=base ** counts.shape[1])
    found = np.flatnonzero(occurring)
    place = np.zeros(len(occurring), dtype=np.int64)
    place[found] = np.arange(len(found))
    rows = found[:, None] // base ** np.arange(counts.shape[1]) % base
    return rows, place[numbers], occurring[found]


def middle_ranks(ballots: Floats) -> Floats:
    """Middle ranks of values from how often each was given (…, K); ordinal distances are their differences."""
    return np.cumsum(ballots, axis=-1) - ballots / 2


def centred(unit: Integers, numbers: Floats, times: Ints | None = None) -> Floats:
    """The numbers of ballots minus their mean, where there are so many `times` of each unit."""
    if not len(numbers):
        return numbers
    return numbers - (numbers.mean() if times is None else np.average(numbers, weights=times[unit]))


def spreads(unit: Integers, numbers: Floats, units: int, times: Ints | None = None) -> Floats:
    """The contribution of each unit to the spread of numbers (units, 4): squared differences within, ballots, Σx, Σx².

    Units with fewer than two ballots contribute nothing. Only differences matter, so the numbers are centred, as if
    there were so many `times` of each unit, or one of each.
    """
    ballots = np.bincount(unit, minlength=units).astype(np.float64)
    numbers = centred(unit, numbers, times)
    first = np.bincount(unit, numbers, minlength=units)
    second = np.bincount(unit, numbers**2, minlength=units)
    # About the unit's own mean, because r·Σx² − (Σx)² would cancel.
    apart = numbers - (first / np.maximum(ballots, 1))[unit]
    within = np.bincount(unit, apart**2, minlength=units)
    others = np.maximum(ballots - 1, 1)
    made = np.stack([2 * ballots * within / others, ballots, first, second], axis=1)
    return np.where((ballots >= 2)[:, None], made, 0.0)
