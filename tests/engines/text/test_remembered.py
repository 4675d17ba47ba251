"""Tests of words that outlast a run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from karat.engines.lexicon.inflection import candidates, inflections
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import NO_WORDNET, WordNet
from karat.engines.text import remembered as kept
from karat.engines.text.vocabulary import Vocabulary, WordTable

NEW = [
    f"{letter}quon{ending}{number}" for letter in "abcd" for ending in ("", "ing", "ed", "s") for number in range(20)
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for each test."""
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path))
    kept._path.cache_clear()
    kept._read.cache_clear()
    yield tmp_path
    kept._path.cache_clear()
    kept._read.cache_clear()


def facts(vocabulary: Vocabulary, word: str) -> list[object]:
    """All that the table says of a word, with strings for ids."""
    row = vocabulary[word]
    table = vocabulary.table
    spelled = {
        "lower": vocabulary.forms[table.lower[row]],
        "lemma": vocabulary.lemma(int(table.lemma[row])),
        "lemmas": [vocabulary.lemma(int(lemma)) for lemma in table.lemmas[row]],
    }
    rest = (np.nan_to_num(getattr(table, field.name)[row], nan=-1.0).tolist() for field in fields(WordTable)[3:])
    return [spelled, *rest]


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


def test_few_new_words_are_not_written(folder: Path) -> None:
    """The file changes only where that is worth it, and one process's words do not undo another's."""
    vocabulary = kept.remembered(NO_WORDNET)
    file = next(folder.glob("words-*"))
    before = file.read_bytes()
    vocabulary["one more"]
    kept.remember(vocabulary)
    assert file.read_bytes() == before
    for word in NEW:
        vocabulary[word]
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
    kept.remembered(NO_WORDNET)
    file = next(folder.glob("words-*"))
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    kept._read.cache_clear()
    assert "The" in kept.remembered(NO_WORDNET)
    assert file.read_bytes() == whole


def test_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be written costs time and nothing else; a half of a letter cannot be kept."""
    vocabulary = kept.remembered(NO_WORDNET)
    for word in [*NEW, "\ud800"]:
        vocabulary[word]
    kept.remember(vocabulary)
    assert NEW[0] not in kept.remembered(NO_WORDNET)
    monkeypatch.setenv("KARAT_CACHE", "/dev/null/nowhere")
    kept._path.cache_clear()
    assert "the" in kept.remembered(NO_WORDNET)


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


def test_inflections_are_taken_apart_again() -> None:
    """Every form made of a lemma has it among its candidates."""
    for part, lemmas in {Part.NOUN: ["dog", "bus", "city"], Part.VERB: ["hope", "stop", "try"]}.items():
        for lemma in lemmas:
            assert all(lemma in candidates(form, part) for form in inflections(lemma, part))
    assert {"stopped", "stopping", "stops"} <= set(inflections("stop", Part.VERB))
    assert {"hoped", "hoping", "hopes"} <= set(inflections("hope", Part.VERB))
