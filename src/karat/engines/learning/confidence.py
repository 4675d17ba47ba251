"""How sure it is that entailment holds, from 0 to 1."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools, Floats

EVEN = 0.5
UNDER = float(np.nextafter(EVEN, 0.0))
"""The most confidence in entailment that a pair not answered entailment can have."""


def confidence(
    scores: Floats,
    threshold: Floats | float,
    lowest: float = 0.0,
    highest: float = 1.0,
    contradicted: Bools | None = None,
) -> Floats:
    """How sure entailment is: ½ at the threshold, 0 at the lowest score, 1 at the highest, straight in between.

    Never falls as the score grows, and is ½ or more exactly where entailment is answered, so a run can be cut by it.
    Pairs that are contradicted whatever their score are less than even; of those, the likelier they seemed to be
    entailed but for their contradiction, the surer that they are not.
    """
    scores, threshold = np.broadcast_arrays(np.asarray(scores, np.float64), np.asarray(threshold, np.float64))
    up, down = highest - threshold, threshold - lowest
    # Clipped before it is divided: a threshold may lie all but at an end, and then shares of it overflow.
    above = np.divide(np.clip(scores - threshold, 0.0, up), up, out=np.ones(scores.shape), where=up > 0)
    below = np.divide(np.clip(scores - lowest, 0.0, down), down, out=np.zeros(scores.shape), where=down > 0)
    sure = np.where(scores >= threshold, EVEN + above / 2, np.minimum(below / 2, UNDER))
    if contradicted is None:
        return sure
    return np.where(contradicted, np.minimum(np.minimum(sure, 1 - sure), UNDER), sure)
