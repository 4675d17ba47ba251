"""Weights of units and of phenomena, as given in files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats
from karat.data.decomposition import Decomposition
from karat.data.provenance import IN_MEMORY, Source
from karat.errors import Problem


@dataclass(frozen=True, eq=False)
class UnitWeights:
    """P(X = x) over the units of a key, the same for every run; 0 for a unit that is not scored."""

    values: Floats
    source: Source
    warnings: tuple[Problem, ...] = ()


@dataclass(frozen=True, eq=False)
class Relevance:
    """Weights of phenomena by full name (`syntactic:apposition`); 1 for those not named."""

    weights: Mapping[str, float]
    source: Source = IN_MEMORY
    warnings: tuple[Problem, ...] = ()

    def of_pairs(self, decomposition: Decomposition) -> Floats:
        """The weight of every pair (units,): that of its phenomenon, or the mean of several."""
        each = np.array([self.weights.get(str(one), 1.0) for one in decomposition.phenomena])
        number = decomposition.holds.sum(axis=0)
        # Divided before adding, so that a mean cannot overflow.
        parts = np.where(decomposition.holds, each[:, None] / np.maximum(number, 1), 0.0)
        return np.asarray(np.where(number > 0, parts.sum(axis=0), 1.0))
