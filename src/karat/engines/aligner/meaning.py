"""Features of meaning: how near the vectors of the text, its sentences and the hypothesis are; asked for by name."""

from __future__ import annotations

from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.vectors import FEATURES, vector_features


@families.register("vectors", asks="how near text and hypothesis are as sentence vectors")
def vectors(words: Words) -> Columns:
    """Cosines of H with all of T and with its sentences."""
    return dict(zip(FEATURES, vector_features(words.batch).T, strict=True))
