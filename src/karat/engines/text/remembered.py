"""Words that outlast a run: the vocabulary is kept in the cache, and begins with the commoner words of the dictionary.

To work out what a spelling may be takes longer than to align it. So every process starts from the words that runs
before it met, mapped from one file, which is whole or made anew; what a word is never depends on when it was met.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.engines.lexicon.inflection import inflections
from karat.engines.lexicon.loading import cache_folder, read_arrays, write_arrays
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import WordNet
from karat.engines.text import closed
from karat.engines.text.vocabulary import Vocabulary, WordTable

FEWEST_NEW = 200
"""New words from which on it is worth writing the file again."""
MOST_KEPT = 300_000
"""Words that are kept: what is met beyond these is mostly slips, codes and numbers."""
FILES_KEPT = 4
SOURCES = [Path(__file__).parent, Path(__file__).parent.parent / "lexicon"]


def remembered(wordnet: WordNet) -> Vocabulary:
    """A vocabulary of all words that were kept; the first one ever begins with the dictionary's common words."""
    path = _path(wordnet)
    kept = None if path is None else _read(path)
    if kept is not None:
        return Vocabulary(wordnet, *kept)
    vocabulary = Vocabulary(wordnet)
    for word in common_words(wordnet):
        vocabulary[word]
    vocabulary.begun = len(vocabulary)
    remember(vocabulary)
    return vocabulary


def remember(vocabulary: Vocabulary) -> None:
    """Keep the words of a vocabulary, if enough of them are new; where they cannot be written, nothing is lost."""
    path = _path(vocabulary.wordnet)
    if path is None or len(vocabulary) > MOST_KEPT:
        return
    kept = _read(path)
    if kept is not None and len(vocabulary) < len(kept[0]) + FEWEST_NEW:
        return
    table = vocabulary.table
    columns = {field.name: getattr(table, field.name) for field in fields(WordTable)}
    with contextlib.suppress(OSError, UnicodeEncodeError):
        write_arrays(
            path, "words", {FORMS: _packed(vocabulary.forms), LEMMAS: _packed(vocabulary.own_lemmas), **columns}
        )
        _read.cache_clear()
        for old in sorted(path.parent.glob("words-*.arrays"), key=lambda file: file.stat().st_mtime)[:-FILES_KEPT]:
            old.unlink()


def common_words(wordnet: WordNet) -> Iterator[str]:
    """Words of closed classes, and those that a tagged corpus has: by themselves, with a capital, and inflected."""
    for word in closed.TAGS:
        yield from (word, word.capitalize())
    for lemma in np.flatnonzero(wordnet.part_counts.sum(axis=1)).tolist():
        word = wordnet.lemma(lemma)
        if word.isalpha():
            yield from (word, word.capitalize())
            yield from (form for part in Part if wordnet.part_counts[lemma, part] for form in inflections(word, part))


FORMS, LEMMAS = "(forms)", "(lemmas)"
"""Strings among the columns of the table."""


@lru_cache(2)
def _read(path: Path) -> tuple[list[str], list[str], WordTable] | None:
    kept = read_arrays(path)
    if kept is None:
        return None
    arrays = kept[1]
    forms, lemmas = (msgspec.json.decode(arrays.pop(name).tobytes(), type=list[str]) for name in (FORMS, LEMMAS))
    return forms, lemmas, WordTable(**arrays)


def _packed(strings: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer(msgspec.json.encode(strings), np.uint8)


@lru_cache(2)
def _path(wordnet: WordNet) -> Path | None:
    """Where the words are kept: the name changes with the dictionary, and with all code and lists that read words."""
    folder = cache_folder()
    if folder is None:
        return None
    digest = hashlib.sha256(repr((wordnet.name, len(wordnet), np.__version__, sys.byteorder)).encode())
    for array in (wordnet.part_masks, wordnet.part_counts):
        digest.update(array.tobytes())
    for source in sorted(path for place in SOURCES for path in place.iterdir() if path.suffix in (".py", ".txt")):
        digest.update(source.read_bytes())
    return folder / f"words-{digest.hexdigest()[:16]}.arrays"
