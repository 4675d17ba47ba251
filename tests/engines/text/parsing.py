"""A sentence, its tags and its edges in a form that is easy to read and to write."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.wordnet import WordNet
from karat.engines.text.chunker import Chunker
from karat.engines.text.conllu import NAMES
from karat.engines.text.trees import Tokens, Trees, TreeSource
from karat.engines.text.vocabulary import Vocabulary


def parse(texts: Sequence[str], wordnet: WordNet, source: TreeSource | None = None) -> tuple[Vocabulary, Tokens, Trees]:
    """The texts with our own chunker, or another source."""
    source = source or Chunker()
    vocabulary = Vocabulary(wordnet)
    ids = [str(place) for place in range(len(texts))]
    tokens = source.tokens(ids, "T", texts, vocabulary)
    return vocabulary, tokens, source.trees(ids, "T", tokens, vocabulary)


def facts(vocabulary: Vocabulary, word: str) -> list[object]:
    """All that is known of a word, with strings for ids."""
    row = vocabulary[word]
    table, (sort, sorts) = vocabulary.table, vocabulary.sorts(np.array([row], dtype=np.int32))
    return [
        vocabulary.forms[table.lower[row]],
        [vocabulary.lemma(int(lemma)) for lemma in (table.lemma[row], *table.lemmas[row])],
        int(table.flags[row]),
        str(table.value[row]),
        *(column[sort[0]].tolist() for column in sorts),
    ]


def edges(text: str, wordnet: WordNet, source: TreeSource | None = None) -> set[str]:
    """The edges of a text as `relation(head, word)`."""
    vocabulary, tokens, trees = parse([text], wordnet, source)
    words = [vocabulary.forms[form] for form in tokens.forms]
    return {
        f"{NAMES[Dependency(relation)]}({words[head] if head >= 0 else ''}, {word})"
        for word, head, relation in zip(words, trees.heads, trees.dependencies, strict=True)
    }


def tagged(text: str, wordnet: WordNet, source: TreeSource | None = None) -> str:
    """The text as word/TAG."""
    vocabulary, tokens, trees = parse([text], wordnet, source)
    pairs = zip(tokens.forms, trees.tags, strict=True)
    return " ".join(f"{vocabulary.forms[form]}/{Tag(tag).name}" for form, tag in pairs)


def is_forest(tokens: Tokens, trees: Trees) -> bool:
    """Whether every sentence has one root, which each of its words leads to, and no edge leaves its sentence."""
    for text in range(len(tokens)):
        rows = tokens.rows(text)
        heads, sentences = trees.heads[rows].tolist(), trees.sentences[rows].tolist()
        relations = trees.dependencies[rows].tolist()
        roots = [sentences[place] for place, head in enumerate(heads) if head == -1]
        if sorted(roots) != sorted(set(sentences)):
            return False
        for place, head in enumerate(heads):
            if (head == -1) != (relations[place] == Dependency.ROOT):
                return False
            if head != -1 and (not 0 <= head < len(heads) or sentences[head] != sentences[place]):
                return False
            seen = set()
            while place != -1:
                if place in seen:
                    return False
                seen.add(place)
                place = heads[place]
    return True
