"""Features of the checks: what speaks against the hypothesis although its words are in the text."""

from __future__ import annotations

import numpy as np

import karat.engines.checks  # noqa: F401 - files the checks
from karat.arrays import Bools
from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.batch import Batch
from karat.engines.checks.registry import cue, in_order
from karat.registry import Entry

COMMON = ("name", "no_number")


@families.register("checks", asks="what speaks against it although its words are there")
def cues(words: Words) -> Columns:
    """How many checks of either verdict fire, and whether those do that a name or a number is missing.

    A check that fires on a few of some hundred training pairs teaches nothing by itself.
    """
    made = {name: cue(words.batch, name).strength.astype(np.float64) for name in COMMON}
    for verdict in ("contradiction", "unknown"):
        fired = [cue(words.batch, entry.name).fired for entry in against(verdict)]
        made[verdict] = np.sum([np.zeros(len(words)), *fired], axis=0)
    return made


def against(verdict: str = "contradiction") -> list[Entry]:
    """The checks of a verdict."""
    return [entry for entry in in_order() if entry.facts["verdict"] == verdict]


def contradicted(batch: Batch) -> Bools:
    """Where a check speaks for contradiction: nowhere else is it answered."""
    fired = [cue(batch, entry.name).fired for entry in against()]
    return np.any([np.zeros(len(batch), dtype=np.bool_), *fired], axis=0)
