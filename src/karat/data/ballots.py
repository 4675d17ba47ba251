"""Ballots: which assessor gave which label to which unit, as one long table."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np

from karat.arrays import Floats, Int32s, Ints
from karat.data.parameters import checked_noun
from karat.data.provenance import AS_IS, Source
from karat.data.provenance import Level as Level
from karat.errors import Problem, UsageError, counted
from karat.files import as_number, whole_number

Reason = Literal["error", "difference"]
"""Why a disputed label was adjudicated: somebody erred, or people legitimately differ."""
MAX_CELLS, CELLS_PER_BALLOT = 1 << 24, 32
"""The most cells of a table of units × labels or assessors × units; and per ballot, if that allows more: a few ballots
can name many units, labels or assessors."""


@dataclass(frozen=True)
class Scale:
    """The values that can be given, in order, and the level of measurement."""

    values: tuple[str, ...]
    level: Level = "nominal"
    said: bool = True
    """Whether the level was stated; labels of a file without a level are nominal, unless they are numbers."""

    def at(self, level: Level | None) -> Scale:
        """The scale at the given level, or at its own; raises an error for numbers whose level was not stated."""
        numbers = None if level or self.said or len(self.values) < 3 else numbers_of(self.values)
        if numbers:
            raise UsageError(
                f"the labels are {len(numbers)} different numbers, {min(numbers):g} to {max(numbers):g}: say "
                "whether they are names, ranks or amounts, --level nominal|ordinal|interval"
            )
        made = Scale(self.values, level or self.level)
        if made.level == "interval":
            _ = made.numbers  # raises an error for words before anything is computed
        return made

    @property
    def places(self) -> Floats | None:
        """The positions of the values: 0, 1, … if ordinal, their numbers if interval, None if nominal."""
        if self.level == "nominal":
            return None
        return self.numbers if self.level == "interval" else np.arange(len(self.values), dtype=np.float64)

    @cached_property
    def numbers(self) -> Floats:
        """The values as numbers, as an interval scale requires."""
        numbers = numbers_of(self.values)
        if numbers is None:
            raise UsageError(f"an interval scale has numbers, not {', '.join(self.values[:5])}")
        return np.array(numbers)


def check_units(units: Sequence[str], known: Collection[str], name: str, what: str) -> None:
    """Raise an error if `name`, a test set, does not have all units; `what` is that test set in the advice."""
    strange = [unit for unit in dict.fromkeys(units) if unit not in known]
    if not strange:
        return
    forms = {number: unit for unit in known if (number := whole_number(unit))}
    meant = next(((unit, forms[form]) for unit in strange if (form := whole_number(unit)) in forms if form), None)
    hint = f"check that ballots and {what} belong to the same test set"
    if meant is not None:
        hint = f"write ids alike: {meant[0]!r} may be {meant[1]!r}, since Excel turns 08 in a CSV into 8"
    raise UsageError(
        f"the ballots have {counted(len(strange), 'unit')} that {name} has not, first {strange[0]!r}: {hint}"
    )


def numbers_of(labels: Sequence[str]) -> list[float] | None:
    """The labels as numbers, if all are finite."""
    numbers = list(map(as_number, labels))
    return numbers if all(map(math.isfinite, numbers)) else None


@dataclass(frozen=True)
class Adjudication:
    """The decision of somebody who saw the ballots of a unit, and why; not a ballot, as it was not independent."""

    unit: str
    assessor: str
    code: int
    reason: Reason
    kind: str = ""
    """The kind of error or difference, in free words: tense, granularity of places, background knowledge."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Ballots:
    """One row per ballot: unit, assessor and code are indices into `units`, `assessors` and `scale.values`.

    `exchangeable` means that assessor slots are arbitrary (the first labels of two pairs are not from one person), so
    that only symmetric statistics are meaningful.
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
    """How they were read: the options of whichever reader it was."""
    warnings: tuple[Problem, ...] = ()
    adjudications: tuple[Adjudication, ...] = ()
    """At most one per unit, in no particular order."""
    programs: tuple[str, ...] = ()
    """The assessors that are programs, where the file says so."""
    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What people said about their ballots and decisions, by unit and assessor."""
    attributes: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    """What else the files say about each unit, such as its topic."""

    def __len__(self) -> int:
        return len(self.code)

    def clusters(self, name: str) -> tuple[str | None, ...]:
        """The cluster of each unit, by an attribute; None is a cluster alone."""
        if name not in self.attributes:
            hint = (
                "an attribute is a column, of the ballots or of the test set, that says the same in all rows of a unit"
            )
            raise UsageError(f"{UsageError.unknown('attribute of the units', name, self.attributes)}; {hint}")
        return self.attributes[name]

    def counts(self) -> Ints:
        """How often each value was given to each unit: (units, values)."""
        width = len(self.scale.values)
        fix = "check the column of labels, or round numbers"
        self._check_cells(len(self.units), "units", width, "different labels", fix)
        cells = self.unit.astype(np.int64) * width + self.code
        return np.bincount(cells, minlength=len(self.units) * width).reshape(len(self.units), width)

    def matrix(self) -> Int32s:
        """The label each assessor gave to each unit (assessors, units); -1 for none."""
        self._check_cells(len(self.assessors), "assessors", len(self.units), "units", "check the column of assessors")
        said = np.full((len(self.assessors), len(self.units)), -1, dtype=np.int32)
        said[self.assessor, self.unit] = self.code
        return said

    @property
    def room(self) -> int:
        """The most cells that a table of these ballots may have."""
        return max(MAX_CELLS, CELLS_PER_BALLOT * len(self))

    def _check_cells(self, rows: int, of: str, columns: int, by: str, fix: str) -> None:
        """Raise an error instead of making a table that is too large for the number of ballots."""
        if rows * columns > self.room:
            found = f"{rows:,} {of} times {columns:,} {by} are {rows * columns:,} cells"
            raise UsageError(f"{found}; expected at most {self.room:,}; {fix}, or split the file")

    def of(self, assessors: Sequence[str]) -> Ballots:
        """The ballots of some assessors; units are kept, but not the sources, since the files contain more."""
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
            programs=tuple(name for name in self.programs if name in assessors),
            unit=self.unit[kept],
            assessor=place[self.assessor[kept]],
            code=self.code[kept],
            sources=self.sources if tuple(assessors) == self.assessors else (),
        )


def anonymous_ballots(units: Sequence[str], codes: Sequence[Sequence[int]], scale: Scale) -> Ballots:
    """Ballots from lists of codes per unit, from unidentified assessors: slots, not persons."""
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
