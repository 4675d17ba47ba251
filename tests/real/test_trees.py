"""Trees of all RTE development texts: they are trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.engines.lexicon.loading import load_wordnet
from karat.engines.text.chunker import Chunker
from karat.engines.text.vocabulary import Vocabulary
from karat.formats.pairs import read_pairs
from tests.engines.text.parsing import is_forest

DEVELOPMENT = ("RTE1_dev", "RTE2_dev", "RTE3_dev", "RTE5_dev")


@pytest.mark.nightly
@pytest.mark.parametrize("name", DEVELOPMENT)
def test_every_sentence_is_a_tree(name: str, real: Path) -> None:
    """One root a sentence and no circles, in texts and hypotheses."""
    pairs = read_pairs(real / "rte" / f"{name}.xml")
    vocabulary = Vocabulary(load_wordnet())
    for texts in (pairs.texts, pairs.hypotheses):
        tokens = Chunker().tokens(pairs.ids, "T", texts, vocabulary)
        assert is_forest(tokens, Chunker().trees(pairs.ids, "T", tokens, vocabulary))
