"""The codes of the labels, and the probability of entailment by one score."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.engines.engine import BatchAnswers
from karat.engines.learning.classifiers import minimise, sigmoid
from karat.labels import Codes

DIGITS = 9
"""Decimals kept of what is learnt: fewer than are exact, so that a model is the same however many threads fitted it."""
NEAR = 0.12
"""How far from a threshold scores are near it, in standard deviations; of four widths tried all did about as well."""
CUTS = 400
"""Thresholds that are tried."""
EVEN = 0.5
UNDER = float(np.nextafter(EVEN, 0.0))
"""The most confidence in entailment that a pair not answered entailment can have."""


ENTAILMENT_CODE, UNKNOWN_CODE, CONTRADICTION_CODE = 0, 1, 2
"""The codes of the labels."""


class ScoreCurve(msgspec.Struct, frozen=True):
    """The probability of entailment as a logistic curve of a score; it never falls, and from even on it is answered."""

    slope: float
    intercept: float

    def probability(self, scores: Floats) -> Floats:
        """The probability of entailment at each score."""
        return sigmoid(self.slope * scores + self.intercept)

    def decide(self, scores: Floats, otherwise: int = UNKNOWN_CODE) -> BatchAnswers:
        """Entailment where it is at least even, and something else where it is not."""
        sure = self.probability(scores)
        return BatchAnswers(np.where(sure >= EVEN, ENTAILMENT_CODE, otherwise).astype(np.int8), sure)


def fit_curve(scores: Floats, codes: Codes) -> ScoreCurve:
    """How likely entailment is by a score, even where most training pairs come out right.

    Pairs near a threshold count by how far they are beyond it, so that no single pair picks it.
    """
    if not np.isfinite(scores).all():
        raise ValueError("scores must be finite: leave out the pairs that have none")
    curve = fit_likeliest(scores, codes)
    if curve.slope == 0:
        return curve
    near = NEAR * float(scores.std())
    cuts = np.linspace(scores.min() - near, scores.max() + near, CUTS)
    worth = np.where(codes == ENTAILMENT_CODE, 1.0, -1.0)
    gains = [float((sigmoid((scores - cut) / near) * worth).sum().round(DIGITS)) for cut in cuts]
    return ScoreCurve(curve.slope, -(curve.slope * float(cuts[int(np.argmax(gains))])))


def fit_likeliest(scores: Floats, codes: Codes) -> ScoreCurve:
    """The most likely logistic curve, with Platt's targets: each class is believed as if one more had been seen.

    Where the scores are no guide, or a false one, the curve is flat: no ranking is turned round.
    """
    entailed = codes == ENTAILMENT_CODE
    positives, negatives = float(entailed.sum()), float((~entailed).sum())
    targets = np.where(entailed, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    centre, scale = (float(scores.mean()), float(scores.std())) if len(scores) else (0.0, 0.0)
    mean = float(targets.mean()) if len(targets) else EVEN
    flat = ScoreCurve(0.0, float(np.log(mean / (1 - mean))))
    if scale <= 1e-12 * max(1.0, abs(centre)):
        return flat
    design = np.column_stack([(scores - centre) / scale, np.ones(len(scores))])
    slope, intercept = minimise(design, targets, np.zeros(2), np.array([0.0, flat.intercept])).round(DIGITS)
    return ScoreCurve(float(slope / scale), float(intercept - slope * centre / scale)) if slope > 0 else flat


def fit_first_best(scores: Floats, codes: Codes) -> ScoreCurve:
    """A curve that is even at the first best distance of the sorted training distances, as the Excitement platform
    sweeps: scores are distances turned round.

    Faithful to it in two oddities: pairs of equal distance are counted one by one in their given order, so what is best
    may be what no threshold reaches; and where answering no entailment at all is best, the threshold is distance 0.
    """
    order = np.argsort(-scores, kind="stable")
    gains = np.cumsum(np.where((codes == ENTAILMENT_CODE)[order], 1, -1))
    best = int(np.argmax(gains)) if len(gains) and gains.max() > 0 else -1
    threshold = float(scores[order[best]]) if best >= 0 else 0.0
    slope = fit_likeliest(scores, codes).slope or 1.0
    return ScoreCurve(slope, -(slope * threshold))
