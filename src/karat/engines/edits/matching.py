"""What the words of T and H have in common: by form or lemma, by letters, by a dictionary, by rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Int32s, Ints, Singles
from karat.engines.edits.rules import RuleTable
from karat.engines.edits.settings import CHOICES, Settings
from karat.engines.edits.sides import Side
from karat.engines.kernels.edit_match import (
    BOTH,
    EITHER,
    FORM,
    LEMMA,
    apply_dictionary,
    apply_rules,
    fill_match,
    letter_match,
    letters,
)
from karat.engines.kernels.word_match import block_starts
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.relations import SUPPORTS, Relation
from karat.engines.text.tags import Tag

SAME_BY = dict(zip(CHOICES["matcher"], (FORM, LEMMA, EITHER, BOTH), strict=True))
PUBLISHED = np.isin(list(Relation), (Relation.SYNONYM, Relation.HYPERNYM))
"""What the Excitement platform takes from WordNet."""
_ALIKE = {Tag.PROPN: Tag.NOUN, Tag.AUX: Tag.VERB}
_KINDS = np.array([_ALIKE.get(tag, tag) for tag in Tag], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Blocks:
    """How far apart each T word and each H word are, from 0 to 1: a block of |T| × |H| cells a pair."""

    starts: Ints
    match: Singles
    against: Bools
    """Pairs in which a rule says that two words contradict each other."""


def match_sides(t: Side, h: Side, settings: Settings, knowledge: Knowledge, rules: RuleTable) -> Blocks:
    """Compare the words of a batch."""
    blocks = block_starts(t.starts, h.starts)
    where = t.starts, h.starts, blocks
    match = _by_letters(t, h, blocks, knowledge) if settings.word_distance else np.ones(blocks[-1], dtype=np.float32)
    fill_match(*where, t.forms, h.forms, t.lemmas, h.lemmas, SAME_BY[settings.matcher], match)
    plain = match.copy() if len(rules.lefts) else match
    if settings.dictionary != "none":
        graded = settings.dictionary == "graded"
        allowed = knowledge.allowed & (SUPPORTS if graded else PUBLISHED)
        apply_dictionary(
            *where,
            t.lemmas,
            h.lemmas,
            _KINDS[t.tags],
            _KINDS[h.tags],
            knowledge.wordnet.bearings,
            allowed,
            graded,
            match,
        )
    against = np.zeros(len(t.starts) - 1, dtype=bool)
    if len(rules.lefts):
        apply_rules(
            *where,
            rules.rows(t.lemmas),
            t.tags,
            h.lemmas,
            rules.starts,
            rules.rights,
            rules.tags,
            rules.probabilities,
            plain,
            match,
            against,
        )
    return Blocks(blocks, match, against)


def _by_letters(t: Side, h: Side, blocks: Ints, knowledge: Knowledge) -> Singles:
    """Words as far apart as their letters."""
    different, numbers = np.unique(np.concatenate([t.forms, h.forms]), return_inverse=True)
    forms = knowledge.vocabulary.forms
    codes, starts = letters([forms[form] for form in different.tolist()])
    t_words, h_words = np.split(numbers, [len(t.forms)])
    return letter_match(codes, starts, t_words, t.starts, h_words, h.starts, blocks)


def tokens_of(side: Side, settings: Settings) -> Int32s:
    """The ids that distances of plain sequences compare: forms, or lemmas."""
    return side.forms if settings.matcher in ("form", "form_and_lemma") else side.lemmas
