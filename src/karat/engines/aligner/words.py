"""What the features of a batch all begin with: which words of H count, what they weigh, what in T stands for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import numpy as np

from karat.arrays import Bools, Floats, Int32s
from karat.engines.batch import Batch
from karat.engines.kernels.grammar import CONTENT, Tag
from karat.engines.rarity import Rarity
from karat.engines.text.vocabulary import EMPTY
from karat.registry import Registry


@dataclass(frozen=True, eq=False)
class Words:
    """A batch as features see it; rarity and the known settings come from the training pairs."""

    batch: Batch
    rarity: Rarity
    settings: Sequence[str] = field(default=())

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
        counts = np.isin(self.batch.h_trees.tags, CONTENT)
        return counts & (self.h_flags & EMPTY == 0)

    @cached_property
    def t_content(self) -> Bools:
        """The words of T that say something by themselves."""
        counts = np.isin(self.batch.t_trees.tags, CONTENT)
        return counts & (self.t_flags & EMPTY == 0)

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

    def largest(self, values: Floats) -> Floats:
        """The largest over the H words of each pair, 0 where there are none or all are less."""
        made = np.zeros(len(self))
        np.maximum.at(made, self.batch.h.pair, values)
        return made


Columns = Mapping[str, Floats]
"""Features by name: a number for each pair."""

families = Registry("feature family", "asks")
"""asks: what the family asks of a pair, in a few words."""


def columns(words: Words, wanted: Iterable[str]) -> dict[str, Floats]:
    """The features of some families, by `family.feature`."""
    made = {}
    for name in wanted:
        function = cast(Callable[[Words], Columns], families[name].function)
        for feature, values in function(words).items():
            made[f"{name}.{feature}"] = values
    return made


def table(words: Words, wanted: Iterable[str], names: Iterable[str]) -> Floats:
    """The named features as columns (pairs, features); what a model knows but no family gives any more is 0."""
    made = columns(words, wanted)
    nothing = np.zeros(len(words))
    return np.column_stack([np.zeros((len(words), 0)), *(made.get(name, nothing) for name in names)])
