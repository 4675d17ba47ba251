"""Weights over units: uniform, given, or by a run's own ranking of its answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.data.responses import Responses
from karat.errors import NotApplicable, UsageError
from karat.kernels.ranking import mean_rank_weights, tie_groups

Floats = NDArray[np.float64]

RANK_WEIGHTS = ("linear", "reciprocal")


def given_weights(responses: Responses, weights: dict[str, float]) -> Floats:
    """Weights by id, normalised to sum to 1 over the scored units."""
    missing = [name for name in responses.key.ids if name not in weights]
    stray = [name for name in weights if name not in responses.key.index]
    if missing or stray:
        raise UsageError(
            f"weights must name every pair: {len(missing)} missing {missing[:5]}, {len(stray)} unknown {stray[:5]}"
        )
    return _normalised(responses, np.array([weights[name] for name in responses.key.ids], dtype=np.float64))


def system_weights(responses: Responses) -> Floats:
    """The weights that each run states itself: (runs, units)."""
    rows = []
    for run in responses.runs:
        if run.weights is None:
            raise UsageError(f"{run.info.name} has no weight column; every run needs one for --weights system")
        rows.append(_normalised(responses, run.weights))
    return np.stack(rows)


def rank_weights(responses: Responses, scheme: str) -> Floats:
    """Weights (runs, units) by each run's confidence in its responses; tied units share the mean weight."""
    scored = responses.key.labels >= 0
    ranks = np.arange(1, int(scored.sum()) + 1)
    by_rank = 2 * ranks[::-1] / (len(ranks) * (len(ranks) + 1)) if scheme == "linear" else 1 / ranks
    by_rank = by_rank / by_rank.sum()
    weights = np.zeros((len(responses), len(responses.key)))
    for run, info in enumerate(responses.infos):
        try:
            scores = responses.rank_scores(run, "response")
        except NotApplicable as reason:
            raise UsageError(f"--weights {scheme}: {info.name}: {reason}") from None
        weights[run, scored] = mean_rank_weights(by_rank, *tie_groups(scores[scored]))
    return weights


def _normalised(responses: Responses, weights: Floats) -> Floats:
    weights = np.where(responses.key.labels >= 0, weights, 0.0)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        raise UsageError("weights must be finite, not negative, and not all zero")
    normalised: Floats = weights / weights.sum()
    return normalised
