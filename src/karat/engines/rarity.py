"""Rarity: how much a word weighs, by how few of the training texts and hypotheses have it (inverse document frequency).

Counted on the training side only: what an engine learns must not depend on what else is in a test set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import msgspec
import numpy as np

from karat.arrays import Floats, Int32s
from karat.engines.batch import Batch
from karat.engines.text.trees import Tokens
from karat.engines.text.vocabulary import Vocabulary


class Rarity(msgspec.Struct, dict=True):
    """The weight of each lemma: log(N / n) for n of N documents, that of a single document where it was never met."""

    documents: int
    counts: dict[str, int]
    """In how many documents each lemma is; those in one weigh as those in none, and are left out."""

    def weights(self, vocabulary: Vocabulary) -> Floats:
        """The weight of every lemma, by id; worked out once for a vocabulary, which may grow."""
        unmet = math.log(max(self.documents, 2))
        of, weights = self.__dict__.get("_weights", (None, np.zeros(0)))
        if of is not vocabulary:
            # Asking for an id gives a lemma one: after this all that were counted have theirs, for good.
            places = [vocabulary.lemma_id(lemma) for lemma in self.counts]
            weights = np.full(vocabulary.lemma_count, unmet)
            weights[places] = [math.log(max(self.documents, 2) / count) for count in self.counts.values()]
        if (more := vocabulary.lemma_count - len(weights)) > 0:
            weights = np.concatenate([weights, np.full(more, unmet)])
        self.__dict__["_weights"] = vocabulary, weights
        return weights


def lemmas_in_context(batch: Batch) -> tuple[Int32s, Int32s]:
    """The lemmas of T and H, by the tags that their trees give them."""
    return batch.t_trees.lemmas, batch.h_trees.lemmas


def count_rarity(
    batches: Iterable[Batch], lemmas_of: Callable[[Batch], tuple[Int32s, Int32s]] = lemmas_in_context
) -> Rarity:
    """Count every text and every hypothesis as one document."""
    documents = 0
    counts: dict[str, int] = {}
    for batch in batches:
        vocabulary = batch.knowledge.vocabulary
        for tokens, lemmas in zip((batch.t, batch.h), lemmas_of(batch), strict=True):
            documents += len(tokens)
            for lemma, count in _document_counts(tokens, lemmas):
                name = vocabulary.lemma(lemma)
                counts[name] = counts.get(name, 0) + count
    return Rarity(documents, {lemma: count for lemma, count in sorted(counts.items()) if count > 1})


def _document_counts(tokens: Tokens, lemmas: Int32s) -> list[tuple[int, int]]:
    once = np.unique(tokens.pair << 32 | lemmas.astype(np.int64))
    found, counts = np.unique(once & 0xFFFFFFFF, return_counts=True)
    return list(zip(found.tolist(), counts.tolist(), strict=True))
