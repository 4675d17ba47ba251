"""Thresholds as two published edit-distance systems learn them, for the presets that are to be faithful to them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats
from karat.engines.learning.goals import ENTAILMENT, Codes, Goal, accepted_values
from karat.engines.learning.threshold import Threshold, cut_values

KEPT = 15
"""How many of the best thresholds the most stable one is chosen from."""
MANY = 25
"""Up to so many candidates all are kept."""


def learn_first_best(scores: Floats, codes: Codes, goal: Goal = "accuracy") -> Threshold:
    """The first best distance of the sorted training distances, as the Excitement platform sweeps.

    Faithful to it in two oddities: pairs of equal distance are counted one by one in their given order, so the value
    may be one that no threshold reaches; and where answering no entailment at all is best, the threshold is distance 0.
    """
    order = np.argsort(-scores, kind="stable")
    values = cut_values((codes == ENTAILMENT)[order[::-1]], goal)[::-1]
    best = int(np.argmax(values))
    return Threshold(float(scores[order[best - 1]]) if best else 0.0, float(values[best]), goal)


def learn_stable(scores: Floats, codes: Codes, folds: NDArray[np.int64], goal: Goal = "accuracy") -> Threshold:
    """Of the best training scores, the one whose goal differs least from fold to fold, as EDITS 3 means to choose.

    Its candidates are the training scores themselves, and a pair must be beyond one to be entailed. Equally stable
    candidates go by value, then by the smaller distance.
    """
    candidates, entailed = np.unique(scores)[::-1], codes == ENTAILMENT
    accepted = scores > candidates[:, None]
    values = accepted_values(goal, accepted, entailed)
    kept = np.argsort(-values, kind="stable")[: KEPT if len(values) > MANY else None]
    parts = [
        accepted_values(goal, accepted[kept][:, folds == fold], entailed[folds == fold]) for fold in np.unique(folds)
    ]
    instability = spread(np.array(parts))
    # Sums of equal differences may differ in the last bits.
    chosen = kept[int(np.argmax(instability <= instability.min() + 1e-12))]
    return Threshold(float(np.nextafter(candidates[chosen], np.inf)), float(values[chosen]), goal)


def spread(values: Floats) -> Floats:
    """The sum of |a − b| over all pairs of values along the first axis."""
    rank = np.arange(len(values), dtype=np.float64)
    return np.tensordot(2 * rank - len(values) + 1, np.sort(values, axis=0), axes=1)
