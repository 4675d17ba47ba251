"""Which units two assessors share, and what both say of them: sums over units, so that parts of the units add up."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bytes, Integers, Ints
from karat.kernels.counting import contingency

CROWDED = 10
"""How many cells of a table of assessors × units are made and multiplied while two neighbouring ballots are paired."""
CELLS_AT_ONCE = 1 << 26
"""Cells of such tables held at a time."""


def common_units(unit: Integers, assessor: Integers, units: int, assessors: int) -> Ints:
    """The number of units that every two assessors both judged (assessors, assessors); each its own on the diagonal.

    An assessor judges a unit at most once.
    """
    most = int(np.bincount(unit).max(initial=1))
    if assessors * units * (4 + assessors / 10) <= CROWDED * (most - 1) * len(unit):
        common = np.zeros((assessors, assessors), dtype=np.int64)
        for start, end, some in _blocks(unit, units, assessors):
            judged = np.zeros((assessors, end - start), dtype=np.float32)
            judged[assessor[some], unit[some] - start] = 1
            common += np.rint(judged @ judged.T).astype(np.int64)
        return common
    if (unit[1:] < unit[:-1]).any():
        order = np.argsort(unit, kind="stable")
        unit, assessor = unit[order], assessor[order]
    assessor = assessor.astype(np.int64)
    common = np.diag(np.bincount(assessor, minlength=assessors)).astype(np.int64)
    for apart in range(1, most):
        same = unit[apart:] == unit[:-apart]
        one, other = assessor[apart:][same], assessor[:-apart][same]
        cells = np.bincount(one * assessors + other, minlength=assessors**2).reshape(assessors, assessors)
        common += cells + cells.T
    return common


def pair_tables(
    unit: Integers, assessor: Integers, code: Integers, units: int, pairs: tuple[Ints, Ints], labels: int
) -> Ints:
    """What the first and the second of some pairs of assessors say of the same units: (pairs, labels, labels)."""
    those, places = np.unique(np.concatenate(pairs), return_inverse=True)
    first, second = places.reshape(2, -1)
    tables = np.zeros((len(pairs[0]), labels, labels), dtype=np.int64)
    for start, end, some in _blocks(unit, units, len(those) + 2 * len(pairs[0])):
        said = said_by(unit[some] - start, assessor[some], code[some], end - start, those)
        tables += contingency(said[first], said[second], labels, labels)
    return tables


def said_by(unit: Integers, assessor: Integers, code: Integers, units: int, those: Ints) -> Bytes:
    """The label that some assessors, in order, gave to each unit (assessors, units); -1 for none."""
    place = np.full(int(max(assessor.max(initial=-1), those.max(initial=-1))) + 1, -1)
    place[those] = np.arange(len(those))
    row = place[assessor]
    kept = row >= 0
    said = np.full((len(those), units), -1, dtype=np.int8)
    said[row[kept], unit[kept]] = code[kept]
    return said


def _blocks(unit: Integers, units: int, rows: int) -> list[tuple[int, int, slice | Ints]]:
    """Stretches of units, and their ballots, for which a table of so many rows is not too large."""
    width = max(1, CELLS_AT_ONCE // max(rows, 1))
    if width >= units:
        return [(0, units, slice(None))]
    block = unit // width
    return [
        (start, min(start + width, units), np.flatnonzero(block == start // width)) for start in range(0, units, width)
    ]
