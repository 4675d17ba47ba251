"""The words of T and H that count, compared, and the distances of the suite, each from 0 (H is there) on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Bytes, Floats, Int32s, Ints, Singles
from karat.engines.batch import Batch
from karat.engines.edits.settings import OVERLAP, TREE, Scheme, Settings
from karat.engines.kernels.edit_match import (
    EITHER,
    FORM,
    LEMMA,
    apply_dictionary,
    fill_match,
    lift_heads,
)
from karat.engines.kernels.grammar import Tag
from karat.engines.kernels.token_distances import edit_distances, totals
from karat.engines.kernels.tree_distance import postorder, tree_distances
from karat.engines.kernels.word_match import Grid, best_stretches, block_starts
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.relations import SUPPORTS, Relation
from karat.engines.rarity import Rarity
from karat.engines.text.trees import Tokens, Trees
from karat.engines.text.vocabulary import Flag, Vocabulary

DROPPED = (Tag.ADP, Tag.PUNCT, Tag.DET, Tag.CCONJ, Tag.SCONJ, Tag.NUM, Tag.X, Tag.SYM, Tag.INTJ, Tag.PART)
"""What the Excitement platform drops by part of speech: PP, PUNC, ART, CONJ, CARD, O, POS. Numbers go with them."""
_KEPT_BY_TAG = np.array([tag not in DROPPED for tag in Tag])

_TAGS = {"NOUN": Tag.NOUN, "NAME": Tag.PROPN, "NUMBER": Tag.NUM, "VERB": Tag.VERB, "ADJ": Tag.ADJ, "ADV": Tag.ADV}
"""The calculators of cost schemes that ask for a part of speech."""


@dataclass(frozen=True, eq=False)
class SideTokens:
    """The words of one side of a batch, stop words taken out: text i has the rows starts[i] to starts[i + 1]."""

    starts: Ints
    forms: Int32s
    """Ids of spellings in lower case."""
    lemmas: Int32s
    tags: Bytes
    weights: Floats
    heads: Int32s | None
    """Of trees only: heads among these words."""


def side_of(batch: Batch, side: str, settings: Settings, scheme: Scheme, rarity: Rarity | None) -> SideTokens:
    """The words of T or of H that count."""
    tokens, trees = (batch.t, batch.t_trees) if side == "T" else (batch.h, batch.h_trees)
    vocabulary = batch.knowledge.vocabulary
    kept = keep(tokens, trees, vocabulary, settings.stop_words)
    before = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum(kept, out=before[1:])
    spelled = tokens.forms[kept]
    lemmas, tags = trees.lemmas[kept], trees.tags[kept]
    heads = lift_heads(tokens.starts, trees.heads, kept) if settings.distance == TREE else None
    return SideTokens(
        before[tokens.starts],
        vocabulary.table.lower[spelled],
        lemmas,
        tags,
        weigh(spelled, lemmas, tags, vocabulary, scheme, rarity),
        heads,
    )


def keep(tokens: Tokens, trees: Trees, vocabulary: Vocabulary, stop_words: str) -> Bools:
    """Which words are no stop words: by part of speech, by the list of closed classes, or all of them."""
    kept = np.ones(len(tokens.forms), dtype=bool)
    negated = Flag.NEGATION
    flags = vocabulary.table.flags[tokens.forms]
    if stop_words == "pos":
        # In the tags that EDITS goes by, not is an adverb.
        kept &= _KEPT_BY_TAG[trees.tags] | ((trees.tags == Tag.PART) & ((flags & negated) != 0))
    if stop_words == "list":
        kept &= vocabulary.table.content(tokens.forms)
    return kept


def weigh(
    spelled: Int32s, lemmas: Int32s, tags: Bytes, vocabulary: Vocabulary, scheme: Scheme, rarity: Rarity | None
) -> Floats:
    """What each word weighs under a cost scheme."""
    values: dict[str, Floats] = {name: (tags == _TAGS[name]).astype(np.float64) for name in scheme.names & _TAGS.keys()}
    if "STOPWORD" in scheme.names:
        values["STOPWORD"] = vocabulary.table.content(spelled).astype(np.float64)
    if "IDF" in scheme.names:
        assert rarity is not None
        values["IDF"] = rarity.weights(vocabulary)[lemmas]
    return scheme.weigh(values, len(lemmas))


SAME_BY = {"token": FORM, "lemma": LEMMA}
"""When two words are the same; by either for the other distances."""
PUBLISHED = np.isin(list(Relation), (Relation.SYNONYM, Relation.HYPERNYM))
"""What the Excitement platform takes from WordNet."""
_ALIKE = {Tag.PROPN: Tag.NOUN, Tag.AUX: Tag.VERB}
_KINDS = np.array([_ALIKE.get(tag, tag) for tag in Tag], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Blocks:
    """How far apart each T word and each H word are, from 0 to 1: one block of |T| × |H| cells per pair."""

    starts: Ints
    match: Singles


def match_sides(t: SideTokens, h: SideTokens, settings: Settings, knowledge: Knowledge) -> Blocks:
    """Compare the words of a batch."""
    blocks = block_starts(t.starts, h.starts)
    grid = Grid(t.starts, h.starts, blocks)
    match = np.ones(blocks[-1], dtype=np.float32)
    fill_match(grid, t.forms, h.forms, t.lemmas, h.lemmas, SAME_BY.get(settings.distance, EITHER), match)
    if settings.dictionary != "none":
        graded = settings.dictionary == "graded"
        allowed = knowledge.allowed & (SUPPORTS if graded else PUBLISHED)
        apply_dictionary(
            grid,
            t.lemmas,
            h.lemmas,
            _KINDS[t.tags],
            _KINDS[h.tags],
            knowledge.wordnet.bearings,
            allowed,
            graded,
            match,
        )
    return Blocks(blocks, match)


@dataclass(frozen=True, eq=False)
class Compared:
    """A batch with its words compared: all that a distance needs, whatever its costs."""

    settings: Settings
    t: SideTokens
    h: SideTokens
    blocks: Blocks

    def __len__(self) -> int:
        return len(self.t.starts) - 1


def compare(batch: Batch, settings: Settings, scheme: Scheme, rarity: Rarity | None) -> Compared:
    """Compare the words of a batch."""
    t, h = (side_of(batch, side, settings, scheme, rarity) for side in ("T", "H"))
    return Compared(settings, t, h, match_sides(t, h, settings, batch.knowledge))


def distances(compared: Compared) -> Floats:
    """The distance of each pair."""
    settings, t, h = compared.settings, compared.t, compared.h
    if settings.distance == OVERLAP:
        return _overlap(compared)
    costs = np.array([[settings.delete, settings.insert, settings.substitute]])
    schemes, share = costs.copy(), 0.0
    if settings.substitution == "sum":
        schemes[:, 2], share = 0.0, settings.substitute
    blocks = compared.blocks.starts, compared.blocks.match
    if settings.distance == TREE:
        assert t.heads is not None
        assert h.heads is not None
        trees = postorder(t.heads, t.starts), postorder(h.heads, h.starts)
        made = tree_distances(*trees, *blocks, t.weights, h.weights, schemes, share)
    else:
        made = edit_distances(t.starts, h.starts, *blocks, t.weights, h.weights, schemes, share)
    below = settings.insert * totals(h.starts, h.weights)
    if settings.normalise == "default":
        below = settings.delete * np.diff(t.starts) + settings.insert * np.diff(h.starts)
    return np.divide(made[0], below, out=np.zeros(len(below)), where=below > 0)


def _overlap(compared: Compared) -> Floats:
    """How much of H the best stretch of T lacks; what T has beyond it counts for a share."""
    settings, t, h, blocks = compared.settings, compared.t, compared.h, compared.blocks
    where = t.starts, h.starts, blocks.starts, 1 - blocks.match, h.weights
    share = best_stretches(*where, np.full(len(t.forms), len(t.forms)))[0]
    if settings.window:
        near = best_stretches(*where, np.arange(len(t.forms)) + settings.window)[0]
        share = settings.outside * share + (1 - settings.outside) * near
    return 1 - share
