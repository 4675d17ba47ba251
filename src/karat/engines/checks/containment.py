"""Checks of wholes and kinds: T speaks of the whole or of the kind, H of a part or of one kind among others."""

from __future__ import annotations

import numpy as np

from karat.engines.batch import Batch
from karat.engines.checks.base import Cue, checks, view
from karat.engines.kernels.opposed import find_reversed
from karat.engines.lexicon.relations import Relation

HELD_LOOSELY = 0.6


@checks.register("part", rank=37, verdict="unknown", says="The text speaks of {t}, which need not be {h}.")
def part(batch: Batch) -> Cue:
    """T has the whole or the larger place where H has a part of it."""
    return _reversed(batch, Relation.PART)


@checks.register("kind", rank=61, verdict="unknown", says="The text speaks of {t} in general, not of {h}.")
def kind(batch: Batch) -> Cue:
    """T has the general word where H has a more special one."""
    return _reversed(batch, Relation.HYPERNYM)


def _reversed(batch: Batch, relation: Relation) -> Cue:
    """Where no T word stands for an H word, but the H word would stand for a T word by a relation."""
    seen = view(batch)
    if not batch.knowledge.allowed[relation]:
        return seen.fire(np.zeros(len(seen.pair), dtype=bool), seen.batch.h.place)
    place = find_reversed(
        batch.t.starts,
        batch.h.starts,
        batch.t_trees.lemmas,
        batch.h_trees.lemmas,
        seen.h.content & (batch.alignment.strength < HELD_LOOSELY),
        seen.t_in_main & seen.t.content,
        batch.knowledge.wordnet.bearings,
        int(relation),
    )
    return seen.fire(place >= 0, place)
