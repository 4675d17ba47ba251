"""The check of opposites: T says of the same thing the opposite of what H says."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from karat.engines.batch import Batch
from karat.engines.checks.registry import Cue, checks
from karat.engines.checks.view import view
from karat.engines.checks.words import CONTRARIES
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.relations import Relation
from karat.engines.text.tokens import Longs
from karat.kernels.opposites import find_opposites

LEAST = 0.7
"""Weaker opposites, by way of a similar adjective, are often none."""
HAS_IT = 0.9
"""An H word that T has itself is not looked at."""
REACH = 8

_listed: WeakKeyDictionary[Knowledge, Longs] = WeakKeyDictionary()


@checks.register("antonym", rank=31, verdict="contradiction", says="{t} in the text is the opposite of {h}.")
def antonym(batch: Batch) -> Cue:
    """T has, beside the words that it shares with H, the opposite of an H word."""
    seen = view(batch)
    place = find_opposites(
        batch.t.starts,
        batch.h.starts,
        batch.match.blocks,
        batch.match.strength,
        batch.match.relation,
        int(Relation.ANTONYM),
        LEAST,
        _contraries(batch.knowledge),
        batch.t_trees.lemmas,
        batch.h_trees.lemmas,
        seen.h_content & (batch.alignment.strength < HAS_IT) & seen.covered[seen.pair],
        seen.t_about_h & seen.t_content,
        seen.t_context.polarity,
        seen.h_context.polarity,
        seen.t_context.mood,
        batch.alignment.to,
        seen.h_content,
        REACH,
    )
    return seen.fire(place >= 0, place)


def _contraries(knowledge: Knowledge) -> Longs:
    """The listed contraries in both directions, as sorted keys; none where antonyms are switched off."""
    if knowledge not in _listed:
        of = knowledge.vocabulary.lemma_id
        pairs = [] if "antonym" in knowledge.without else [pair.split("/") for pair in CONTRARIES]
        keys = {
            of(one) << 32 | of(other) for first, second in pairs for one, other in ((first, second), (second, first))
        }
        _listed[knowledge] = np.array(sorted(keys), dtype=np.int64)
    return _listed[knowledge]
