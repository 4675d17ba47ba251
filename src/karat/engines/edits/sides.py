"""The words of texts and hypotheses that count, and what each weighs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints
from karat.engines.batch import Batch
from karat.engines.edits.schemes import Scheme
from karat.engines.edits.settings import TREE, Settings
from karat.engines.kernels.edit_match import lift_heads
from karat.engines.kernels.grammar import Tag
from karat.engines.rarity import Rarity
from karat.engines.text.tokens import Tokens
from karat.engines.text.trees import Trees
from karat.engines.text.vocabulary import EMPTY, Flag, Vocabulary

DROPPED = (Tag.ADP, Tag.PUNCT, Tag.DET, Tag.CCONJ, Tag.SCONJ, Tag.NUM, Tag.X, Tag.SYM, Tag.INTJ, Tag.PART)
"""What the Excitement platform drops by part of speech: PP, PUNC, ART, CONJ, CARD, O, POS. Numbers go with them."""
_KEPT_BY_TAG = np.array([tag not in DROPPED for tag in Tag])

_TAGS = {"NOUN": Tag.NOUN, "NAME": Tag.PROPN, "NUMBER": Tag.NUM, "VERB": Tag.VERB, "ADJ": Tag.ADJ, "ADV": Tag.ADV}
"""The calculators of cost schemes that ask for a part of speech."""


@dataclass(frozen=True, eq=False)
class Side:
    """The words of one side of a batch, stop words taken out: text i has the rows starts[i] to starts[i + 1]."""

    starts: Ints
    forms: Int32s
    """Ids of spellings, in lower case where case is ignored."""
    lemmas: Int32s
    tags: Bytes
    weights: Floats
    heads: Int32s | None
    """Of trees only: heads among these words."""


def side_of(batch: Batch, side: str, settings: Settings, scheme: Scheme, rarity: Rarity | None) -> Side:
    """The words of T or of H that count."""
    tokens, trees = (batch.t, batch.t_trees) if side == "T" else (batch.h, batch.h_trees)
    vocabulary = batch.knowledge.vocabulary
    kept = keep(tokens, trees, vocabulary, settings.stop_words)
    before = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum(kept, out=before[1:])
    spelled = tokens.forms[kept]
    lemmas, tags = trees.lemmas[kept], trees.tags[kept]
    heads = lift_heads(tokens.starts, trees.heads, kept) if settings.distance == TREE else None
    return Side(
        before[tokens.starts],
        vocabulary.table.lower[spelled] if settings.ignore_case else spelled,
        lemmas,
        tags,
        weigh(spelled, lemmas, tags, vocabulary, scheme, rarity),
        heads,
    )


def keep(tokens: Tokens, trees: Trees, vocabulary: Vocabulary, stop_words: str) -> Bools:
    """Which words are no stop words: by part of speech, by the list of closed classes, by both, or all of them."""
    kept = np.ones(len(tokens.forms), dtype=bool)
    negated = Flag.NEGATION
    flags = vocabulary.table.flags[tokens.forms]
    if stop_words in ("pos", "both"):
        # In the tags that EDITS goes by, not is an adverb.
        kept &= _KEPT_BY_TAG[trees.tags] | ((trees.tags == Tag.PART) & ((flags & negated) != 0))
    if stop_words in ("list", "both"):
        kept &= (flags & EMPTY) == 0
    return kept


def weigh(
    spelled: Int32s, lemmas: Int32s, tags: Bytes, vocabulary: Vocabulary, scheme: Scheme, rarity: Rarity | None
) -> Floats:
    """What each word weighs under a cost scheme."""
    values: dict[str, Floats] = {name: (tags == _TAGS[name]).astype(np.float64) for name in scheme.names & _TAGS.keys()}
    if "STOPWORD" in scheme.names:
        values["STOPWORD"] = ((vocabulary.table.flags[spelled] & EMPTY) == 0).astype(np.float64)
    if "IDF" in scheme.names:
        assert rarity is not None
        values["IDF"] = rarity.weights(vocabulary)[lemmas]
    return scheme.weigh(values, len(lemmas))
