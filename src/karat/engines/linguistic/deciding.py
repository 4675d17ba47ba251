"""The checks in their order, and from scores and checks to answers: one threshold, and one bound for contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from karat.arrays import Bools, Floats
from karat.engines.batch import Batch
from karat.engines.checks.base import cue, in_order
from karat.engines.learning.threshold import (
    CONTRADICTION,
    ENTAILMENT,
    UNDER,
    UNKNOWN,
    between,
    confidence,
    distinct,
    plateau,
)
from karat.labels import Codes

FORBIDS_FROM = 1.0
"""The strength from which on a check forbids entailment, if it is one that may."""
FORBIDS = frozenset(
    ("attitude", "modality", "condition", "question", "future", "quantifier", "former", "alleged", "date")
)
"""Checks that forbid entailment where they are sure, beside all that speak for contradiction."""
DOWNGRADE = 0.15
"""What a check takes off, if it has no weight of its own."""
WEIGHTS = {
    "no_number": 0.225, "part": 0.225, "condition": 0.225, "question": 0.225, "other_name": 0.225,
    "quantifier": 0.225, "modality": 0.075, "future": 0.075, "restriction": 0.0, "kind": 0.0,
}  # fmt: skip
"""Weights that differ: chosen by cross-validation on development sets; where a check fires on entailments as often as
on others it explains and takes nothing off."""


@dataclass(frozen=True, eq=False)
class Checked:
    """What the checks say of each pair."""

    off: Floats
    """What the first check that fires takes off the score."""
    forbidden: Bools
    """Where one is so sure that the pair is no entailment, whatever its score."""
    contradicted: Bools
    """Where one speaks for contradiction."""


def weight(name: str) -> float:
    """What a check takes off the score where it is the first to fire."""
    return WEIGHTS.get(name, DOWNGRADE)


def check(batch: Batch) -> Checked:
    """All checks together, for each pair."""
    off = np.zeros(len(batch))
    forbidden, contradicted = np.zeros(len(batch), dtype=bool), np.zeros(len(batch), dtype=bool)
    for entry in reversed(in_order()):
        found = cue(batch, entry.name)
        if worth := weight(entry.name):
            off[found.fired] = worth
        if entry.facts["verdict"] == "contradiction":
            contradicted |= found.fired
        elif entry.name in FORBIDS:
            forbidden |= found.strength >= FORBIDS_FROM
    return Checked(off, forbidden | contradicted, contradicted)


def join(parts: Sequence[Checked]) -> Checked:
    """What the checks say of several batches, as of one."""
    return Checked(
        np.concatenate([part.off for part in parts]),
        np.concatenate([part.forbidden for part in parts]),
        np.concatenate([part.contradicted for part in parts]),
    )


def grounds() -> tuple[str, ...]:
    """The checks that answers rest on: those that take something off or forbid."""
    return tuple(
        entry.name
        for entry in in_order()
        if weight(entry.name) or entry.name in FORBIDS or entry.facts["verdict"] == "contradiction"
    )


Weights = tuple[float, float, float]
"""What a right answer is worth where the key says entailment, unknown, contradiction."""
ALIKE = 1e-9
LOWEST = -0.45
"""The score at which nothing is left of confidence."""
DOUBTED, DENIED = 0.8, 0.4
"""How far from even the confidence in entailment may rise where a check forbids it, or speaks for contradiction: so
much of one half."""


def balanced_weights(codes: Codes) -> Weights:
    """Weights under which every class of the key counts alike, however rare it is."""
    counts = np.bincount(codes, minlength=3)
    shares = np.where(counts > 0, len(codes) / np.maximum(counts, 1) / 3, 0.0)
    return float(shares[0]), float(shares[1]), float(shares[2])


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
