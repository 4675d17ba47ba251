"""WordNet where it is installed, and a small dictionary always."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from karat.engines.lexicon.loading import compile_dictionary, find_dictionary, how_to_get, load
from karat.engines.lexicon.reading import Dictionary
from karat.engines.lexicon.wordnet import WordNet
from tests.engines.lexicon.dictionaries import write_small


@pytest.fixture
def small_folder(tmp_path: Path) -> Path:
    """The files of a small dictionary."""
    return write_small(tmp_path / "dictionary")


@pytest.fixture
def small_dictionary(small_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Dictionary:
    """The small dictionary, found; its cache is the test's own."""
    monkeypatch.setenv("WORDNET_DIR", str(small_folder))
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path / "cache"))
    found = find_dictionary()
    assert found is not None
    return found


@pytest.fixture
def small(small_dictionary: Dictionary) -> WordNet:
    """The small dictionary, compiled."""
    return WordNet(*compile_dictionary(small_dictionary))


@pytest.fixture(scope="session")
def installed() -> Dictionary:
    """The WordNet of this machine."""
    found = find_dictionary()
    if found is None:
        pytest.skip(how_to_get())
    return found


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder in which the processes of one run share what one of them compiles."""
    folder = tmp_path_factory.getbasetemp()
    return str((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "karat-cache")


@pytest.fixture(scope="session")
def wordnet(installed: Dictionary, shared_cache: str) -> WordNet:
    """The WordNet of this machine, compiled once for all the tests of a run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KARAT_CACHE", shared_cache)
        return load(installed)
