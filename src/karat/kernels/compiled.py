"""Loops over arrays, compiled if numba is installed and run as plain Python otherwise.

Both run the same source; without numba it is only slower. Loading numba takes a second, so modules that compile are
imported only where they are needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

PLAIN = "KARAT_NO_NUMBA"
"""If this environment variable is set, the loops run as plain Python even if numba is installed, as tests do."""

ENGINE_KERNELS = Path(__file__).parent.parent / "engines" / "kernels"

try:
    import numba
    from numba.core import caching
except ImportError:
    COMPILES = False
    Files: Any = object
else:
    Files = caching.IndexDataCacheFile
    COMPILES = not os.environ.get(PLAIN)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled at its first call and cached on disk; it releases the interpreter's lock while it runs."""
    if not COMPILES:
        return function
    settings: Any = numba.config
    before = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = before or kept_in()
        made: Any = numba.njit(cache=True, nogil=True)(function)
        made._cache._cache_file.__class__ = CheckedFiles
        return cast(Callable[P, R], made)
    except RuntimeError:  # no folder to cache the compiled code in
        return cast(Callable[P, R], numba.njit(nogil=True)(function))
    finally:
        settings.CACHE_DIR = before


class CheckedFiles(Files):  # type: ignore[misc]
    """Files of compiled code, each preceded by its SHA-256, so that a damaged one is ignored and compiled again.

    numba itself unpickles whatever it finds, and would run machine code in which a bit has changed.
    """

    def _load_index(self) -> dict[Any, str]:
        with contextlib.suppress(OSError):
            found = _unsealed(Path(self._index_path).read_bytes())
            if found is not None and found[:2] == (self._version, self._source_stamp):
                return cast(dict[Any, str], found[2])
        return {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._save(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        found = _unsealed(Path(self._data_path(name)).read_bytes())
        if found is None:
            raise OSError(f"{name} is damaged")  # numba treats this as a missing file
        return found

    def _save_data(self, name: str, data: Any) -> None:
        self._save(self._data_path(name), data)

    def _save(self, path: str, content: Any) -> None:
        data = self._dump(content)
        with (
            contextlib.suppress(OSError),
            self._open_for_write(path) as file,
        ):  # a full disk must not stop the computation
            file.write(hashlib.sha256(data).digest() + data)


def _unsealed(data: bytes) -> Any:
    """The unpickled content, or None if it does not match its digest."""
    size = hashlib.sha256().digest_size
    return pickle.loads(data[size:]) if hashlib.sha256(data[size:]).digest() == data[:size] else None


def compiled_before() -> bool:
    """Whether there is nothing to compile for engines, or the cache already holds compiled code of theirs."""
    if not COMPILES:
        return True
    settings: Any = numba.config
    folder = settings.CACHE_DIR or kept_in()
    loops = {path.stem for path in ENGINE_KERNELS.glob("*.py")}
    return bool(folder) and any(path.name.partition(".")[0] in loops for path in Path(folder).rglob("*.nbi"))


@cache
def kept_in() -> str:
    """A cache folder for exactly these kernels; empty if none can be written next to them.

    numba checks only the file of a function, not the files of the functions it calls, so code compiled before a change
    elsewhere would still be used. The folder is therefore named after the content of all kernels, and older ones are
    removed.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*here.glob("*.py"), *ENGINE_KERNELS.glob("*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    folder = here / "__pycache__" / f"compiled-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    for other in folder.parent.glob("compiled-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return str(folder) if os.access(folder, os.W_OK) else ""
