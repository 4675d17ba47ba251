"""A batch: some pairs, with everything engines ask of them worked out once, when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karat.arrays import Bytes, Int32s, Ints, Singles
from karat.data.pairs import SETTING, Pairs
from karat.engines.kernels.word_match import Grid, align_words, block_starts, match_words
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.relations import SUPPORTS, Relation
from karat.engines.phenomena import (
    CATEGORY,
    LISTED_CATEGORIES,
    LISTED_PHENOMENA,
    ORIGINAL,
    PHENOMENON,
    SEPARATOR,
    category_of,
    named,
)
from karat.engines.text.trees import Tokens, Trees
from karat.progress import track

BATCH = 1000
"""Pairs processed together: their blocks of words × words stay in the processor's cache."""
WORK = 600_000_000
"""Characters of T times characters of H, above which a pair is too long, and a batch is full: 20 million cells."""
LEAST_ALIGNED = 0.5
"""Weaker likeness than this is no alignment."""


@dataclass(frozen=True, eq=False)
class Match:
    """How well each T word fits each H word: one block of |T| × |H| cells per pair."""

    blocks: Ints
    strength: Singles
    relation: Bytes


@dataclass(frozen=True, eq=False)
class Alignment:
    """For each H word: the place in T of the word that stands for it (-1 none), how strongly, and by what relation."""

    to: Int32s
    strength: Singles
    relation: Bytes


class Batch:
    """Pairs without their labels, and everything that can be worked out about them."""

    def __init__(
        self,
        knowledge: Knowledge,
        ids: Sequence[str],
        texts: Sequence[str],
        hypotheses: Sequence[str],
        attributes: Attributes | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.ids = ids
        self.texts = texts
        self.hypotheses = hypotheses
        self.attributes = attributes or {}
        self.cues: dict[str, Any] = {}
        """What checks said of the pairs so far, by name."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def settings(self) -> Sequence[str | None]:
        """The setting (task) that each pair comes from, where that is said."""
        return self.attributes.get(SETTING) or [None] * len(self)

    @cached_property
    def t(self) -> Tokens:
        """The tokens of the texts."""
        return self.knowledge.trees.tokens(self.ids, "T", self.texts, self.knowledge.vocabulary)

    @cached_property
    def h(self) -> Tokens:
        """The tokens of the hypotheses."""
        return self.knowledge.trees.tokens(self.ids, "H", self.hypotheses, self.knowledge.vocabulary)

    @cached_property
    def t_trees(self) -> Trees:
        """The trees of the texts."""
        return self.knowledge.trees.trees(self.ids, "T", self.t, self.knowledge.vocabulary)

    @cached_property
    def h_trees(self) -> Trees:
        """The trees of the hypotheses."""
        return self.knowledge.trees.trees(self.ids, "H", self.h, self.knowledge.vocabulary)

    @cached_property
    def match(self) -> Match:
        """How each T word fits each H word, by form, lemma and dictionary."""
        self.t, self.h  # noqa: B018 - both are in the vocabulary before its table is asked for
        t_trees, h_trees = self.t_trees, self.h_trees
        lower = self.knowledge.vocabulary.table.lower
        blocks = block_starts(self.t.starts, self.h.starts)
        strength, relation = match_words(
            self.t.starts,
            self.h.starts,
            blocks,
            lower[self.t.forms],
            lower[self.h.forms],
            t_trees.lemmas,
            h_trees.lemmas,
            self.knowledge.wordnet.bearings,
            self.knowledge.allowed,
            int(Relation.SAME),
        )
        return Match(blocks, strength, relation)

    @property
    def grid(self) -> Grid:
        """Where its texts, hypotheses and blocks start."""
        return Grid(self.t.starts, self.h.starts, self.match.blocks)

    @cached_property
    def support(self) -> Singles:
        """How strongly each T word speaks for each H word, in the blocks of the match; 0 by relations that do not."""
        return np.where(SUPPORTS[self.match.relation], self.match.strength, np.float32(0))

    @cached_property
    def alignment(self) -> Alignment:
        """What each H word stands for in T."""
        match, pair = self.match, self.h.pair
        to, strength = align_words(self.t.starts, self.h.starts, match.blocks, self.support, LEAST_ALIGNED)
        cells = match.blocks[pair] + to * np.diff(self.h.starts)[pair] + self.h.place
        relation = np.zeros(len(to), dtype=np.int8)
        relation[to >= 0] = match.relation[cells[to >= 0]]
        return Alignment(to, strength, relation)


def batches(pairs: Pairs, knowledge: Knowledge, size: int = BATCH, rows: Ints | None = None) -> Iterator[Batch]:
    """The pairs (or some rows of them) in order, `size` at a time."""
    total = len(pairs) if rows is None else len(rows)
    for chunk in track(chunks_of(pairs, size, rows), "looking at pairs", total, lambda chunk: len(chunk[0])):
        yield Batch(knowledge, *chunk)


Attributes = Mapping[str, Sequence[str | None]]
Chunk = tuple[Sequence[str], Sequence[str], Sequence[str], Attributes]
"""Ids, texts, hypotheses and attributes of some pairs: what a batch is made of, before anything is known of it."""


def chunks_of(pairs: Pairs, size: int = BATCH, rows: Ints | None = None) -> Iterator[Chunk]:
    """The pairs (or some rows of them) in order, a number at a time, fewer if they are long."""
    chosen = range(len(pairs)) if rows is None else rows.tolist()
    whole: Chunk = (pairs.ids, pairs.texts, pairs.hypotheses, attributes_with_parts(pairs))
    begin, held = 0, 0
    for place, row in enumerate(chosen):
        here = work(pairs.texts[row], pairs.hypotheses[row])
        if place > begin and (place - begin == size or held + here > WORK):
            yield part_of(whole, chosen[begin:place])
            begin, held = place, 0
        held += here
    if begin < len(chosen):
        yield part_of(whole, chosen[begin:])


def attributes_with_parts(pairs: Pairs) -> Attributes:
    """The attributes of pairs; those that others were made from list the phenomena and categories of their parts.

    What a file itself lists stays. Worked out over the whole set, since a pair and its parts may be answered apart.
    """
    given = pairs.attributes
    if ORIGINAL not in given or not (PHENOMENON in given or CATEGORY in given):
        return given
    none = (None,) * len(pairs)
    phenomena: dict[str, dict[str, None]] = {}
    categories: dict[str, dict[str, None]] = {}
    rows = zip(given[ORIGINAL], given.get(PHENOMENON) or none, given.get(CATEGORY) or none, strict=True)
    for original, spelled, category in rows:
        if original and spelled:
            phenomena.setdefault(original, {})[str(named(spelled, category))] = None
        if original and (found := category_of(spelled, category)):
            categories.setdefault(original, {})[found] = None
    made: dict[str, Sequence[str | None]] = dict(given)
    for name, parts in ((LISTED_PHENOMENA, phenomena), (LISTED_CATEGORIES, categories)):
        owned = zip(given.get(name) or none, pairs.ids, strict=True)
        made[name] = [own or SEPARATOR.join(parts.get(pair, ())) or None for own, pair in owned]
    return made


def work(text: str, hypothesis: str) -> int:
    """What it takes to hold every word of T beside every word of H, in characters by characters."""
    return len(text) * len(hypothesis)


def part_of(chunk: Chunk, rows: Sequence[int]) -> Chunk:
    """Some rows of a chunk."""

    def some(column: Sequence[Any]) -> Sequence[Any]:
        return [column[row] for row in rows]

    ids, texts, hypotheses, attributes = chunk
    return some(ids), some(texts), some(hypotheses), {name: some(values) for name, values in attributes.items()}
