"""Contradiction: one rule for all engines, learnt from the training pairs.

A check must find two expressions of T and H that cannot both hold, or nothing is contradicted. A logistic regression,
learnt over all training pairs, says how likely contradiction then is: by which checks fire, and by how much of H
is in T, without which both may be about different things. From which probability on it is answered is chosen on pairs
that it has not seen, so that more answers come out right than without it; where none would, none is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

import karat.engines.checks  # noqa: F401 - registers the checks
from karat.arrays import Bools, Floats, Ints
from karat.engines.batch import Batch
from karat.engines.checks.base import against, cue, view
from karat.engines.engine import BatchAnswers, Training
from karat.engines.learning.classifiers import Logistic, fit_logistic, fit_validated
from karat.engines.learning.folds import grouped, numbered, one_thread, out_of_fold
from karat.engines.learning.threshold import CONTRADICTION_CODE, UNDER
from karat.labels import THREE

FOLDS = 10
FEWEST, FEWEST_FOUND = 8, 3
"""With fewer contradictions than this among the training pairs, or fewer that a check finds, none is ever answered."""
PRICE = 2 / 3
"""What a pair costs that is no contradiction: about so many of them are answered right where none is."""
DIGITS = 12
"""Decimals that count of a probability: the last bits of a product of matrices depend on the size of the batch."""


def evidence(batch: Batch) -> Floats:
    """What the rule goes by (pairs, features): each check that speaks for contradiction, and the share of H in T."""
    fired = [cue(batch, name).strength.astype(np.float64) for name in names()]
    return np.column_stack([*fired, view(batch).coverage.astype(np.float64)])


def names() -> tuple[str, ...]:
    """The checks that speak for contradiction."""
    return tuple(entry.name for entry in against("contradiction"))


class Contradiction(msgspec.Struct, frozen=True):
    """From which probability on contradiction is answered, where a check fires."""

    rule: Logistic
    bound: float

    def of(self, batch: Batch) -> Bools:
        """Which pairs contradict."""
        seen = evidence(batch)
        return _fired(seen) & (self.rule.probability(seen).round(DIGITS) >= self.bound)


def overrule(answers: BatchAnswers, rule: Contradiction | None, batch: Batch) -> BatchAnswers:
    """The two-way answers of an engine with contradictions among them.

    The likelier they seemed to be entailed but for what speaks against it, the surer that they are not.
    """
    if rule is None:
        return answers
    against = rule.of(batch)
    sure = np.minimum(np.minimum(answers.confidence, 1 - answers.confidence), UNDER)
    codes = np.where(against, CONTRADICTION_CODE, answers.codes).astype(np.int8)
    return replace(answers, codes=codes, confidence=np.where(against, sure, answers.confidence))


def learn(batches: Sequence[Batch], training: Training) -> Contradiction | None:
    """The rule and its bound; None where two ways are asked for, where contradictions that a check finds are too few,
    and where they cost more than they bring on unseen pairs.
    """
    denied = training.codes == CONTRADICTION_CODE
    if training.way is not THREE or denied.sum() < FEWEST:
        return None
    seen = np.concatenate([evidence(batch) for batch in batches])
    fired = _fired(seen)
    if (denied & fired).sum() < FEWEST_FOUND:
        return None
    texts = numbered([text for batch in batches for text in batch.texts])
    with one_thread():
        folds = grouped(denied.astype(np.int8), texts, FOLDS)
        rule = fit_validated(seen, denied, folds)

        def foretell(known: Ints, unseen: Ints) -> Floats:
            return fit_logistic(seen[known], denied[known], rule.penalty).probability(seen[unseen])

        sure = out_of_fold(folds, foretell)
    bound = choose_bound(sure[fired].round(DIGITS), denied[fired])
    return None if bound is None else Contradiction(rule, bound)


def choose_bound(sure: Floats, denied: Bools) -> float | None:
    """The bound that gains most right answers on pairs unseen by the rule; None where none gains any."""
    bounds = np.unique(sure)
    gains = np.array([np.where(denied, 1.0, -PRICE)[sure >= bound].sum() for bound in bounds])
    return float(bounds[gains.argmax()]) if gains.max(initial=0.0) > 0 else None


def _fired(seen: Floats) -> Bools:
    return np.asarray((seen[:, :-1] > 0).any(axis=1))
