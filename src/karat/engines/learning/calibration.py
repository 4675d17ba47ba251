"""Confidences that mean what they say: scores to probabilities, fitted on scores of pairs the model had not seen."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.engines.learning.goals import ENTAILMENT, Codes
from karat.engines.learning.newton import minimise, sigmoid


class Platt(msgspec.Struct, frozen=True):
    """The probability of entailment as a logistic curve of the score, never a falling one."""

    slope: float
    intercept: float

    def probability(self, scores: Floats) -> Floats:
        """The probability of entailment at each score."""
        return sigmoid(self.slope * scores + self.intercept)


def fit_platt(scores: Floats, codes: Codes) -> Platt:
    """The most likely logistic curve, with Platt's targets: each class is believed as if one more had been seen.

    Where the scores are no guide, or a false one, the curve is flat: a calibration never turns a ranking round.
    """
    entailed = codes == ENTAILMENT
    positives, negatives = float(entailed.sum()), float((~entailed).sum())
    targets = np.where(entailed, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    centre, scale = (float(scores.mean()), float(scores.std())) if len(scores) else (0.0, 0.0)
    mean = float(targets.mean()) if len(targets) else 0.5
    flat = Platt(0.0, float(np.log(mean / (1 - mean))))
    if scale <= 1e-12 * max(1.0, abs(centre)):
        return flat
    design = np.column_stack([(scores - centre) / scale, np.ones(len(scores))])
    slope, intercept = minimise(design, targets, np.ones(len(scores)), np.zeros(2), np.array([0.0, flat.intercept]))
    return Platt(float(slope / scale), float(intercept - slope * centre / scale)) if slope > 0 else flat
