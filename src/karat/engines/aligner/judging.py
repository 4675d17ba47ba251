"""A judge: classifiers of yes and no over features, together, and what they are worth on pairs they had not seen."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Floats
from karat.engines.learning import kernel_machine, logistic
from karat.engines.learning.calibration import Platt, fit_platt
from karat.engines.learning.folds import out_of_fold, stratified
from karat.engines.learning.goals import ENTAILMENT, UNKNOWN, Codes
from karat.engines.learning.kernel_machine import KernelMachine
from karat.engines.learning.logistic import Logistic
from karat.errors import UsageError

Classifier = Literal["both", "logistic", "kernel"]
FOLDS = 10
ODDS = 2.0
"""A kernel machine's margin is near 1 where a logistic one is near 2."""
SEEN = 5
"""Rows that must be left to learn from when a fold is taken out."""
MOST = 4000
"""With more rows than this a kernel machine takes too long to learn, and the straight classifier needs no help."""
Rows = NDArray[np.int64]


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
    if len(yes) > MOST:
        if classifier == "kernel":
            raise UsageError(f"a kernel machine learns from {MOST} pairs at most, not {len(yes)}: classifier=logistic")
        classifier = "logistic"
    codes = np.where(yes, ENTAILMENT, UNKNOWN).astype(np.int8)
    folds = _folds(codes, groups, seed)
    straight = logistic.fit_validated(features, yes, folds)[0] if classifier != "kernel" else None
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
    if len(codes) - sizes.max(initial=0) < SEEN:
        return stratified(codes, min(FOLDS, max(2, len(codes))), seed)
    return stratified(codes, min(FOLDS, len(names)), seed, groups.tolist())
