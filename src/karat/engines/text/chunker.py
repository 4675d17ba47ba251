"""Our own tagger and chunker: deterministic, with no model to load, fast enough for millions; and files of parses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Int32s
from karat.engines.kernels.grammar import TAG_OF, Dependency, Kind, Tag
from karat.engines.text.trees import Side, Tokens, Trees, TreeSource, lemmas_by_tag, tokenise
from karat.engines.text.vocabulary import Flag, Sorts, Vocabulary, WordTable
from karat.errors import Problem, UsageError

TAGS = np.array([TAG_OF[kind] for kind in Kind], dtype=np.int8)


class Chunker:
    """Trees by rules: kinds of words by their context, phrases, and where phrases hang."""

    name = "karat's chunker"
    warnings: tuple[Problem, ...] = ()

    def tokens(self, ids: Sequence[str], side: Side, texts: Sequence[str], vocabulary: Vocabulary) -> Tokens:
        """The tokens of each text."""
        del ids, side
        return tokenise(texts, vocabulary)

    def trees(self, ids: Sequence[str], side: Side, tokens: Tokens, vocabulary: Vocabulary) -> Trees:
        """A tree for each sentence."""
        from karat.engines.kernels.parsing import attach  # here: it loads the compiler

        del ids, side
        table, (sort, sorts) = vocabulary.table, vocabulary.sorts(tokens.forms)
        sentences, kinds = tag(tokens, table, sort, sorts)
        heads, relations = attach(tokens.starts, sentences, kinds, sorts.key[sort], sorts.traits[sort])
        tags = tags_in_context(kinds, relations)
        return Trees(tags, lemmas_by_tag(table, tokens.forms, tags), heads, relations, sentences)


def tag(tokens: Tokens, table: WordTable, sort: Int32s, sorts: Sorts) -> tuple[Int32s, Bytes]:
    """The sentence and the kind of each token."""
    from karat.engines.kernels.parsing import split_sentences, tag_kinds  # here: it loads the compiler

    stops, begins, initials = sentence_marks(table)
    sentences = split_sentences(tokens.starts, tokens.forms, stops, begins, initials)
    kinds = tag_kinds(
        sentences,
        tokens.starts,
        sort,
        sorts.kinds,
        sorts.costs,
        sorts.first_kinds,
        sorts.first_costs,
        following(),
        int(Kind.STOP),
    )
    return sentences, kinds


def tags_in_context(kinds: Bytes, relations: Bytes) -> Bytes:
    """The tags; *have* and *do* are verbs where they help no other verb."""
    full = np.isin(kinds, (Kind.HAVE, Kind.DO)) & (relations != Dependency.AUX)
    return np.where(full, np.int8(Tag.VERB), TAGS[kinds])


def sentence_marks(table: WordTable) -> tuple[Bools, Bools, Bools]:
    """Of each spelling: whether it ends a sentence, may begin one, is a lone capital."""
    stops = (table.flags & Flag.STOP) != 0
    capital = (table.flags & Flag.CAPITAL) != 0
    number = (table.flags & Flag.NUMBER) != 0
    punctuation = (table.flags & Flag.PUNCTUATION) != 0
    return stops, capital | number | punctuation, (table.flags & Flag.INITIAL) != 0


@cache
def following() -> NDArray[np.int16]:
    """What it costs that a kind of word follows another: (before, after), by the codes of `Kind`."""
    return np.loadtxt(Path(__file__).with_name("following.txt"), dtype=np.int16)


SUFFIX = ".conllu"
"""How files of parses end; alone, it stands for a file that is yet to be named."""


def is_file(name: str) -> bool:
    """Whether a source is a file of parses, which other texts have another of."""
    return name.removesuffix(".gz").endswith(SUFFIX)


def tree_source(name: str) -> TreeSource:
    """The source that a user names: chunker, or the path of a CoNLL-U file (`.conllu`, or `.conllu.gz`)."""
    if name == "chunker":
        return Chunker()
    if name == SUFFIX:
        raise UsageError("the model was learnt with parses from a file: give those of these pairs, --trees FILE")
    if is_file(name):
        from karat.engines.text.conllu import ConlluTrees

        return ConlluTrees(name)
    raise UsageError.unknown("source of trees", name, ("chunker", f"a file ending in {SUFFIX}"))
