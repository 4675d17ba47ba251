"""Weights of units, as given in files or by the runs themselves, and of phenomena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat.arrays import Floats
from karat.data.decomposition import Decomposition
from karat.data.pairs import Pairs
from karat.data.provenance import IN_MEMORY, Source
from karat.data.responses import Responses
from karat.errors import NotApplicable, Problem, UsageError
from karat.kernels.ranking import mean_rank_weights, tie_groups

Scheme = Literal["uniform", "linear", "reciprocal", "system"]
"""How units are weighted by each run."""


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


def own_weights(responses: Responses, scheme: Scheme) -> Floats | None:
    """Each run's own weights (runs, units); None if all units weigh the same."""
    if scheme == "uniform":
        return None
    return _stated(responses) if scheme == "system" else _by_rank(responses, scheme)


def _stated(responses: Responses) -> Floats:
    """The weights in each run's weight column."""
    without = [run.info.name for run in responses.runs if run.weights is None]
    if without:
        raise UsageError(f"--weights system: no weight column in {', '.join(without)}")
    return normalised(responses.key, np.stack([run.weights for run in responses.runs if run.weights is not None]))


def _by_rank(responses: Responses, scheme: Scheme) -> Floats:
    """Weights by each run's confidence in its responses, linear or reciprocal in rank; ties share the mean weight."""
    scored = responses.key.labels >= 0
    ranks = np.arange(1, int(scored.sum()) + 1)
    by_rank = ranks[::-1].astype(np.float64) if scheme == "linear" else 1 / ranks
    weights = np.zeros((len(responses), len(responses.key)))
    for run, info in enumerate(responses.infos):
        try:
            scores = responses.rank_scores(run, "response")
        except NotApplicable as reason:
            raise UsageError(f"--weights {scheme}: {info.name}: {reason}") from None
        weights[run, scored] = mean_rank_weights(by_rank / by_rank.sum(), *tie_groups(scores[scored]))
    return weights


def normalised(key: Pairs, weights: Floats) -> Floats:
    """Weights (…, units) that sum to 1 over the scored units."""
    scored = np.where(key.labels >= 0, weights, 0.0)
    scored = scored / scored.max(axis=-1, keepdims=True)  # first, so that the sum of huge weights is finite
    return scored / scored.sum(axis=-1, keepdims=True)
