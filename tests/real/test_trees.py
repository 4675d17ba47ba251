"""Trees of all RTE development texts: they are trees, and near those of spaCy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.engines.kernels.grammar import Dependency, Tag
from karat.engines.lexicon.loading import load_wordnet
from karat.engines.text.chunker import Chunker
from karat.engines.text.spacy_trees import SpacyTrees
from karat.engines.text.vocabulary import Vocabulary
from karat.errors import UsageError
from karat.formats.pairs import read_pairs
from tests.engines.text.parsing import is_forest

DEVELOPMENT = ("RTE1_dev", "RTE2_dev", "RTE3_dev", "RTE5_dev")
CORE = (Dependency.NSUBJ, Dependency.NSUBJ_PASS, Dependency.OBJ)


@pytest.mark.parametrize("name", DEVELOPMENT)
def test_every_sentence_is_a_tree(name: str, real: Path) -> None:
    """One root a sentence and no circles, in texts and hypotheses."""
    pairs = read_pairs(real / "rte" / f"{name}.xml")
    vocabulary = Vocabulary(load_wordnet())
    for texts in (pairs.texts, pairs.hypotheses):
        tokens = Chunker().tokens(pairs.ids, "T", texts, vocabulary)
        assert is_forest(tokens, Chunker().trees(pairs.ids, "T", tokens, vocabulary))


def test_near_spacy(real: Path) -> None:
    """On texts the rules were not developed on, tags, heads and core edges mostly agree with spaCy's."""
    try:
        spacy = SpacyTrees()
    except UsageError as error:
        pytest.skip(str(error))
    wordnet = load_wordnet()
    if not wordnet:
        pytest.skip("the bars are for a chunker with WordNet, which is not installed")
    pairs = read_pairs(real / "rte" / "RTE3_dev.xml")
    vocabulary = Vocabulary(wordnet)
    tokens = Chunker().tokens(pairs.ids, "T", pairs.texts, vocabulary)
    ours = Chunker().trees(pairs.ids, "T", tokens, vocabulary)
    theirs = spacy.trees(pairs.ids, "T", tokens, vocabulary)
    words = (theirs.tags != Tag.PUNCT) & (ours.tags != Tag.PUNCT)
    same = (ours.heads == theirs.heads) & words
    core, wanted = np.isin(ours.dependencies, CORE) & words, np.isin(theirs.dependencies, CORE) & words
    assert (ours.tags == theirs.tags).mean() > 0.94
    assert same.sum() / words.sum() > 0.80
    assert 2 * (same & core & wanted).sum() / (core.sum() + wanted.sum()) > 0.79
