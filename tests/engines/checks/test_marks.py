"""Word lists as arrays that grow with the vocabulary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.checks.marks import SPARE, Marks
from karat.engines.knowledge import Knowledge
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.engines.text.chunker import Chunker

CODES = {"fake": 1, "mock": 2, "$": 3}
words = st.lists(st.sampled_from(["Fake", "fake", "mock", "gun", "$", "MOCK", "dog"]), min_size=1)


@given(words, words)
def test_spellings(before: list[str], after: list[str]) -> None:
    """A spelling has its code whatever its case, and whether it was met before the list or after."""
    knowledge, marks = Knowledge(NO_WORDNET, Chunker()), Marks(CODES, "spelling")
    for met in (before, after):
        ids = np.array([knowledge.vocabulary[word] for word in met], dtype=np.int32)
        assert marks.of(knowledge, ids).tolist() == [CODES.get(word.lower(), 0) for word in met]


def test_lemmas_beyond_the_spare_room() -> None:
    """Lemmas met after the array is full have no code, and those of the list keep theirs."""
    knowledge, marks = Knowledge(NO_WORDNET, Chunker()), Marks(["fake"])
    listed = knowledge.vocabulary.lemma_id("fake")
    assert marks.of(knowledge, np.array([listed], dtype=np.int32)).tolist() == [1]
    late = [knowledge.vocabulary.lemma_id(f"word{number}") for number in range(2 * SPARE)]
    assert marks.of(knowledge, np.array([listed, *late], dtype=np.int32)).tolist() == [1] + [0] * len(late)


def test_vocabularies_apart() -> None:
    """One list serves two vocabularies with other ids."""
    marks, one, other = Marks(["fake"]), Knowledge(NO_WORDNET, Chunker()), Knowledge(NO_WORDNET, Chunker())
    for number in range(5):
        other.vocabulary.lemma_id(f"word{number}")
    for knowledge in (one, other, one):
        ids = np.array([knowledge.vocabulary.lemma_id(word) for word in ("gun", "fake")], dtype=np.int32)
        assert marks.of(knowledge, ids).tolist() == [0, 1]
