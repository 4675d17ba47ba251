"""Words that outlast a run: the vocabulary is kept in the cache.

To work out what a spelling may be takes longer than to align it. So every process starts from the words that learning
met before it, from one file, which is whole or made anew; what a word is never depends on when it was met.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from karat.engines.lexicon.loading import cache_folder, read_arrays, write_arrays
from karat.engines.lexicon.wordnet import WordNet
from karat.engines.text.vocabulary import Sorts, Vocabulary, WordTable

FEWEST_NEW = 200
"""New words from which on it is worth writing the file again."""
MOST_KEPT = 300_000
"""Words that are kept: what is met beyond these is mostly slips, codes and numbers."""
FILES_KEPT = 4
SOURCES = [Path(__file__).parent, Path(__file__).parent.parent / "lexicon"]


def remembered(wordnet: WordNet) -> Vocabulary:
    """A vocabulary of all words that were kept."""
    path = _path(wordnet)
    kept = None if path is None else read_arrays(path)
    if kept is None:
        return Vocabulary(wordnet)
    arrays = kept[1]
    forms, lemmas = (msgspec.json.decode(arrays[name].tobytes(), type=list[str]) for name in (FORMS, LEMMAS))
    table, sorts = (tuple(map(arrays.__getitem__, made._fields)) for made in (WordTable, Sorts))
    return Vocabulary(wordnet, forms, lemmas, WordTable(*table), arrays[SORT], Sorts(*sorts))


def remember(vocabulary: Vocabulary) -> None:
    """Keep the words of a vocabulary, if enough of them are new; where they cannot be written, nothing is lost."""
    path = _path(vocabulary.wordnet)
    if path is None or len(vocabulary) > MOST_KEPT:
        return
    kept = read_arrays(path)
    if len(vocabulary) < FEWEST_NEW + (0 if kept is None else len(kept[1][SORT])):
        return
    table, sort, sorts = vocabulary.tables
    with contextlib.suppress(OSError, UnicodeEncodeError):
        columns: dict[str, NDArray[Any]] = {
            FORMS: _packed(vocabulary.forms),
            LEMMAS: _packed(vocabulary.own_lemmas),
            SORT: sort,
        }
        write_arrays(
            path, "words", columns | dict(zip(WordTable._fields + Sorts._fields, (*table, *sorts), strict=True))
        )
        for old in sorted(path.parent.glob("words-*.arrays"), key=lambda file: file.stat().st_mtime)[:-FILES_KEPT]:
            old.unlink()


FORMS, LEMMAS, SORT = "(forms)", "(lemmas)", "(sort)"
"""Columns that are none of the tables'."""


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
