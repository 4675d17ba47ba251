"""What a threshold is chosen for: accuracy, F1 of entailment, or balanced accuracy, from counts."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Floats

Codes = NDArray[np.int8]
Goal = Literal["accuracy", "f1", "balanced"]
GOALS: tuple[Goal, ...] = ("accuracy", "f1", "balanced")
ENTAILMENT, UNKNOWN, CONTRADICTION = 0, 1, 2


def goal_values(goal: Goal, right: Floats, wrong: Floats, positives: Floats, negatives: Floats) -> Floats:
    """The goal where `right` of the positives and `wrong` of the negatives are answered entailment.

    Each is one division of whole numbers, so that equally good thresholds have equal values to the last bit. Of nothing
    the value is 0; balanced accuracy where one class is absent is the share of the other that is right.
    """
    left = negatives - wrong
    if goal == "accuracy":
        above, below = right + left, positives + negatives
    elif goal == "f1":
        above, below = 2 * right, right + wrong + positives
    else:
        one, other = np.where(negatives > 0, negatives, 1.0), np.where(positives > 0, positives, 1.0)
        classes = (positives > 0).astype(np.float64) + (negatives > 0)
        above, below = right * one + left * other, one * other * classes
    return above / np.maximum(below, 1.0)  # where nothing is counted below, nothing is above


def accepted_values(goal: Goal, accepted: NDArray[np.bool_], entailed: NDArray[np.bool_]) -> Floats:
    """The goal of every row of answers (…, pairs), true where entailment is answered."""
    right = (accepted & entailed).sum(axis=-1, dtype=np.float64)
    wrong = accepted.sum(axis=-1, dtype=np.float64) - right
    positives = np.broadcast_to(entailed.sum(axis=-1, dtype=np.float64), right.shape)
    return goal_values(goal, right, wrong, positives, entailed.shape[-1] - positives)
