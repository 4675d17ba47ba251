"""Stage two: the checks in their order; the first that fires takes its weight off the score."""

from __future__ import annotations

import numpy as np

from karat.engines.batch import Batch
from karat.engines.checks.registry import cue, in_order
from karat.engines.checks.view import Bools
from karat.engines.linguistic.structures import Floats

VETO = 0.45
"""What a check takes off that speaks for contradiction."""
DOWNGRADE = 0.15
"""What others take off, if they have no weight of their own."""
WEIGHTS = {
    "date": 0.45, "no_number": 0.225, "part": 0.225, "condition": 0.225, "question": 0.225, "other_name": 0.225,
    "quantifier": 0.225, "modality": 0.075, "future": 0.075, "restriction": 0.0, "kind": 0.0,
}  # fmt: skip
"""Weights that differ: chosen by cross-validation on development sets; where a check fires on entailments as often as
on others it explains and takes nothing off."""


def weight(name: str, verdict: str) -> float:
    """What a check takes off the score where it is the first to fire."""
    return WEIGHTS.get(name, VETO if verdict == "contradiction" else DOWNGRADE)


def taken_off(batch: Batch) -> tuple[Floats, Bools]:
    """What the first check that fires takes off each pair's score, and where one speaks for contradiction."""
    off, contradicted = np.zeros(len(batch)), np.zeros(len(batch), dtype=bool)
    for entry in reversed(in_order()):
        verdict, fired = str(entry.facts["verdict"]), cue(batch, entry.name).fired
        worth = weight(entry.name, verdict)
        if worth:
            off[fired] = worth
        if verdict == "contradiction":
            contradicted |= fired
    return off, contradicted
