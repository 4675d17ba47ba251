"""Ratings: numbers given by assessors to runs' answers, on one criterion or several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from karat.arrays import Bools, Floats, Int32s
from karat.data.criteria import Criterion
from karat.data.parameters import checked_noun
from karat.data.provenance import AS_IS, IN_MEMORY, Source
from karat.errors import Problem, UsageError

MAX_CELLS = 1 << 23
"""The most assessors × units × runs: a few ratings can name many of each."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Ratings:
    """One row per rated answer: run, unit and assessor are indices; `values` is (rows, criteria), NaN if not rated.

    If `scales` are declared, the ratings conform to them: a criterion that was not asked has no value. `skipped` rows
    are those of an assessor who declined to rate the unit. `exchangeable` assessors are slots: the first of one unit
    and the first of the next are different people.
    """

    runs: tuple[str, ...]
    units: tuple[str, ...]
    assessors: tuple[str, ...]
    criteria: tuple[str, ...]
    run: Int32s
    unit: Int32s
    assessor: Int32s
    values: Floats
    scales: tuple[Criterion, ...] = ()
    skipped: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """One value per row if scales are declared."""
    exchangeable: bool = False
    sources: tuple[Source, ...] = ()
    reading: msgspec.Struct = AS_IS
    places: tuple[tuple[str, int | None], ...] = ()
    """File and line of each row."""
    warnings: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, keys: Sequence[tuple[str, str, str]], criteria: Sequence[str], values: Floats, **rest: Any) -> Ratings:
        """From run, unit and assessor of every row by name; names are in order of appearance."""
        columns = list(zip(*keys, strict=True)) or [(), (), ()]
        places = [{name: at for at, name in enumerate(dict.fromkeys(column))} for column in columns]
        index = [
            np.array([place[name] for name in column], dtype=np.int32)
            for place, column in zip(places, columns, strict=True)
        ]
        rest.setdefault("skipped", np.zeros(len(keys), dtype=bool))
        rest.setdefault("places", (("ratings in memory", None),) * len(keys))
        (runs, units, assessors), (run, unit, assessor) = map(tuple, places), index
        return cls(runs, units, assessors, tuple(criteria), run, unit, assessor, values, **rest)

    def __len__(self) -> int:
        return len(self.run)

    def criterion(self, name: str) -> Floats:
        """One criterion for every row."""
        if name not in self.criteria:
            raise UsageError.unknown("criterion", name, self.criteria)
        return self.values[:, self.criteria.index(name)]

    def means(self, values: Floats) -> Floats:
        """The mean of one number per row over the units that each assessor rated (assessors, runs); NaN for none."""
        cell = self.assessor.astype(np.int64) * len(self.runs) + self.run
        size = len(self.assessors) * len(self.runs)
        known = ~np.isnan(values)
        sums = np.bincount(cell[known], values[known], minlength=size)
        counts = np.bincount(cell[known], minlength=size)
        means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
        return means.reshape(len(self.assessors), len(self.runs))

    def cube(self, values: Floats) -> Floats:
        """One number per row as (assessors, units, runs); NaN if there is no row."""
        shape = (len(self.assessors), len(self.units), len(self.runs))
        if math.prod(shape) > MAX_CELLS:
            found = "{:,} assessors times {:,} units times {:,} runs".format(*shape)
            raise UsageError(f"{found} are {math.prod(shape):,} cells; expected at most {MAX_CELLS:,}; leave some out")
        made = np.full(shape, np.nan)
        made[self.assessor, self.unit, self.run] = values
        return made

    def not_asked(self, scale: Criterion) -> Bools:
        """The rows for which the criterion was not asked, because another was rated too low, or not asked itself."""
        if scale.asked_if is None:
            return np.zeros(len(self), dtype=bool)
        other = next(one for one in self.scales if one.name == scale.asked_if)
        return np.asarray((self.criterion(other.name) < scale.at_least) | self.not_asked(other))


@checked_noun
@dataclass(frozen=True, eq=False)
class Judges:
    """What is known about the assessors: attributes (mathematical training), and their closing remarks."""

    names: tuple[str, ...]
    attributes: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    summaries: tuple[str | None, ...] = ()
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "summaries", self.summaries or (None,) * len(self.names))
        for what, values in {**self.attributes, "summaries": self.summaries}.items():
            if len(values) != len(self.names):
                raise UsageError(f"Judges: {what} has {len(values)} values for {len(self.names)} names; give one each")

    def attribute(self, name: str) -> dict[str, str | None]:
        """The value of an attribute for every judge."""
        if name not in self.attributes:
            raise UsageError.unknown("attribute of the judges", name, self.attributes)
        return dict(zip(self.names, self.attributes[name], strict=True))
