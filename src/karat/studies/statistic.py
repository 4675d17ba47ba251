"""Statistics of runs as functions of weights over units: what every resampling study takes.

`Statistic`: weights (…, units) → values (…, runs). A bootstrap is a leading axis of the weights; a cluster is a set of
units that share theirs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from karat.arrays import Floats
from karat.data.orders import Order
from karat.data.responses import Responses
from karat.labels import Way
from karat.registry import Bound

Statistic = Callable[[Floats], Floats]


def of_measure(runs: Responses, measure: Bound, way: Way) -> Statistic:
    """A measure of tables or rankings, recomputed under weights; weights are over the scored units of the key."""
    scored = runs.key_codes(way) >= 0
    if measure.facts["of"] is Order:
        rankings = [runs.ranking(run, measure.facts["ranked_by"], way) for run in range(len(runs))]
        return lambda weights: np.stack([measure(ranking.count(weights)) for ranking in rankings], axis=-1)

    def recompute(weights: Floats) -> Floats:
        whole = np.zeros((*weights.shape[:-1], len(scored)))
        whole[..., scored] = weights
        return measure(runs.count(way, whole))

    return recompute
