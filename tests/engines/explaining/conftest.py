"""Knowledge with and without a dictionary."""

from __future__ import annotations

import pytest

from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.lexicon.loading import find_dictionary, how_to_get


@pytest.fixture(scope="session")
def bare() -> Knowledge:
    """No dictionary."""
    return load_knowledge(without=["wordnet"])


@pytest.fixture(scope="session")
def learned() -> Knowledge:
    """WordNet, where it is found."""
    if find_dictionary() is None:
        pytest.skip(how_to_get())
    return load_knowledge()
