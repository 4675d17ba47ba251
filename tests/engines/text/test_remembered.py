"""Tests of words that outlast a run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

import pytest

from karat.engines.knowledge import load_knowledge
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet
from karat.engines.model import fit
from karat.engines.text import remembered as kept
from karat.engines.text.vocabulary import Vocabulary
from karat.labels import TWO
from tests.engines.labelled import labelled
from tests.engines.text.parsing import facts

ENDINGS = ("", "ing", "ed", "s")
NEW = [f"{first}qu{second}on{ending}" for first in "abcd" for second in ascii_lowercase[:20] for ending in ENDINGS]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for each test."""
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path))
    kept._path.cache_clear()
    yield tmp_path
    kept._path.cache_clear()


def written() -> Vocabulary:
    """A vocabulary that was kept."""
    vocabulary = Vocabulary(NO_WORDNET)
    for word in NEW:
        vocabulary[word]
    kept.remember(vocabulary)
    return vocabulary


def test_words_come_back_as_they_were(wordnet: WordNet) -> None:
    """Whatever was kept, and in whatever order, a word is what it is to a vocabulary that meets it first."""
    first = kept.remembered(wordnet)
    words = [*NEW, "Barack", "ran", "Running", "1,500", "dogs", "x\ny", "don't", "naïve", "”"]
    for word in words:
        first[word]
    kept.remember(first)
    again = kept.remembered(wordnet)
    assert all(word in again for word in words)
    plain = Vocabulary(wordnet)
    for word in reversed(words):
        assert facts(again, word) == facts(plain, word)
    assert facts(again, "never met before") == facts(plain, "never met before")


def test_a_process_knows_what_learning_met() -> None:
    """Words of the training pairs, with all that an engine asked of them, are there for every process to come."""
    pairs = labelled([(f"The {word} ran.", f"A {word} ran.", "EU"[place % 2]) for place, word in enumerate(NEW)])
    fit("linguistic", pairs, TWO, without=("wordnet",))
    known = load_knowledge(without=("wordnet",)).vocabulary
    assert set(NEW) < set(known)
    assert (known.tables[1][[known[word] for word in NEW]] >= 0).all()


def test_few_new_words_are_not_written(folder: Path) -> None:
    """The file changes only where that is worth it, and one process's words do not undo another's."""
    vocabulary = written()
    file = next(folder.glob("words-*"))
    before = file.read_bytes()
    vocabulary["one more"]
    kept.remember(vocabulary)
    assert file.read_bytes() == before
    for word in NEW:
        vocabulary[f"{word}x"]
    kept.remember(vocabulary)
    assert file.read_bytes() != before
    fewer = Vocabulary(NO_WORDNET)
    kept.remember(fewer)
    assert NEW[0] in kept.remembered(NO_WORDNET)


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-100], lambda data: data[:500] + b"?" + data[501:], lambda _: b""]
)
def test_a_damaged_file_is_made_anew(damage: object, folder: Path) -> None:
    """Cut short, changed or empty."""
    assert callable(damage)
    written()
    file = next(folder.glob("words-*"))
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert not kept.remembered(NO_WORDNET)
    written()
    assert len(file.read_bytes()) == len(whole)
    assert NEW[0] in kept.remembered(NO_WORDNET)


def test_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be written costs time and nothing else; a half of a letter cannot be kept."""
    vocabulary = kept.remembered(NO_WORDNET)
    for word in [*NEW, "\ud800"]:
        vocabulary[word]
    kept.remember(vocabulary)
    assert NEW[0] not in kept.remembered(NO_WORDNET)
    monkeypatch.setenv("KARAT_CACHE", "/dev/null/nowhere")
    kept._path.cache_clear()
    assert not kept.remembered(NO_WORDNET)


def test_processes_write_at_once(folder: Path) -> None:
    """Several at a time leave one whole file."""
    code = (
        "import sys; from karat.engines.lexicon.wordnet import NO_WORDNET;"
        "from karat.engines.text import remembered as kept; words = kept.remembered(NO_WORDNET);"
        "[words[f'{sys.argv[1]}w{n}'] for n in range(500)]; kept.remember(words)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "abc"]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert any(f"{name}w499" in kept.remembered(NO_WORDNET) for name in "abc")
    assert len(list(folder.iterdir())) == 1
