"""What engines know beside the pairs: words, a dictionary, a parser. One object per process; its names are signed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from karat.arrays import Bools
from karat.engines.lexicon.loading import load_wordnet
from karat.engines.lexicon.relations import Relation
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet
from karat.engines.text.remembered import remember, remembered
from karat.engines.text.trees import TreeSource
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problem


class Knowledge:
    """A dictionary, a parser, the words met so far, and what of it all is switched off."""

    def __init__(self, wordnet: WordNet, trees: TreeSource, without: frozenset[str] = frozenset()) -> None:
        self.wordnet = wordnet
        self.trees = trees
        self.without = without

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words met so far, by this process and by those before it."""
        return remembered(self.wordnet)

    @property
    def words_met(self) -> int:
        """Words that no process before this one had met."""
        return self.vocabulary.met if "vocabulary" in self.__dict__ else 0

    def without_words(self) -> Knowledge:
        """The same knowledge, with only the words that are kept: what a word is does not depend on when it is met."""
        return Knowledge(self.wordnet, self.trees, self.without)

    def remember(self) -> None:
        """Keep the words for processes to come."""
        if "vocabulary" in self.__dict__:
            remember(self.vocabulary)

    @property
    def names(self) -> dict[str, str]:
        """What signatures say of the knowledge."""
        return {"dictionary": self.wordnet.name, "trees": self.trees.name}

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What was warned of when it was read."""
        return self.trees.warnings

    @cached_property
    def allowed(self) -> Bools:
        """The relations of the dictionary that are not switched off, by code."""
        return np.array([RELATIONS.get(relation) not in self.without for relation in Relation])


RELATIONS = {
    Relation.SYNONYM: "synonyms",
    Relation.ANTONYM: "antonyms",
    Relation.DERIVED: "derivations",
    Relation.HYPERNYM: "hypernyms",
    Relation.ENTAILS: "implications",
    Relation.PART: "wholes",
}
"""The relations of the dictionary by the names that switch them off; no check is called so."""
SWITCHES = ("wordnet", *RELATIONS.values())
"""The dictionary, and the relations in it."""


def load_knowledge(trees: str = "chunker", without: Iterable[str] = ()) -> Knowledge:
    """Knowledge as it is found here: `trees` is chunker or a CoNLL-U file; `without` names what is left out."""
    from karat.engines.text.chunker import tree_source

    off = frozenset(without)
    return Knowledge(NO_WORDNET if "wordnet" in off else load_wordnet(), tree_source(trees), off)
