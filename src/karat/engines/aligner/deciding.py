"""From features to answers: is it entailed, and if not, is it contradicted where a check says that it may be."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats
from karat.engines.aligner.judging import Classifier, Judge, Rows, learn_judge
from karat.engines.learning.confidence import EVEN, UNDER
from karat.engines.learning.goals import CONTRADICTION, ENTAILMENT, UNKNOWN, Codes

Goal = Literal["accuracy", "macro_f1"]
LEAST = 8
"""With fewer contradictions than this among the training pairs none is ever answered."""
DIGITS = 12
"""Decimals that count of a probability."""
TRIED = 200
"""Operating points that are tried."""


class Decider(msgspec.Struct, frozen=True):
    """Entailment from even odds on; contradiction where a check fires and the odds of it reach `cut`."""

    entails: Judge
    contradicts: Judge | None = None
    """Contradiction against unknown, of pairs that are not entailed."""
    cut: float | None = None
    """None: contradiction is never answered."""

    def decide(self, features: Floats, fired: Bools) -> tuple[Codes, Floats]:
        """Three-way codes, and how sure it is that T entails H: below even wherever entailment is not answered."""
        # The last bits of a product of matrices depend on how many pairs are in the batch.
        sure = self.entails.probability(features).round(DIGITS)
        codes = np.where(sure >= EVEN, ENTAILMENT, UNKNOWN).astype(np.int8)
        if self.contradicts is not None and self.cut is not None:
            contradicted = self.contradicts.probability(features).round(DIGITS)
            against = fired & (odds(sure, contradicted) >= self.cut)
            codes[against] = CONTRADICTION
            sure = np.where(against, np.minimum(np.minimum(sure, 1 - sure), UNDER), sure)
        return codes, sure


def odds(entailed: Floats, contradicted: Floats) -> Floats:
    """How much likelier contradiction is than the likelier of the other two answers."""
    against = (1 - entailed) * contradicted
    return against / np.maximum(np.maximum(entailed, (1 - entailed) * (1 - contradicted)), 1e-12)


def learn(
    features: Floats,
    codes: Codes,
    fired: Bools,
    groups: Rows,
    goal: Goal = "accuracy",
    classifier: Classifier = "both",
    seed: int = 0,
) -> Decider:
    """Learn to decide from labelled pairs; of two-way codes nothing is learnt of contradiction."""
    entails, sure = learn_judge(features, codes == ENTAILMENT, groups, classifier, seed)
    rest = np.flatnonzero(codes != ENTAILMENT)
    if (codes == CONTRADICTION).sum() < LEAST or (codes == UNKNOWN).sum() < LEAST:
        return Decider(entails)
    contradicts, unseen = learn_judge(features[rest], codes[rest] == CONTRADICTION, groups[rest], "logistic", seed)
    # Entailed pairs had no part in the second judge: what it says of them is said of pairs unseen.
    against = contradicts.probability(features)
    against[rest] = unseen
    return Decider(entails, contradicts, choose_cut(odds(sure, against), sure >= EVEN, codes, fired, goal))


def choose_cut(scores: Floats, entailed: Bools, codes: Codes, fired: Bools, goal: Goal) -> float | None:
    """The operating point of contradiction that serves the goal best on unseen pairs; None where none is better."""
    answers = np.where(entailed, ENTAILMENT, UNKNOWN)
    candidates = np.unique(scores[fired])[::-1]
    if len(candidates) > TRIED:
        candidates = candidates[np.linspace(0, len(candidates) - 1, TRIED).astype(np.int64)]
    best, chosen = _value(answers, codes, goal), None
    for cut in candidates.tolist():
        value = _value(np.where(fired & (scores >= cut), CONTRADICTION, answers), codes, goal)
        if value > best + 1e-12:
            best, chosen = value, cut
    return chosen


def _value(answers: NDArray[np.integer], codes: Codes, goal: Goal) -> float:
    """What answers are worth: the share that is right, or the mean F1 of the three labels."""
    if goal == "accuracy":
        return float((answers == codes).mean())
    right = np.bincount(codes[answers == codes], minlength=3)
    asked, given = np.bincount(codes, minlength=3), np.bincount(answers, minlength=3)
    return float(np.mean(2 * right / np.maximum(asked + given, 1)))
