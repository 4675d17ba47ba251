"""Our own tagger and chunker: deterministic, with no model to load, fast enough for millions; and other parsers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bools, Bytes, Int32s
from karat.engines.text.tags import TAG_OF, Dependency, Kind, Tag
from karat.engines.text.tokens import Tokens, tokenise
from karat.engines.text.trees import Side, Trees, TreeSource, lemmas_by_tag
from karat.engines.text.vocabulary import Flag, Vocabulary, WordTable
from karat.errors import Problem, UsageError

_ROWS = """
    -66 11 11 -7 11 11 11 11 11 11 11 11 11 -6 11 11 11
    11 11 2 11 11 11 11 11 11 -3 11 11 11 11 11 11
    1 2 -1 19 32 -1 -1 6 6 -3 -5 1 -5 20 8 15 25
    27 69 34 -9 -5 -5 -1 -8 20 -8 -9 -5 12 19 -5 -4
    60 22 26 37 18 -12 -10 3 -2 -9 -9 -3 -9 17 -7 13 5
    32 8 24 -8 -6 -12 -6 -11 37 -7 -11 4 19 60 3 60
    -5 10 10 -7 33 -6 -7 25 20 -6 -5 -1 -5 21 12 26 26
    35 70 37 7 5 -4 10 10 6 -9 -6 -7 10 27 -15 70
    47 7 0 6 0 47 47 14 0 47 47 -2 47 -1 -7 6 -25
    -16 -5 -12 -4 -1 5 -11 10 -1 18 7 11 -8 47 47 47
    43 6 6 11 8 43 19 16 13 27 43 -7 13 -2 -5 -17 -17
    -8 2 -7 -7 -19 10 -18 13 -1 11 3 15 -9 43 43 43
    52 7 4 3 17 26 34 20 6 26 24 52 52 1 -3 -14 -22
    -17 -7 -8 -6 -10 17 -15 52 -5 8 4 17 -11 52 52 52
    53 6 3 14 25 53 23 27 7 53 53 53 53 8 -3 16 -11
    -1 1 6 -15 -15 2 -6 53 10 5 -1 9 -2 10 53 53
    46 0 -4 8 24 46 46 19 16 46 46 46 16 -2 -5 -5 -27
    -14 -2 -9 -6 -9 26 -6 46 2 17 13 13 -2 46 46 46
    54 25 19 17 54 54 54 -27 -16 9 54 -2 54 -3 -16 24 54
    13 -3 -7 7 3 54 20 54 4 35 36 14 13 -22 54 54
    41 14 5 29 41 41 41 -27 41 -21 7 41 41 10 -9 41 41
    7 0 0 34 0 41 11 41 -2 28 41 41 41 -13 41 41
    20 1 20 10 -12 20 20 20 20 20 20 20 20 9 0 20 20
    -8 20 6 5 20 20 -4 20 20 20 7 20 20 -57 20 20
    38 38 38 38 -36 38 38 22 38 -19 -15 -11 38 38 -13 38 38
    38 38 38 31 13 38 38 38 38 38 38 20 38 -35 38 38
    60 -12 -13 10 60 60 60 24 20 27 33 60 60 -4 15 19 17
    60 20 41 6 -4 1 8 30 11 10 13 -3 9 18 34 60
    49 26 24 22 -6 -10 -8 -15 -3 4 -1 -11 12 -6 -12 5 49
    21 -11 5 -3 2 7 -1 49 -8 -5 -2 -2 -10 49 49 49
    38 38 38 38 16 -26 -21 38 38 -22 -25 -29 -33 18 -4 38 38
    38 38 29 38 38 18 38 38 21 25 38 10 38 38 38 38
    25 25 25 19 3 25 7 25 25 3 25 25 25 -1 5 -5 25
    25 -16 2 -10 -16 -1 1 25 -1 -2 -15 1 25 25 25 25
    41 -13 -13 12 41 41 41 9 11 41 41 41 41 -11 14 41 41
    41 41 41 41 41 41 41 41 0 41 41 16 0 41 41 41
    28 12 16 22 6 -5 -3 -8 28 -26 -10 -22 -18 11 7 28 28
    28 28 28 -4 2 8 28 -13 11 5 15 28 28 28 28 28
    64 -12 1 -3 64 64 64 12 6 64 64 64 64 -13 4 33 64
    64 64 35 64 64 64 64 64 -1 64 64 12 5 64 64 64
    67 2 2 -5 39 67 67 25 -6 31 22 67 37 -2 12 67 -4
    -14 4 -13 19 16 37 22 3 -8 40 36 11 -8 10 67 67
    43 36 43 43 -40 43 43 20 43 -5 -9 -13 43 43 3 43 43
    43 43 43 43 43 43 43 13 -2 43 43 18 43 43 43 43
    50 3 -2 -3 -4 -4 -11 2 -2 1 1 0 2 -7 -8 -8 50
    -9 -9 -2 14 2 30 3 9 -5 23 50 7 9 -7 50 50
    45 8 -2 -1 23 12 27 3 -5 14 17 -12 15 0 6 -33 45
    -16 -18 -10 10 6 25 10 45 -3 26 45 14 45 45 45 45
    38 23 18 24 38 -30 -22 38 38 -19 -25 -29 -24 18 -1 -14 38
    4 38 12 22 12 38 38 38 38 19 38 38 38 38 38 38
    53 1 -16 11 53 21 23 10 53 20 19 53 23 0 27 23 53
    53 6 24 5 3 -2 12 13 -9 -7 -8 -11 -21 53 21 53
    -10 14 10 0 8 -4 -10 1 -14 -3 -6 -8 -3 7 -7 -5 58
    1 -10 -2 1 5 -14 -15 -20 -2 39 58 0 58 8 58 58
    59 8 0 -8 31 59 59 23 3 59 59 59 59 0 -2 -12 59
    15 -19 -11 8 27 17 -1 22 -1 46 46 1 59 16 59 -20
    51 -5 9 -4 12 8 2 -4 -9 5 5 51 7 -1 6 -9 51
    10 -4 4 7 0 -2 0 -4 0 1 8 -1 -1 51 25 -21
    27 12 27 13 27 27 27 27 27 27 27 27 27 27 27 27 27
    27 27 27 27 27 27 27 27 -34 27 15 27 27 27 27 27
    26 19 14 26 -32 26 26 -12 -13 -5 -15 26 26 -3 -9 26 26
    26 26 3 11 -11 26 2 26 26 12 13 7 26 26 26 26
    -25 -11 -3 0 42 42 15 8 13 42 15 42 42 -14 -1 42 42
    42 42 29 42 42 17 18 42 0 24 30 1 1 42 42 42
    4 -2 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4
    4 4 4 4 4 4 4 4 4 -18 4 4 4 4 4 4
"""


def following() -> NDArray[np.int16]:
    """The costs, (before, after), by the codes of `Kind`."""
    return np.array(_ROWS.split(), dtype=np.int16).reshape(len(Kind), len(Kind))


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
        from karat.engines.kernels.attaching import attach  # here: it loads the compiler

        del ids, side
        table = vocabulary.table
        sentences, kinds = tag(tokens, table)
        keys, traits = table.key[tokens.forms], table.traits[tokens.forms]
        heads, relations = attach(tokens.starts, sentences, kinds, keys, traits)
        tags = tags_in_context(kinds, relations)
        return Trees(
            tags,
            lemmas_by_tag(table, tokens.forms, tags),
            heads,
            relations,
            sentences,
        )


def tag(tokens: Tokens, table: WordTable) -> tuple[Int32s, Bytes]:
    """The sentence and the kind of each token."""
    from karat.engines.kernels.tagging import split_sentences, tag_kinds  # here: it loads the compiler

    stops, begins, initials = sentence_marks(table)
    sentences = split_sentences(tokens.starts, tokens.forms, stops, begins, initials)
    kinds = tag_kinds(
        sentences,
        tokens.starts,
        tokens.forms,
        table.kinds,
        table.costs,
        table.first_kinds,
        table.first_costs,
        _following(),
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
    punctuation = table.tag == Tag.PUNCT
    return stops, capital | number | punctuation, (table.flags & Flag.INITIAL) != 0


@cache
def _following() -> NDArray[np.int16]:
    return following()


SUFFIX = ".conllu"
"""How files of parses end; alone, it stands for a file that is yet to be named."""
NAMES = ("chunker", "spacy")


def is_file(name: str) -> bool:
    """Whether a source is a file of parses, which other texts have another of."""
    return name.removesuffix(".gz").endswith(SUFFIX)


def tree_source(name: str) -> TreeSource:
    """The source that a user names: chunker, spacy, or the path of a CoNLL-U file (`.conllu`, or `.conllu.gz`)."""
    if name == "chunker":
        return Chunker()
    if name == "spacy":
        from karat.engines.text.spacy_trees import SpacyTrees  # here: it is an extra, and slow to load

        return SpacyTrees()
    if name == SUFFIX:
        raise UsageError("the model was learnt with parses from a file: give those of these pairs, --trees FILE")
    if is_file(name):
        from karat.engines.text.conllu import ConlluTrees

        return ConlluTrees(name)
    raise UsageError.unknown("source of trees", name, (*NAMES, f"a file ending in {SUFFIX}"))
