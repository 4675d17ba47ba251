"""Tests of spaCy's trees, where spaCy and a model are installed, and of the conversion, always."""

from __future__ import annotations

import re

import pytest

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.spacy_trees import SpacyTrees, convert
from karat.errors import UsageError
from tests.engines.text.parsing import edges, is_forest, parse


@pytest.fixture(scope="session")
def spacy() -> SpacyTrees:
    """An installed model."""
    try:
        return SpacyTrees()
    except UsageError as error:
        pytest.skip(str(error))


def test_prepositions_and_copulas_are_turned() -> None:
    """In `She is head of it` the noun is the root, *is* its copula, and *of* the case of *it*."""
    heads, relations = convert(
        [1, -1, 1, 2, 3],
        ["nsubj", "ROOT", "attr", "prep", "pobj"],
        [Tag.PRON, Tag.AUX, Tag.NOUN, Tag.ADP, Tag.PRON],
        ["", "be", "", "", ""],
    )
    assert heads == [2, 2, -1, 4, 2]
    assert relations == [Dependency.NSUBJ, Dependency.COP, Dependency.ROOT, Dependency.CASE, Dependency.NMOD]


def test_lists_are_straightened() -> None:
    """In `a, b and c` both b and c hang on a, and *and* on c."""
    heads, relations = convert(
        [-1, 0, 0, 2, 2], ["ROOT", "punct", "conj", "cc", "conj"], [Tag.NOUN, Tag.PUNCT, Tag.NOUN, Tag.CCONJ, Tag.NOUN],
        [""] * 5,
    )  # fmt: skip
    assert heads == [-1, 0, 0, 4, 0]
    assert relations[3] is Dependency.CC


def test_trees(spacy: SpacyTrees) -> None:
    """Our tokens, our relations, and trees."""
    texts = ["He didn't buy the house. It was sold by Mr. Smith in Rome.", "", "Paris is the capital of France."]
    _, tokens, trees = parse(texts, NO_WORDNET, spacy)
    assert is_forest(tokens, trees)
    assert trees.sentences.max() == 1
    assert {"obl:agent(sold, Smith)", "case(Smith, by)", "advmod:neg(buy, 't)", "aux(buy, didn)"} <= edges(
        texts[0], NO_WORDNET, spacy
    )
    assert {"cop(capital, is)", "nsubj(capital, Paris)", "nmod(capital, France)"} <= edges(texts[2], NO_WORDNET, spacy)


def test_signature(spacy: SpacyTrees) -> None:
    """The versions of spaCy and of the model are told."""
    assert re.fullmatch(r"spaCy \d+\.\d+\.\d+, en_core_web_\w+ \d+\.\d+\.\d+", spacy.name)
