"""Features of coverage: how much of the hypothesis the text has, and what of it is missing."""

from __future__ import annotations

import numpy as np

from karat.engines.aligner.families import Columns, families
from karat.engines.aligner.word_features import Words
from karat.engines.batch import LEAST
from karat.engines.kernels.token_distances import overlap_distance
from karat.engines.lexicon.relations import Relation
from karat.engines.text.tags import Tag
from karat.engines.text.vocabulary import Flag

KINDS = {
    "nouns": (Tag.NOUN,),
    "verbs": (Tag.VERB,),
    "names": (Tag.PROPN,),
    "qualities": (Tag.ADJ, Tag.ADV),
}


@families.register("coverage", asks="how much of the hypothesis the text has")
def coverage(words: Words) -> Columns:
    """Shares of the words of H that T has: as spelled, by lemma, by dictionary, by rarity, and by kind of word."""
    batch, strength, content = words.batch, words.strength, words.content
    lower = batch.knowledge.vocabulary.table.lower
    same = (batch.alignment.relation == Relation.SAME).astype(np.float64)
    spelled = overlap_distance(lower[batch.t.forms], batch.t.starts, lower[batch.h.forms], batch.h.starts)
    made = {
        "spelled": 1 - spelled,
        "lemma": words.share(same, content),
        "dictionary": words.share(strength, content),
        "rarity": words.share(strength, words.weight),
    }
    for name, tags in KINDS.items():
        made[name] = words.share(strength, np.where(words.tagged(*tags), words.weight, 0.0))
    return made


@families.register("missing", asks="what of the hypothesis the text lacks")
def missing(words: Words) -> Columns:
    """The words of H that T lacks: the rarest, all of them by rarity, names, numbers and verbs."""
    lacks = words.content & (words.strength < LEAST)
    names = words.tagged(Tag.PROPN)
    numbers = words.h_flags & Flag.NUMBER != 0
    rare = words.largest(words.weight * (1 - words.strength))
    return {
        "rarest": rare,
        "rarity": np.log1p(words.total(words.weight * (1 - words.strength))),
        "words": np.log1p(words.total(lacks)),
        "all_names": (words.total(names & lacks) == 0).astype(np.float64),
        "names": np.log1p(words.total(names & lacks)),
        "numbers": words.total(numbers & (words.strength < LEAST)).clip(0, 2),
        "verbs": np.log1p(words.total(words.tagged(Tag.VERB) & lacks)),
        "weakest": 1 - words.largest(np.where(words.content, 1 - words.strength, 0.0)),
    }
