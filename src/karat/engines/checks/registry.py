"""The registry of checks, and what a check says of a batch.

A check looks at all pairs of a batch at once and says of each whether it fires, how sure it is, and which token of T
and which of H decide. The linguistic engine asks them in the order of their `rank`; the aligner takes them as features
and answers CONTRADICTION only where one of that verdict fires; justifications take their words from `says`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from karat.arrays import Bools, Int32s, Singles
from karat.engines.batch import Batch
from karat.registry import Entry, Registry

Verdict = Literal["contradiction", "unknown"]

checks = Registry("check", "rank", "verdict", "says")
"""rank: its place in the order; verdict: what it speaks for; says: a sentence with {t} and {h}, the deciding spans."""


@dataclass(frozen=True, eq=False)
class Cue:
    """What a check found: its strength for each pair (0: it does not fire), and the deciding places in T and H."""

    strength: Singles
    t: Int32s
    """The place in T of the deciding token; -1 where it does not fire or none is to be shown."""
    h: Int32s

    @property
    def fired(self) -> Bools:
        """Where the check fires."""
        return self.strength > 0


def silent(many: int) -> Cue:
    """A check that fires nowhere."""
    return Cue(np.zeros(many, dtype=np.float32), np.full(many, -1, dtype=np.int32), np.full(many, -1, dtype=np.int32))


def in_order() -> list[Entry]:
    """All checks by rank."""
    return sorted(checks, key=lambda entry: cast(int, entry.facts["rank"]))


def cue(batch: Batch, name: str) -> Cue:
    """What a check says of a batch, worked out once; nothing where it is switched off."""
    if name not in batch.cues:
        off = name in batch.knowledge.without
        function = cast(Callable[[Batch], Cue], checks[name].function)
        batch.cues[name] = silent(len(batch)) if off else function(batch)
    found: Cue = batch.cues[name]
    return found
