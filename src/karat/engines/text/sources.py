"""Where trees come from, by name."""

from __future__ import annotations

from karat.engines.text.chunker import Chunker
from karat.engines.text.trees import TreeSource
from karat.errors import UsageError

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
