"""From features to answers: is it entailed, and if not, is it contradicted where a check says that it may be."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats, Ints
from karat.engines.learning import kernel_machine, logistic
from karat.engines.learning.folds import out_of_fold, stratified
from karat.engines.learning.kernel_machine import KernelMachine
from karat.engines.learning.logistic import Logistic, Platt, fit_platt
from karat.engines.learning.threshold import CONTRADICTION, ENTAILMENT, EVEN, UNDER, UNKNOWN, Codes
from karat.errors import UsageError

Classifier = Literal["both", "logistic", "kernel"]
FOLDS = 10
ODDS = 2.0
"""A kernel machine's margin is near 1 where a logistic one is near 2."""
FEWEST_SEEN = 5
"""Rows that must be left to learn from when a fold is taken out."""
MOST_ROWS = 4000
"""With more rows than this a kernel machine takes too long to learn, and the straight classifier needs no help."""
Rows = Ints


class Judge(msgspec.Struct, frozen=True):
    """A straight and a curved classifier, or one of them; the mean of their margins decides."""

    calibration: Platt
    straight: Logistic | None = None
    curved: KernelMachine | None = None

    def probability(self, features: Floats) -> Floats:
        """How sure it is of yes for each row (rows, features)."""
        return self.calibration.probability(_margin(self.straight, self.curved, features))


def _margin(straight: Logistic | None, curved: KernelMachine | None, features: Floats) -> Floats:
    margins = []
    if straight is not None:
        margins.append(straight.margin(features))
    if curved is not None:
        margins.append(ODDS * curved.margin(features))
    return np.mean(margins, axis=0)


def learn_judge(
    features: Floats, yes: Bools, groups: Rows, classifier: Classifier = "both", seed: int = 0
) -> tuple[Judge, Floats]:
    """A judge under the penalties that do best on unseen rows, and what it says of each row unseen.

    Rows of one group, pairs about the same text, are never on both sides: what is learnt of a text would flatter what
    is foretold of the other pairs about it. Where nearly all are about one text, that cannot be helped.
    """
    if len(yes) > MOST_ROWS:
        if classifier == "kernel":
            raise UsageError(
                f"a kernel machine learns from {MOST_ROWS} pairs at most, not {len(yes)}: classifier=logistic"
            )
        classifier = "logistic"
    codes = np.where(yes, ENTAILMENT, UNKNOWN).astype(np.int8)
    folds = _folds(codes, groups, seed)
    straight = logistic.fit_validated(features, yes, folds) if classifier != "kernel" else None
    curved = kernel_machine.fit(features, yes)[0] if classifier != "logistic" else None

    def foretell(seen: Rows, unseen: Rows) -> Floats:
        known, answers = features[seen], yes[seen]
        line = logistic.fit(known, answers, straight.penalty) if straight else None
        curve = None
        if curved:
            width = curved.width * max(1, sum(scale > 0 for scale in curved.scaling.scales))
            curve = kernel_machine.fit(known, answers, (width,), (curved.penalty,))[0]
        return _margin(line, curve, features[unseen])

    margins = out_of_fold(folds, foretell)
    calibration = fit_platt(margins, codes)
    return Judge(calibration, straight, curved), calibration.probability(margins)


def _folds(codes: Codes, groups: Rows, seed: int) -> Rows:
    """Folds that keep groups together; of rows one by one where too few would be left beside the largest group."""
    names, sizes = np.unique(groups, return_counts=True)
    if len(codes) - sizes.max(initial=0) < FEWEST_SEEN:
        return stratified(codes, min(FOLDS, max(2, len(codes))), seed)
    return stratified(codes, min(FOLDS, len(names)), seed, groups.tolist())


Goal = Literal["accuracy", "macro_f1"]
FEWEST_CONTRADICTIONS = 8
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
    if (codes == CONTRADICTION).sum() < FEWEST_CONTRADICTIONS or (codes == UNKNOWN).sum() < FEWEST_CONTRADICTIONS:
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
