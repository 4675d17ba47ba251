"""Runs: what a system answered, as its file spells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.data.source import Source
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
    """Ranked by a confidence that the run states, not by the order of its lines."""

    @property
    def title(self) -> str:
        """The name as shown: manual runs are starred."""
        return self.name + "*" * self.manual


@dataclass(frozen=True, eq=False)
class Run:
    """One validated run in the key's order. Pairs that need no answer and have none are coded -1."""

    info: RunInfo
    codes: Codes
    position: NDArray[np.int32]
    """The place of each pair's line in the file."""
    confidence: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None
    justifications: tuple[str, ...] | None
