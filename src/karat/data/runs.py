"""Runs: the answers of a system, aligned with the key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from karat.arrays import Floats, Int32s
from karat.data.provenance import Source
from karat.labels import Codes, Way

RankedBy = Literal["entailment", "response"]


@dataclass(frozen=True)
class RunInfo:
    """A run without its answers."""

    name: str
    way: Way
    source: Source
    manual: bool = False
    ranked_by: RankedBy | None = None
    numeric: bool = False
    """Whether it is ranked by a stated confidence and not by the order of its lines."""

    @property
    def title(self) -> str:
        """The name as shown, with a star for manual runs."""
        return self.name + "*" * self.manual


@dataclass(frozen=True, eq=False)
class Run:
    """One validated run in the key's order. Pairs that need no answer and have none are coded -1."""

    info: RunInfo
    codes: Codes
    position: Int32s
    """The position of each pair's line in the file."""
    confidence: Floats | None
    weights: Floats | None
    justifications: tuple[str, ...] | None
