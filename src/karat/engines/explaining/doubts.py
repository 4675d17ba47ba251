"""Whether T denies, or only supposes, what a stretch of it speaks of: such a stretch is not quoted as saying that H."""

from __future__ import annotations

from karat.engines.batch import Batch
from karat.engines.checks.registry import Cue, cue, in_order
from karat.engines.explaining.quoting import Pair, Range, Words
from karat.engines.text.vocabulary import Flag

HEDGES = ("modality", "attitude", "condition", "future", "question", "alleged")
"""Checks that find what is said without being said to be so."""
_NEGATION = int(Flag.NEGATION)


class Doubts:
    """What speaks against taking a stretch of T at its word; it keeps justifications from claiming too much.

    All checks are asked, also by engines whose answers rest on none: nothing of what they find is said.
    """

    def __init__(self, batch: Batch) -> None:
        self._cues: list[Cue] = [
            cue(batch, entry.name)
            for entry in in_order()
            if entry.facts["verdict"] == "contradiction" or entry.name in HEDGES
        ]

    def on(self, pair: Pair, run: Range) -> bool:
        """Whether the sentences of a stretch of T are denied, or hedged, where H is not."""
        if _denies(pair.t, run) != _denies(pair.h, (0, len(pair.h) - 1)):
            return True
        first, last = pair.t.sentences[run[0]], pair.t.sentences[run[1]]
        for found in self._cues:
            if found.strength[pair.place] > 0:
                place = int(found.t[pair.place])
                if place < 0 or first <= pair.t.sentences[place] <= last:
                    return True
        return False


def _denies(words: Words, run: Range) -> bool:
    return any(words.flags[place] & _NEGATION for place in range(run[0], run[1] + 1))
