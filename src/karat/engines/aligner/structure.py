"""Features of structure: whether words that hang together in the hypothesis hang together in the text."""

from __future__ import annotations

import numpy as np

from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.batch import LEAST
from karat.engines.kernels.structures import match_edges, match_roles, upper_words
from karat.engines.text.tags import Dependency

ROLES = np.zeros(len(Dependency), dtype=np.int8)
"""Who does it (1) and to whom it is done (2), whatever the voice."""
ROLES[[Dependency.NSUBJ, Dependency.OBL_AGENT]] = 1
ROLES[[Dependency.NSUBJ_PASS, Dependency.OBJ, Dependency.IOBJ]] = 2


@families.register("structure", asks="whether its words hang together in the same way")
def structure(words: Words) -> Columns:
    """Shares of the hypothesis's edges that the text has, and of its subjects and objects that play the same part."""
    batch, t_trees, h_trees = words.batch, words.batch.t_trees, words.batch.h_trees
    t_above = upper_words(batch.t.starts, t_trees.heads, words.t_content)
    h_above = upper_words(batch.h.starts, h_trees.heads, words.content)
    where = batch.t.starts, batch.h.starts, batch.match.blocks, words.supports, t_above, h_above
    edges = match_edges(*where, t_trees.sentences, words.weight, LEAST)
    roles = match_roles(*where, ROLES[t_trees.dependencies], ROLES[h_trees.dependencies], LEAST)
    asked = np.maximum(roles[:, 0], 1)
    roots = words.content & (h_trees.heads < 0)
    return {
        "direct": edges[:, 0],
        "near": edges[:, 1],
        "together": edges[:, 2],
        "roles": np.where(roles[:, 0] > 0, roles[:, 1] / asked, 1.0),
        "other_roles": roles[:, 2] / asked,
        "root": words.share(words.strength, roots),
    }
