"""Features of the pair's outer form: how long it is, and what setting it comes from."""

from __future__ import annotations

import numpy as np

from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words

USUAL = 0.75
"""About the share of H that T has in most test sets."""


@families.register("lengths", asks="how long the text and the hypothesis are")
def lengths(words: Words) -> Columns:
    """Words of T and H, of those that count, and how they compare, as logarithms."""
    batch = words.batch
    t, h = np.diff(batch.t.starts), np.diff(batch.h.starts)
    counted = words.total(words.content)
    last = np.zeros(len(words))
    np.maximum.at(last, words.t_pair, batch.t_trees.sentences)
    return {
        "text": np.log1p(t),
        "hypothesis": np.log1p(h),
        "content": np.log1p(counted),
        "ratio": np.log1p(h) - np.log1p(t),
        "sentences": np.log1p(last),
    }


@families.register("setting", asks="what setting the pair comes from")
def setting(words: Words) -> Columns:
    """1 for the pair's setting among those of the training pairs, all 0 for one that was never met; and the coverage
    of H in that setting, since what coverage is worth differs between settings more than anything else.
    """
    given = np.array([name or "" for name in words.batch.settings], dtype=np.str_)
    covered = words.share(words.strength, words.weight) - USUAL
    made = {}
    for name in words.settings:
        made[name] = (given == name).astype(np.float64)
        made[f"{name}_coverage"] = made[name] * covered
    return made
