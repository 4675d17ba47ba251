"""Ballots: who said what of which unit, as one long table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.arrays import Int32s
from karat.data.arguments import checked_noun
from karat.data.numbers import as_number
from karat.data.reading import AS_IS
from karat.data.reading import Level as Level
from karat.data.source import Source
from karat.errors import Problem, UsageError

Reason = Literal["error", "difference"]
"""Why a dispute was decided: somebody erred, or people differ and have a right to."""
MAX_CELLS, EACH = 1 << 24, 32
"""Units times labels, or assessors times units, that are counted at once; and as many for each ballot, if that is more:
a few ballots can name many of either."""


@dataclass(frozen=True)
class Scale:
    """What may be said: the values in order, and what their order means."""

    values: tuple[str, ...]
    level: Level = "nominal"
    said: bool = True
    """Whether somebody said so; a file without a level has names, unless its labels are numbers."""

    def at(self, level: Level | None) -> Scale:
        """The scale at the level asked for, or else at its own; numbers whose level nobody said are refused."""
        numbers = None if level or self.said or len(self.values) < 3 else numbers_of(self.values)
        if numbers:
            raise UsageError(
                f"the labels are {len(numbers)} different numbers, {min(numbers):g} to {max(numbers):g}: say "
                "whether they are names, ranks or amounts, --level nominal|ordinal|interval"
            )
        made = Scale(self.values, level or self.level)
        if made.level == "interval":
            _ = made.numbers  # words are refused before anything is computed
        return made

    @property
    def places(self) -> NDArray[np.float64] | None:
        """Where the values stand: one apart in an order, at their numbers on an interval scale; names stand nowhere."""
        if self.level == "nominal":
            return None
        return self.numbers if self.level == "interval" else np.arange(len(self.values), dtype=np.float64)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers, which an interval scale has."""
        numbers = numbers_of(self.values)
        if numbers is None:
            raise UsageError(f"an interval scale has numbers, not {', '.join(self.values[:5])}")
        return np.array(numbers)


def numbers_of(labels: Sequence[str]) -> list[float] | None:
    """The labels as numbers, if all are finite ones."""
    numbers = list(map(as_number, labels))
    return numbers if all(map(math.isfinite, numbers)) else None


@dataclass(frozen=True)
class Adjudication:
    """What somebody decided who saw the ballots of a unit, and why; no ballot, since it was not cast alone."""

    unit: str
    assessor: str
    code: int
    reason: Reason
    kind: str = ""
    """Of the error or of the difference, in anybody's words: tense, granularity of places, background knowledge."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Ballots:
    """One row a ballot: unit, assessor and code are indices into `units`, `assessors` and `scale.values`.

    `exchangeable` says that assessor slots are arbitrary (the first label of one pair and the first of the
    next are not one person's), so that only symmetric statistics mean anything.
    """

    units: tuple[str, ...]
    assessors: tuple[str, ...]
    scale: Scale
    unit: Int32s
    assessor: Int32s
    code: Int32s
    exchangeable: bool = False
    sources: tuple[Source, ...] = ()
    reading: msgspec.Struct = AS_IS
    """How they were read: the struct of options, whichever reader it is of."""
    warnings: tuple[Problem, ...] = ()
    adjudications: tuple[Adjudication, ...] = ()
    """At most one a unit; in no order."""

    def __len__(self) -> int:
        return len(self.code)

    def counts(self) -> NDArray[np.int64]:
        """How often each value was given to each unit: (units, values)."""
        width = len(self.scale.values)
        fix = "check the column of labels, or round numbers"
        self._check_cells(len(self.units), "units", width, "different labels", fix)
        cells = self.unit.astype(np.int64) * width + self.code
        return np.bincount(cells, minlength=len(self.units) * width).reshape(len(self.units), width)

    def matrix(self) -> NDArray[np.int32]:
        """What each assessor said of each unit (assessors, units); -1 where nothing."""
        self._check_cells(len(self.assessors), "assessors", len(self.units), "units", "check the column of assessors")
        said = np.full((len(self.assessors), len(self.units)), -1, dtype=np.int32)
        said[self.assessor, self.unit] = self.code
        return said

    @property
    def room(self) -> int:
        """How many cells a table of them may have."""
        return max(MAX_CELLS, EACH * len(self))

    def _check_cells(self, rows: int, of: str, columns: int, by: str, fix: str) -> None:
        """Raise before a table is made that takes more memory than its ballots can explain."""
        if rows * columns > self.room:
            found = f"{rows:,} {of} times {columns:,} {by} are {rows * columns:,} cells"
            raise UsageError(f"{found}; expected at most {self.room:,}; {fix}, or split the file")

    def of(self, assessors: Sequence[str]) -> Ballots:
        """The ballots of some assessors alone; the units stay, the sources do not: the files hold more."""
        unknown = [name for name in assessors if name not in self.assessors]
        if unknown:
            raise UsageError.unknown("assessor", unknown[0], self.assessors)
        wanted = [self.assessors.index(name) for name in assessors]
        place = np.full(len(self.assessors), -1, dtype=np.int32)
        place[wanted] = np.arange(len(wanted))
        kept = np.isin(self.assessor, wanted)
        return replace(
            self,
            assessors=tuple(assessors),
            unit=self.unit[kept],
            assessor=place[self.assessor[kept]],
            code=self.code[kept],
            sources=self.sources if tuple(assessors) == self.assessors else (),
        )


def anonymous_ballots(units: Sequence[str], codes: Sequence[Sequence[int]], scale: Scale) -> Ballots:
    """Ballots from lists of codes a unit, given by whoever was there: slots, not persons."""
    lengths = [len(row) for row in codes]
    slots = max(lengths, default=0)
    return Ballots(
        units=tuple(units),
        assessors=tuple(f"slot {slot + 1}" for slot in range(slots)),
        scale=scale,
        unit=np.repeat(np.arange(len(codes), dtype=np.int32), lengths),
        assessor=np.array([slot for length in lengths for slot in range(length)], dtype=np.int32),
        code=np.array([code for row in codes for code in row], dtype=np.int32),
        exchangeable=True,
    )
