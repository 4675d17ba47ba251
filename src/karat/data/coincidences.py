"""Coincidence: how often ballots of one unit agree. Leading axes are units, patterns, resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from karat.arrays import Floats, Integers, Ints
from karat.data.ballots import Ballots, Scale
from karat.data.provenance import Source
from karat.data.tables import Table
from karat.errors import UsageError
from karat.kernels.coincidence import coincidence_sums, patterns, total_coincidence

MOST_TABLED = 30
"""Up to this many values the whole table of coincidences is kept, for ordinal distances; beyond, its diagonal."""


@dataclass(frozen=True, eq=False)
class Coincidence:
    """Sums over units, in the layout of `kernels.coincidence`; coincidences of disjoint units add up.

    There are two ways of counting, because coefficients differ in them if units have unequal numbers of ballots:
    `same`, `shares` and `pairs` count each unit once (Fleiss; Gwet, who also takes shares from units with a single
    ballot); `matching`, `ballots` and `table` count each ballot of a unit with two or more (Krippendorff).
    """

    labels: tuple[str, ...]
    sums: Floats

    @classmethod
    def of(cls, ballots: Ballots) -> Coincidence:
        """The coincidence over all units."""
        rows, _, times = patterns(ballots.counts())
        return cls.of_patterns(ballots.scale.values, rows, times)

    @classmethod
    def of_patterns(cls, labels: tuple[str, ...], rows: Ints, times: Ints) -> Coincidence:
        """The coincidence over units whose ballots have these patterns."""
        return cls(labels, total_coincidence(rows, times, len(labels) <= MOST_TABLED))

    @classmethod
    def of_table(cls, table: Table) -> Coincidence:
        """From a table of two ballots per unit; who gave which does not matter, so a triangle is enough."""
        size = len(table.labels)
        cells = np.eye(size)
        pairs = (cells[:, None, :] + cells[None, :, :]).reshape(size * size, size)
        each = coincidence_sums(pairs, size <= MOST_TABLED)
        return cls(table.labels, table.counts.reshape(*table.counts.shape[:-2], size * size) @ each)

    @property
    def size(self) -> int:
        """The number of labels."""
        return len(self.labels)

    @property
    def same(self) -> Floats:
        """For each label, the shares of a unit's pairs of ballots that agree on it, over units: (…, labels)."""
        return self.sums[..., : self.size]

    @property
    def shares(self) -> Floats:
        """Each label's share of a unit's ballots, over all units with any: (…, labels)."""
        return self.sums[..., self.size : 2 * self.size]

    @property
    def matching(self) -> Floats:
        """The diagonal of the table: (…, labels)."""
        return self.sums[..., 2 * self.size : 3 * self.size]

    @property
    def ballots(self) -> Floats:
        """The margin of the table, the ballots of units with two or more: (…, labels)."""
        return self.sums[..., 3 * self.size : 4 * self.size]

    @property
    def paired(self) -> Floats:
        """How many units have two ballots or more."""
        return self.sums[..., 4 * self.size]

    @property
    def table(self) -> Floats:
        """Krippendorff's coincidence table: (…, labels, labels), symmetric."""
        return self._tables[..., 0, :, :]

    @property
    def pairs(self) -> Floats:
        """The table with each unit counted once, as shares of its pairs of ballots: (…, labels, labels), symmetric."""
        return self._tables[..., 1, :, :]

    @property
    def _tables(self) -> Floats:
        cells = self.sums[..., 4 * self.size + 1 :]
        if not cells.shape[-1]:
            raise UsageError(f"the table of coincidences is kept for at most {MOST_TABLED} labels, not {self.size}")
        return cells.reshape(*cells.shape[:-1], 2, self.size, self.size)


@dataclass(frozen=True, eq=False)
class BallotPatterns:
    """The distinct patterns of ballots (patterns, labels), how many units have each, and which, if that is known.

    Patterns of disjoint units add up, whatever units they are of: then nobody knows any more which unit has which.
    """

    labels: tuple[str, ...]
    rows: Ints
    """How often a unit of each pattern was given each label."""
    times: Ints
    whose: Ints | None = None
    """The pattern of each unit that has a ballot."""
    tabled: bool = False
    """Whether there are tables of coincidences."""

    @classmethod
    def zero(cls, labels: tuple[str, ...]) -> BallotPatterns:
        """Those of no unit."""
        return cls(labels, np.zeros((0, len(labels)), dtype=np.int64), np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, ballots: Ballots, tabled: bool = False) -> BallotPatterns:
        """The patterns of all units that have a ballot."""
        given = np.bincount(ballots.unit, minlength=len(ballots.units)) > 0
        rows, which, times = patterns(ballots.counts()[given])
        return cls(ballots.scale.values, rows, times, which, tabled)

    def __add__(self, other: BallotPatterns) -> BallotPatterns:
        return _gathered(self.labels, np.concatenate([self.rows, other.rows]), np.append(self.times, other.times))

    def fold(self, places: Integers, labels: tuple[str, ...]) -> BallotPatterns:
        """With other labels: `places` says which of them each label becomes."""
        return _gathered(labels, self.rows @ np.eye(len(labels), dtype=np.int64)[places], self.times)

    def with_tables(self) -> BallotPatterns:
        """The same with tables of coincidences."""
        return replace(self, tabled=True)

    @property
    def which(self) -> Ints:
        """The pattern of each unit that has a ballot."""
        if self.whose is None:
            raise UsageError("patterns that were added up do not say which unit has which")
        return self.whose

    @cached_property
    def each(self) -> Coincidence:
        """The coincidence of a unit of each pattern."""
        return Coincidence(self.labels, coincidence_sums(self.rows, self.tabled))

    @property
    def sizes(self) -> Ints:
        """How many ballots a unit of each pattern has."""
        return np.asarray(self.rows.sum(axis=1))

    def total(self) -> Coincidence:
        """The coincidence over all units."""
        return Coincidence(self.each.labels, self.times @ self.each.sums)


def _gathered(labels: tuple[str, ...], rows: Ints, times: Ints) -> BallotPatterns:
    found, which, _ = patterns(rows)
    added = np.zeros(len(found), dtype=np.int64)
    np.add.at(added, which, times)
    return BallotPatterns(labels, found, added)


def table_ballots(
    counts: Sequence[Sequence[int]], scale: Scale, assessors: tuple[str, str] = ("first", "second")
) -> Ballots:
    """Ballots of two assessors from their table: square, or a triangle whose rows end at the diagonal.

    A triangle, such as 381 / 82 217 / 11 43 66, does not say who gave which label, so its ballots are exchangeable.
    """
    size = len(scale.values)
    lengths = [len(row) for row in counts]
    triangular = lengths == list(range(1, size + 1))
    if not triangular and lengths != [size] * size:
        raise UsageError(
            f"a table of {size} labels has {size} rows of {size} counts each, or of 1, 2, … where it is a triangle; "
            f"these have {', '.join(map(str, lengths)) or 'none'}"
        )
    cells = [(row, column, count) for row, line in enumerate(counts) for column, count in enumerate(line)]
    times = [count for _, _, count in cells]
    if any(isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0 for count in times):
        raise UsageError("a table of ballots holds whole numbers, none negative")
    units = sum(times)
    codes = np.repeat(np.array([(row, column) for row, column, _ in cells], dtype=np.int32), times, axis=0)
    return Ballots(
        units=tuple(str(number) for number in range(1, units + 1)),
        assessors=("slot 1", "slot 2") if triangular else assessors,
        scale=scale,
        unit=np.repeat(np.arange(units, dtype=np.int32), 2),
        assessor=np.tile(np.arange(2, dtype=np.int32), units),
        code=codes.ravel(),
        exchangeable=triangular,
        sources=(Source.of_columns("table", scale.values, counts),),
    )
