"""From scores and checks to answers: one threshold for entailment, one lower bound for contradiction."""

from __future__ import annotations

import msgspec
import numpy as np

from karat.arrays import Floats
from karat.engines.learning.confidence import UNDER, confidence
from karat.engines.learning.goals import CONTRADICTION, ENTAILMENT, UNKNOWN
from karat.engines.learning.threshold import between, distinct, plateau
from karat.engines.linguistic.checking import Checked
from karat.labels import Codes

Weights = tuple[float, float, float]
"""What a right answer is worth where the key says entailment, unknown, contradiction."""
ALIKE = 1e-9
LOWEST = -0.45
"""The score at which nothing is left of confidence."""
DOUBTED, DENIED = 0.8, 0.4
"""How far from even the confidence in entailment may rise where a check forbids it, or speaks for contradiction: so
much of one half."""


class Decision(msgspec.Struct, frozen=True):
    """What is learnt: from which score on entailment is answered, and from which contradiction, where a check says so.

    Where no pair is contradicted, `contradiction` is `None`.
    """

    entailment: float
    contradiction: float | None = None

    def decide(self, raw: Floats, checked: Checked) -> Codes:
        """Entailment from a score on, unless a check forbids it; contradiction where one says so and T has enough."""
        accepted = (raw - checked.off >= self.entailment) & ~checked.forbidden
        codes = np.where(accepted, ENTAILMENT, UNKNOWN).astype(np.int8)
        if self.contradiction is not None:
            codes[checked.contradicted & (raw >= self.contradiction)] = CONTRADICTION
        return codes

    def confidence(self, raw: Floats, checked: Checked) -> Floats:
        """How sure it is that T entails H: less than even wherever a check forbids it."""
        sure = confidence(raw - checked.off, self.entailment, LOWEST, 1.0)
        limit = np.where(checked.contradicted, DENIED, DOUBTED)
        return np.where(checked.forbidden, np.minimum(sure * limit / 2, UNDER), sure)


def learn(raw: Floats, checked: Checked, codes: Codes, weights: Weights, contradicts: bool) -> Decision:
    """The threshold over the pairs that no check forbids and the bound over those that one contradicts.

    Each pair hangs on one of them, so that both together are the best there are.
    """
    free, cued = ~checked.forbidden, checked.contradicted
    accept, _ = _best_cut((raw - checked.off)[free], codes[free], weights, ENTAILMENT)
    if not contradicts:
        return Decision(accept)
    bound, gain = _best_cut(raw[cued], codes[cued], weights, CONTRADICTION)
    return Decision(accept, bound if gain > ALIKE else None)


def _best_cut(scores: Floats, codes: Codes, weights: Weights, answer: int) -> tuple[float, float]:
    """From which score on an answer rather than unknown gains most, and how much."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    worth = np.asarray(weights)[codes[order]] * ((codes[order] == answer) * 1.0 - (codes[order] == UNKNOWN))
    gain = np.append(np.cumsum(worth[::-1])[::-1], 0.0)
    allowed, cuts = distinct(ordered), between(ordered)
    best = float(np.where(allowed, gain, -np.inf).max())
    return float(cuts[plateau(allowed & (gain >= best - ALIKE), allowed, cuts)]), best
