"""Related words against a walk from each word, over dictionaries made by chance and over WordNet itself."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.lexicon import expanding as strengths
from karat.engines.lexicon.loading import DEBIAN, compile_dictionary, find_dictionary
from karat.engines.lexicon.reading import Dictionary
from karat.engines.lexicon.relations import Relation
from karat.engines.lexicon.wordnet import WordNet
from tests.engines.lexicon.dictionaries import write_random
from tests.engines.lexicon.naive import Naive


def compiled(folder: Path) -> WordNet:
    """The dictionary in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDNET_DIR", str(folder))
        found = find_dictionary()
    assert found is not None
    return WordNet(*compile_dictionary(found))


def row(wordnet: WordNet, lemma: str) -> dict[str, tuple[Relation, float]]:
    """What the arrays say of a word."""
    number = wordnet.lemma_id(lemma)
    places = range(wordnet.starts[number], wordnet.starts[number + 1])
    return {
        wordnet.lemma(int(wordnet.words[at])): (
            Relation(int(wordnet.relations[at])),
            float(wordnet.strengths[at]),
        )
        for at in places
    }


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_every_row_is_the_walk(seed: int) -> None:
    """What each word bears on, how and how strongly is what a walk from it finds."""
    with tempfile.TemporaryDirectory() as name:
        folder = write_random(Path(name), seed)
        made, naive = compiled(folder), Naive(folder)
    for lemma in naive.senses:
        assert row(made, lemma) == naive.row(lemma)


@pytest.mark.nightly
def test_rows_of_wordnet_are_walks(wordnet: WordNet, installed: Dictionary) -> None:
    """The same for words of WordNet drawn by chance, and for the most ambiguous ones."""
    if installed.place != str(DEBIAN):
        pytest.skip("the walk reads WordNet's own folder, with its counts")
    naive = Naive(DEBIAN)
    drawn = np.random.default_rng(6).choice(len(wordnet), 1500, replace=False)
    for lemma in [*map(wordnet.lemma, drawn.tolist()), "be", "dog", "hot", "line", "run", "china", "well"]:
        assert row(wordnet, lemma) == naive.row(lemma)


def test_rows_are_sorted(wordnet: WordNet) -> None:
    """In every row the words ascend, none is the word itself, and strengths are in (0, 1]."""
    first = np.repeat(np.arange(len(wordnet)), np.diff(wordnet.starts))
    assert (np.diff(first * len(wordnet) + wordnet.words.astype(np.int64)) > 0).all()
    assert (first != wordnet.words).all()
    assert wordnet.strengths.min() > 0
    assert wordnet.strengths.max() <= 1
    assert set(np.unique(wordnet.relations).tolist()) == {*Relation} - {Relation.NONE, Relation.SAME}


@pytest.mark.parametrize(
    ("part", "number", "count", "expected"),
    [
        ([0, 0, 0], [1, 2, 3], [0, 0, 0], [1, strengths.DAMPED, 0]),
        ([0, 0, 0], [1, 2, 3], [90, 7, 3], [1, strengths.DAMPED, 0]),
        ([0, 0, 0], [1, 2, 3], [90, 3, 7], [1, strengths.RARE, strengths.DAMPED]),
        ([0, 1, 1], [1, 1, 2], [1, 90, 9], [0, 1, strengths.DAMPED]),
        ([0, 1, 1], [1, 1, 2], [0, 9, 9], [strengths.RARE, 1, 1]),
    ],
)
def test_senses_weigh(part: list[int], number: list[int], count: list[int], expected: list[float]) -> None:
    """A sense counts by its share of a word's uses; first senses count anyway, parts of speech never used do not."""
    weights = strengths.sense_weights(np.zeros(3, np.int64), *map(np.array, (part, number, count)))
    assert weights.tolist() == expected
