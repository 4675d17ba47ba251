"""The dictionary's files turned into arrays once, and kept in a cache that is whole or rebuilt."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bytes, Ints
from karat.engines.lexicon.container import read_arrays, string_arrays, write_arrays
from karat.engines.lexicon.expanding import expand
from karat.engines.lexicon.inflection import irregular_forms
from karat.engines.lexicon.reading import Columns, Dictionary, find_dictionary, read_columns
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import ABSENT, NO_WORDNET, WordNet

CACHES_KEPT = 4
"""Caches that stay: two dictionaries, and two versions of karat."""
Arrays = dict[str, NDArray[Any]]


@cache
def load_wordnet() -> WordNet:
    """The WordNet of this machine, compiled at the first use ever; `NO_WORDNET` where none is found."""
    dictionary = find_dictionary()
    return NO_WORDNET if dictionary is None else load(dictionary)


def load(dictionary: Dictionary) -> WordNet:
    """A dictionary from the cache, or compiled and put there; without a place for a cache, compiled all the same."""
    path = cache_path(dictionary)
    kept = read_arrays(path) if path is not None else None
    if kept is None:
        kept = compile_dictionary(dictionary)
        if path is not None:
            with contextlib.suppress(OSError):
                write_arrays(path, *kept)
                _forget(path)
    return WordNet(*kept)


def cache_path(dictionary: Dictionary) -> Path | None:
    """Where a dictionary's arrays are kept: the name changes with its files, and with the code that reads them."""
    folder = cache_folder()
    if folder is None:
        return None
    seen = [
        (name, str(path), (facts := path.stat()).st_size, facts.st_mtime_ns)
        for name, paths in sorted(dictionary.files.items())
        for path in paths
    ]
    digest = hashlib.sha256(repr((np.__version__, sys.byteorder, seen)).encode())
    for source in sorted(path for path in Path(__file__).parent.iterdir() if path.suffix in (".py", ".txt")):
        digest.update(source.read_bytes())
    return folder / f"wordnet-{digest.hexdigest()[:16]}.arrays"


def _forget(path: Path) -> None:
    """Remove caches of dictionaries and versions that have gone, as far as one can tell: all but the newest few."""
    caches = sorted(path.parent.glob(f"wordnet-*{path.suffix}"), key=lambda cache: cache.stat().st_mtime)
    for old in caches[:-CACHES_KEPT]:
        old.unlink()


def cache_folder() -> Path | None:
    """`KARAT_CACHE`, else `karat` in the user's cache folder; none where there is no home."""
    if named := os.environ.get("KARAT_CACHE"):
        return Path(named)
    user = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if user.is_absolute():
        return user / "karat"
    try:
        return Path.home() / ".cache" / "karat"
    except RuntimeError:
        return None


def compile_dictionary(dictionary: Dictionary) -> tuple[dict[str, Any], Arrays]:
    """The facts and arrays of a `WordNet`, from the dictionary's own files."""
    columns = read_columns(dictionary)
    counts, masks = _parts(columns)
    arrays: Arrays = {
        **expand(columns)._asdict(),
        "part_masks": masks,
        "part_counts": np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16),
        "fields": _fields(columns),
        **_strings("lemma", columns.lemmas),
        **_irregular(columns, counts, masks),
    }
    return {"name": columns.name, "synsets": len(columns.synset_part)}, arrays


def _strings(kind: str, strings: list[str]) -> Arrays:
    made = string_arrays(strings)
    return {f"{kind}_text": made.text, f"{kind}_starts": made.starts, f"{kind}_slots": made.slots}


def _parts(columns: Columns) -> tuple[Ints, NDArray[np.uint8]]:
    """How often each lemma was tagged in each part of speech, and which it has at all."""
    counts = np.zeros((len(columns.lemmas), len(Part)), np.int64)
    np.add.at(counts, (columns.sense_lemma, columns.sense_part), columns.sense_count)
    masks = np.zeros(len(columns.lemmas), np.uint8)
    np.bitwise_or.at(masks, columns.sense_lemma, np.left_shift(1, columns.sense_part).astype(np.uint8))
    return counts, masks


def _fields(columns: Columns) -> Bytes:
    """The semantic field of each lemma's first sense in each part of speech."""
    first = columns.sense_number == 1
    fields = np.full((len(Part), len(columns.lemmas)), ABSENT, np.int8)
    fields[columns.sense_part[first], columns.sense_lemma[first]] = columns.synset_field[columns.sense_synset[first]]
    return fields


def _irregular(columns: Columns, counts: Ints, masks: NDArray[np.uint8]) -> Arrays:
    """Irregular forms, the dictionary's and then ours, each with the lemma it is most often a form of."""
    number = {lemma: place for place, lemma in enumerate(columns.lemmas)}
    ours = [(int(part), form, (lemma,)) for part in Part for form, lemma in irregular_forms(part).items()]
    found: dict[str, int] = {}
    for part, form, lemmas in [*columns.exceptions, *ours]:
        known = [number[lemma] for lemma in lemmas if lemma in number and masks[number[lemma]] >> part & 1]
        if known:
            found.setdefault(f"{part}{form}", max(known, key=lambda lemma: int(counts[lemma, part])))
    forms = sorted(found)
    return {
        **_strings("irregular", forms),
        "irregular_lemmas": np.array([found[form] for form in forms], np.int32),
    }
