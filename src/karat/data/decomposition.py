"""Decomposition: which phenomena each pair holds, and which original pair a monothematic one was made from.

A decomposed test set is a test set like any other whose pairs say more: a monothematic pair names its `original`, its
`phenomenon` and `category`, the rule (`pattern`, `constraint`), its left and right side (`lhs`, `rhs`) and how its
hypothesis was `composed` (substitution or rewrite). Without originals any attribute can play the phenomenon.
`align_decomposition` makes a decomposition out of such pairs, and says what is wrong with them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools
from karat.data.pairs import NO_VALUE, Pairs, attribute_slices
from karat.data.parameters import checked_noun
from karat.data.provenance import Reading, Source
from karat.errors import Problem
from karat.labels import TWO, Way, fold

SUBSTITUTION, REWRITE = "substitution", "rewrite"


@dataclass(frozen=True)
class Phenomenon:
    """One phenomenon and the category it falls into, where it has one."""

    name: str
    category: str | None = None

    def __str__(self) -> str:
        return self.name if self.category is None else f"{self.category}:{self.name}"


@checked_noun
@dataclass(frozen=True, eq=False)
class Decomposition:
    """Pairs, originals and monothematic ones together, and the phenomena they hold.

    `original` is the place of the pair each was made from, -1 for originals (and for pairs that were made from none).
    `holds` (phenomena, pairs) says which pairs isolate which phenomenon; originals isolate none.
    """

    pairs: Pairs
    original: NDArray[np.int32]
    phenomena: tuple[Phenomenon, ...]
    holds: Bools
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def reading(self) -> Reading:
        """How the pairs were read."""
        return self.pairs.reading

    @cached_property
    def mono(self) -> Bools:
        """Which pairs isolate a phenomenon and have a label."""
        return np.asarray(self.holds.any(axis=0) & (self.pairs.labels >= 0))

    @cached_property
    def originals(self) -> NDArray[np.int64]:
        """The places of the original pairs that have a label, and a monothematic pair that has one, in order."""
        made_from = np.unique(self.original[(self.original >= 0) & self.mono])
        return made_from[self.pairs.labels[made_from] >= 0].astype(np.int64)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The categories, in the order they are met."""
        return tuple(dict.fromkeys(one.category for one in self.phenomena if one.category is not None))

    @cached_property
    def in_category(self) -> Bools:
        """(categories, pairs): monothematic pairs that isolate a phenomenon of each category."""
        rows = [
            self.holds[[one.category == category for one in self.phenomena]].any(axis=0) for category in self.categories
        ]
        return np.array(rows, dtype=bool).reshape(len(rows), len(self.pairs))

    @cached_property
    def own(self) -> Bools:
        """(originals, pairs): the monothematic pairs made from each original."""
        return np.asarray((self.original == self.originals[:, None]) & self.mono)

    def originals_of(self, chosen: Bools) -> Bools:
        """Which originals have a monothematic pair among those chosen (originals,)."""
        return np.asarray((self.own & chosen).any(axis=1))


def by_attribute(key: Pairs, attribute: str, separator: str | None = None) -> Decomposition:
    """The values of an attribute as phenomena, several a pair where it has several; there are no originals.

    To have no value is no phenomenon: such pairs hold none.
    """
    values, holds = attribute_slices(key, attribute, separator)
    if NO_VALUE in values:
        holds = np.delete(holds, values.index(NO_VALUE), axis=0)
        values.remove(NO_VALUE)
    return Decomposition(
        pairs=key,
        original=np.full(len(key), -1, dtype=np.int32),
        phenomena=tuple(Phenomenon(value) for value in values),
        holds=holds,
        sources=(key.source,),
        warnings=key.warnings,
    )


def join_pairs(first: Pairs, second: Pairs) -> Pairs:
    """Two test sets as one, the pairs of the second after those of the first; ids must differ.

    Labels are three-way where both sets are, or where one has no other label than ENTAILMENT; else they are folded.
    """
    names = dict.fromkeys([*first.attributes, *second.attributes])
    way = _common_way(first, second)
    sides = [side if way is None else fold(side, way) for side in (first.labels, second.labels)]

    def column(pairs: Pairs, name: str) -> tuple[str | None, ...]:
        return pairs.attributes.get(name) or (None,) * len(pairs)

    return replace(
        first,
        ids=first.ids + second.ids,
        texts=first.texts + second.texts,
        hypotheses=first.hypotheses + second.hypotheses,
        labels=np.concatenate(sides),
        way=way,
        attributes={name: column(first, name) + column(second, name) for name in names},
        ballots=None,
        warnings=first.warnings + second.warnings,
    )


def _common_way(first: Pairs, second: Pairs) -> Way | None:
    """The way that both sets can be judged by; a set of ENTAILMENT alone, or without labels, fits any."""
    ways = [pairs.way for pairs in (first, second) if (pairs.labels > 0).any()]
    if not ways:
        return first.way or second.way
    return ways[0] if all(way is ways[0] for way in ways) else TWO
