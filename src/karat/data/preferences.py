"""Preferences: which of two answers, shown side by side, is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from karat.arrays import Bytes, Floats, Int32s, Integers
from karat.data.parameters import checked_noun
from karat.data.provenance import AS_IS, VERDICTS, Source
from karat.errors import Problem, UsageError

LEFT, RIGHT, TIE, BOTH_BAD = range(4)
"""The codes of `VERDICTS`; for the model of preferences, "both bad" is a tie."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Preferences:
    """One row per comparison: which runs stood on the left and on the right, and the verdict (a code).

    `unit` is what both answered, such as a question, and `assessor` who compared; either is None if it is not known.
    """

    runs: tuple[str, ...]
    left: Int32s
    right: Int32s
    verdict: Bytes
    units: tuple[str, ...] = ()
    unit: Int32s | None = None
    assessors: tuple[str, ...] = ()
    assessor: Int32s | None = None
    sources: tuple[Source, ...] = ()
    reading: msgspec.Struct = AS_IS
    warnings: tuple[Problem, ...] = ()

    @classmethod
    def of(
        cls,
        left: Sequence[str],
        right: Sequence[str],
        verdict: Sequence[str],
        unit: Sequence[str] | None = None,
        assessor: Sequence[str] | None = None,
    ) -> Preferences:
        """From names: one run, verdict (left, right, tie or both bad), unit and assessor per comparison."""
        columns = {"left": left, "right": right, "verdict": verdict, "unit": unit, "assessor": assessor}
        lengths = {name: len(column) for name, column in columns.items() if column is not None}
        if len(set(lengths.values())) > 1 or not len(left):
            told = ", ".join(f"{name} {number:,}" for name, number in lengths.items())
            raise UsageError(f"one value per comparison is needed in every column, and at least one; there are {told}")
        runs, both = numbered([*left, *right])
        for name in dict.fromkeys(verdict):
            if name not in VERDICTS:
                raise UsageError.unknown("verdict", str(name), VERDICTS)
        one, other = both[: len(left)], both[len(left) :]
        if (one == other).any():
            raise UsageError(f"{runs[one[one == other][0]]} is compared with itself; a comparison is of two runs")
        units, unit_codes = numbered(unit) if unit is not None else ((), None)
        assessors, assessor_codes = numbered(assessor) if assessor is not None else ((), None)
        codes = np.array([VERDICTS.index(one) for one in verdict], dtype=np.int8)
        return cls(runs, one, other, codes, units, unit_codes, assessors, assessor_codes)

    def __len__(self) -> int:
        return len(self.left)


def numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Int32s]:
    """The different names in order of appearance, and the number of each."""
    place = {name: at for at, name in enumerate(dict.fromkeys(names))}
    return tuple(place), np.fromiter(map(place.__getitem__, names), dtype=np.int32, count=len(names))


def counted_verdicts(size: int, left: Integers, right: Integers, verdict: Integers) -> Floats:
    """Comparisons by the run on the left, the run on the right, and the verdict, with "both bad" as a tie."""
    cell = (left.astype(np.int64) * size + right) * 3 + np.minimum(verdict, TIE)
    return np.bincount(cell, minlength=3 * size * size).reshape(size, size, 3).astype(np.float64)
