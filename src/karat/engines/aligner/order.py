"""Features of place: whether what the text has of the hypothesis stands close together and in the same order."""

from __future__ import annotations

import numpy as np

from karat.arrays import Ints
from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.batch import LEAST
from karat.engines.kernels.stretches import best_stretches, shortest_stretches, word_order

WINDOW = 25
"""Words of T that are looked at together."""
NEAR = 4


@families.register("windows", asks="whether what the text has of it stands close together")
def windows(words: Words) -> Columns:
    """What the best stretch of 25 words and the best sentence of T have of H, and where they stand."""
    batch = words.batch
    where = batch.t.starts, batch.h.starts, batch.match.blocks, words.supports
    rows = np.arange(len(batch.t.forms))
    stretch, place = best_stretches(*where, words.weight, rows + WINDOW)
    sentence, _ = best_stretches(*where, words.weight, sentence_ends(words))
    lengths = np.maximum(np.diff(batch.t.starts), 1)
    shortest = shortest_stretches(*where, words.content, LEAST)
    held = np.maximum(words.total(words.content & (words.strength >= LEAST)), 1)
    return {
        "stretch": stretch,
        "sentence": sentence,
        "scattered": words.share(words.strength, words.weight) - stretch,
        "place": place / lengths,
        "first": (place == 0).astype(np.float64),
        "spread": np.log1p(shortest / held),
    }


def sentence_ends(words: Words) -> Ints:
    """For each T word the row after the last of its sentence."""
    sentences, pair = words.batch.t_trees.sentences, words.t_pair
    if not len(sentences):
        return np.zeros(0, dtype=np.int64)
    last = np.append((np.diff(sentences) != 0) | (np.diff(pair) != 0), True)
    ends = np.flatnonzero(last) + 1
    return ends[np.searchsorted(ends, np.arange(len(sentences)), side="right")]


@families.register("order", asks="whether the words stand in the same order")
def order(words: Words) -> Columns:
    """Neighbours that stay neighbours, words that stay in order, words turned round, the longest common sequence."""
    batch = words.batch
    where = batch.t.starts, batch.h.starts, batch.match.blocks, words.supports
    made = word_order(*where, batch.alignment.to, words.content, LEAST, NEAR)
    return dict(zip(("neighbours", "in_order", "turned", "sequence"), made.T, strict=True))
