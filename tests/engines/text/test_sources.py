"""Tests of naming a source of trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.engines.text.chunker import Chunker, tree_source
from karat.errors import DataError, UsageError
from tests.engines.text.conllu_files import document, row


def test_names(tmp_path: Path) -> None:
    """The chunker by name, a file by its ending; another name gets the nearest."""
    path = tmp_path / "x.conllu"
    path.write_text(document("1/T", row("1", "a")))
    assert isinstance(tree_source("chunker"), Chunker)
    assert tree_source(str(path)).name.startswith("CoNLL-U x.conllu")
    with pytest.raises(UsageError, match="did you mean 'chunker'"):
        tree_source("chunkr")
    with pytest.raises(DataError, match="unreadable"):
        tree_source(str(tmp_path / "none.conllu"))
