"""Confidences that mean what they say: scores to probabilities, fitted on scores of pairs the model had not seen."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.engines.learning.goals import ENTAILMENT, Codes, Floats
from karat.engines.learning.newton import minimise, sigmoid


class Platt(msgspec.Struct, frozen=True):
    """The probability of entailment as a logistic curve of the score, never a falling one."""

    slope: float
    intercept: float

    def probability(self, scores: Floats) -> Floats:
        """The probability of entailment at each score."""
        return sigmoid(self.slope * scores + self.intercept)


class Isotonic(msgspec.Struct, frozen=True):
    """The probability of entailment as steps that never fall, with straight lines between the steps."""

    scores: tuple[float, ...]
    values: tuple[float, ...]

    def probability(self, scores: Floats) -> Floats:
        """The probability of entailment at each score; beyond the training scores that of the nearest."""
        return np.interp(scores, self.scores, self.values)


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


def fit_isotonic(scores: Floats, codes: Codes) -> Isotonic:
    """The never falling steps nearest to the truth of the training pairs, by pooling neighbours that fall."""
    if not len(scores):
        return Isotonic((0.0,), (0.5,))
    places, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    means = np.bincount(where, weights=codes == ENTAILMENT) / counts
    heights: list[float] = []
    weights: list[int] = []
    lengths: list[int] = []
    for height, weight in zip(means.tolist(), counts.tolist(), strict=True):
        length = 1
        while heights and heights[-1] >= height:
            before = weights.pop()
            height = (heights.pop() * before + height * weight) / (before + weight)
            weight, length = weight + before, length + lengths.pop()
        heights.append(height)
        weights.append(weight)
        lengths.append(length)
    # A step is kept as its two ends, which is all that straight lines need.
    ends = np.cumsum(lengths)
    knots = np.unique(np.concatenate([ends - lengths, ends - 1]))
    values = np.repeat(heights, lengths)
    return Isotonic(tuple(places[knots].tolist()), tuple(values[knots].tolist()))
