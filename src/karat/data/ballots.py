"""Ballots: who said what of which unit, as one long table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Scale:
    """What may be said: the values in order, and what their order means."""

    values: tuple[str, ...]
    level: Literal["nominal", "ordinal", "interval"] = "nominal"


@dataclass(frozen=True, eq=False)
class Ballots:
    """One row a ballot: unit, assessor and code are indices into `units`, `assessors` and `scale.values`.

    `exchangeable` says that assessor slots are arbitrary (the first label of one pair and the first of the
    next are not one person's), so that only symmetric statistics mean anything.
    """

    units: tuple[str, ...]
    assessors: tuple[str, ...]
    scale: Scale
    unit: NDArray[np.int32]
    assessor: NDArray[np.int32]
    code: NDArray[np.int8]
    exchangeable: bool = False

    def __len__(self) -> int:
        return len(self.code)

    def counts(self) -> NDArray[np.int64]:
        """How often each value was given to each unit: (units, values)."""
        width = len(self.scale.values)
        cells = self.unit.astype(np.int64) * width + self.code
        return np.bincount(cells, minlength=len(self.units) * width).reshape(len(self.units), width)


def anonymous_ballots(units: Sequence[str], codes: Sequence[Sequence[int]], scale: Scale) -> Ballots:
    """Ballots from lists of codes a unit, given by whoever was there: slots, not persons."""
    lengths = [len(row) for row in codes]
    slots = max(lengths, default=0)
    return Ballots(
        units=tuple(units),
        assessors=tuple(f"slot {slot + 1}" for slot in range(slots)),
        scale=scale,
        unit=np.repeat(np.arange(len(codes), dtype=np.int32), lengths),
        assessor=np.concatenate([np.arange(0, dtype=np.int32), *(np.arange(n, dtype=np.int32) for n in lengths)]),
        code=np.array([code for row in codes for code in row], dtype=np.int8),
        exchangeable=True,
    )
