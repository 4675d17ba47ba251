"""Features of distance: what it costs to turn the text into the hypothesis, and how far apart their words are."""

from __future__ import annotations

import numpy as np

from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.kernels.edit_distance import edit_distances, totals
from karat.engines.kernels.token_distances import cosine_distance, jaccard_distance

COSTS = np.array([[1.0, 1.0, 0.0]])
"""To delete, to insert, and beside both to substitute."""


@families.register("distances", asks="what it costs to turn the text into the hypothesis")
def distances(words: Words) -> Columns:
    """Edit distances where deleting is free, plain and by rarity, and distances of bags of lemmas."""
    batch = words.batch
    where = batch.t.starts, batch.h.starts, batch.match.blocks, 1 - words.supports
    free = np.zeros(len(batch.t.forms))
    made = {}
    for name, insert in (("edit", words.content.astype(np.float64)), ("rare_edit", words.weight)):
        cost = edit_distances(*where, free, insert, COSTS, 1.0)[0]
        below = totals(batch.h.starts, insert)
        made[name] = np.divide(cost, below, out=np.zeros(len(words)), where=below > 0)
    lemmas = batch.t_trees.lemmas, batch.t.starts, batch.h_trees.lemmas, batch.h.starts
    made["cosine"] = cosine_distance(*lemmas)
    made["jaccard"] = jaccard_distance(*lemmas)
    return made
