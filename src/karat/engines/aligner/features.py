"""The features of a pair: how much of the hypothesis the text has, where, in what order, and what speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from karat.arrays import Bools, Floats, Int32s, Ints
from karat.engines.batch import LEAST_ALIGNED, Batch
from karat.engines.checks.base import VERDICTS, against, cue
from karat.engines.kernels.grammar import Tag
from karat.engines.kernels.word_match import best_stretches, covered_share, shortest_stretches
from karat.engines.lexicon.relations import Relation
from karat.engines.rarity import Rarity
from karat.engines.text.vocabulary import Flag
from karat.registry import Registry

if TYPE_CHECKING:
    from karat.engines.neural.reading import Reader


@dataclass(frozen=True, eq=False)
class WeighedWords:
    """A batch as features see it; rarity and the known settings come from the training pairs."""

    batch: Batch
    rarity: Rarity
    settings: Sequence[str] = ()
    network: Reader | None = None

    def __len__(self) -> int:
        return len(self.batch)

    @cached_property
    def h_flags(self) -> Int32s:
        """The flags of each H word."""
        return self.batch.knowledge.vocabulary.table.flags[self.batch.h.forms]

    @cached_property
    def t_flags(self) -> Int32s:
        """The flags of each T word."""
        return self.batch.knowledge.vocabulary.table.flags[self.batch.t.forms]

    @cached_property
    def content(self) -> Bools:
        """The words of H that say something by themselves."""
        return self.batch.knowledge.vocabulary.table.content(self.batch.h.forms, self.batch.h_trees.tags)

    def tagged(self, *tags: Tag) -> Bools:
        """The words of H that count and have one of these tags."""
        return self.content & np.isin(self.batch.h_trees.tags, tags)

    @cached_property
    def weight(self) -> Floats:
        """What each H word weighs by its rarity, 0 for those that do not count."""
        weights = self.rarity.weights(self.batch.knowledge.vocabulary)
        return np.where(self.content, weights[self.batch.h_trees.lemmas], 0.0)

    @cached_property
    def strength(self) -> Floats:
        """How strongly T has each H word."""
        return self.batch.alignment.strength.astype(np.float64)

    def total(self, values: Floats | Bools) -> Floats:
        """The sum over the H words of each pair."""
        made = np.bincount(self.batch.h.pair, weights=values.astype(np.float64), minlength=len(self))
        return made.astype(np.float64)  # of no words at all, bincount makes whole numbers

    def share(self, values: Floats, weights: Floats | Bools) -> Floats:
        """The mean over the H words of each pair, by weight; 1 where nothing weighs, since nothing is missing."""
        below = self.total(weights)
        return np.divide(self.total(values * weights), below, out=np.ones(len(self)), where=below > 0)


Columns = Mapping[str, Floats]
"""Features by name: a number for each pair."""

families = Registry("feature family", "asks")
"""asks: what the family asks of a pair, in a few words."""


def columns(words: WeighedWords, wanted: Iterable[str]) -> dict[str, Floats]:
    """The features of some families, by `family.feature`."""
    made = {}
    for name in wanted:
        function = cast(Callable[[WeighedWords], Columns], families[name].function)
        for feature, values in function(words).items():
            made[f"{name}.{feature}"] = values
    return made


def table(words: WeighedWords, wanted: Iterable[str], names: Iterable[str]) -> Floats:
    """The named features as columns (pairs, features); what a model knows but no family gives any more is 0."""
    made = columns(words, wanted)
    nothing = np.zeros(len(words))
    return np.column_stack([np.zeros((len(words), 0)), *(made.get(name, nothing) for name in names)])


TAGS_OF = {"nouns": (Tag.NOUN,), "verbs": (Tag.VERB,), "names": (Tag.PROPN,), "qualities": (Tag.ADJ, Tag.ADV)}


@families.register("coverage", asks="how much of the hypothesis the text has")
def coverage(words: WeighedWords) -> Columns:
    """Shares of the words of H that T has: as spelled, by lemma, by dictionary, by rarity, and by kind of word."""
    batch, strength, content = words.batch, words.strength, words.content
    lower = batch.knowledge.vocabulary.table.lower
    same = (batch.alignment.relation == Relation.SAME).astype(np.float64)
    nothing, every = np.zeros(len(batch.t.forms), dtype=bool), np.ones(len(batch.h.forms))
    spelled = lower[batch.t.forms], lower[batch.h.forms], every, nothing
    dictionary = batch.knowledge.wordnet.bearings, batch.knowledge.allowed
    made = {
        "spelled": covered_share(batch.t.starts, batch.h.starts, *spelled, *dictionary, LEAST_ALIGNED),
        "lemma": words.share(same, content),
        "dictionary": words.share(strength, content),
        "rarity": words.share(strength, words.weight),
    }
    for name, tags in TAGS_OF.items():
        made[name] = words.share(strength, np.where(words.tagged(*tags), words.weight, 0.0))
    return made


SINGLE = ("swap", "attitude", "condition", "name", "no_number")
"""Checks that are features of their own; others fire on too few of some hundred training pairs to teach anything."""


@families.register("checks", asks="what speaks against it although its words are there")
def cues(words: WeighedWords) -> Columns:
    """How many checks of either verdict fire, and how sure some of them are."""
    made = {name: cue(words.batch, name).strength.astype(np.float64) for name in SINGLE}
    for verdict in VERDICTS:
        fired = [cue(words.batch, entry.name).fired for entry in against(verdict)]
        made[verdict] = np.sum([np.zeros(len(words)), *fired], axis=0)
    return made


@families.register("network", asks="what a neural network says about the pair, if one is given")
def network(words: WeighedWords) -> Columns:
    """The outputs of a classifier of pairs, or how alike an encoder finds the text and the hypothesis."""
    return words.network.columns(words.batch) if words.network else {}


WINDOW = 25
"""WeighedWords of T that are looked at together."""


@families.register("windows", asks="whether what the text has of it stands close together")
def windows(words: WeighedWords) -> Columns:
    """What the best stretch of 25 words and the best sentence of T have of H, and where they stand."""
    batch = words.batch
    where = batch.t.starts, batch.h.starts, batch.match.blocks, batch.support
    rows = np.arange(len(batch.t.forms))
    stretch, place = best_stretches(*where, words.weight, rows + WINDOW)
    sentence, _ = best_stretches(*where, words.weight, sentence_ends(words))
    lengths = np.maximum(np.diff(batch.t.starts), 1)
    shortest = shortest_stretches(*where, words.content, LEAST_ALIGNED)
    held = np.maximum(words.total(words.content & (words.strength >= LEAST_ALIGNED)), 1)
    return {
        "stretch": stretch,
        "sentence": sentence,
        "scattered": words.share(words.strength, words.weight) - stretch,
        "place": place / lengths,
        "first": (place == 0).astype(np.float64),
        "spread": np.log1p(shortest / held),
    }


def sentence_ends(words: WeighedWords) -> Ints:
    """For each T word the row after the last of its sentence."""
    sentences, pair = words.batch.t_trees.sentences, words.batch.t.pair
    if not len(sentences):
        return np.zeros(0, dtype=np.int64)
    last = np.append((np.diff(sentences) != 0) | (np.diff(pair) != 0), True)
    ends = np.flatnonzero(last) + 1
    return ends[np.searchsorted(ends, np.arange(len(sentences)), side="right")]


NEGATES_WITHIN = 3
"""WeighedWords before an aligned word of T that may negate it."""


@families.register("polarity", asks="whether negations and modals differ")
def polarity(words: WeighedWords) -> Columns:
    """Negations and modals of H, and of T just before a word that stands for one of H, that the other side lacks."""
    made = {}
    near = before_aligned(words, NEGATES_WITHIN)
    for name, flag in (("negation", Flag.NEGATION), ("modal", Flag.MODAL)):
        h = words.total(words.h_flags & flag != 0) > 0
        t = np.bincount(words.batch.t.pair[near & (words.t_flags & flag != 0)], minlength=len(words)) > 0
        made[f"{name}_text"] = (t & ~h).astype(np.float64)
        made[f"{name}_hypothesis"] = (h & ~t).astype(np.float64)
    return made


def before_aligned(words: WeighedWords, reach: int) -> Bools:
    """The words of T that stand for one of H, and so many before each."""
    batch = words.batch
    to = batch.alignment.to
    aligned = words.content & (to >= 0)
    first = batch.t.starts[words.batch.h.pair[aligned]]
    near = np.zeros(len(batch.t.forms), dtype=np.bool_)
    for back in range(reach + 1):
        near[np.maximum(first + to[aligned] - back, first)] = True
    return near


USUAL = 0.75
"""About the share of H that T has in most test sets."""


@families.register("setting", asks="what setting the pair comes from")
def setting(words: WeighedWords) -> Columns:
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
