"""Stage two: the checks in their order; what they take off the score, what they forbid, what they contradict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats
from karat.engines.batch import Batch
from karat.engines.checks.registry import cue, in_order

SURE = 1.0
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
            forbidden |= found.strength >= SURE
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
