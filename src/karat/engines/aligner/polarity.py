"""Features of polarity: negations and modals that only one side has."""

from __future__ import annotations

import numpy as np

from karat.arrays import Bools
from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.text.vocabulary import Flag

REACH = 3
"""Words before an aligned word of T that may negate it."""


@families.register("polarity", asks="whether negations and modals differ")
def polarity(words: Words) -> Columns:
    """Negations and modals of H, and of T just before a word that stands for one of H, that the other side lacks."""
    made = {}
    near = before_aligned(words, REACH)
    for name, flag in (("negation", Flag.NEGATION), ("modal", Flag.MODAL)):
        h = words.total(words.h_flags & flag != 0) > 0
        t = np.bincount(words.t_pair[near & (words.t_flags & flag != 0)], minlength=len(words)) > 0
        made[f"{name}_text"] = (t & ~h).astype(np.float64)
        made[f"{name}_hypothesis"] = (h & ~t).astype(np.float64)
    return made


def before_aligned(words: Words, reach: int) -> Bools:
    """The words of T that stand for one of H, and so many before each."""
    batch = words.batch
    to = batch.alignment.to
    aligned = words.content & (to >= 0)
    first = batch.t.starts[words.h_pair[aligned]]
    near = np.zeros(len(batch.t.forms), dtype=np.bool_)
    for back in range(reach + 1):
        near[np.maximum(first + to[aligned] - back, first)] = True
    return near
