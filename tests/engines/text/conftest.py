"""WordNet where it is installed, for what only a dictionary can tell."""

from __future__ import annotations

import pytest

from karat.engines.lexicon.loading import find_dictionary, how_to_get, load
from karat.engines.lexicon.wordnet import WordNet


@pytest.fixture(scope="session")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    """The WordNet of this machine."""
    found = find_dictionary()
    if found is None:
        pytest.skip(how_to_get())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KARAT_CACHE", str(tmp_path_factory.getbasetemp().parent / "karat-cache"))
        return load(found)
