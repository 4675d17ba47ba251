"""Loops over arrays, compiled where numba is installed and run as they stand where it is not.

One source for both: what the compiled code computes is what the Python says, only slower without numba. Loading numba
takes a second, so a module that compiles is imported only by what needs it.
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
"""Set in the environment, this keeps the plain Python even where numba is installed: the twin that tests run."""

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
    """The function, compiled at its first call and kept on disk; it holds no lock of the interpreter while it runs."""
    if not COMPILES:
        return function
    settings: Any = numba.config
    before = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = before or kept_in()
        made: Any = numba.njit(cache=True, nogil=True)(function)
        made._cache._cache_file.__class__ = Checked
        return cast(Callable[P, R], made)
    except RuntimeError:  # no folder to keep the compiled code in
        return cast(Callable[P, R], numba.njit(nogil=True)(function))
    finally:
        settings.CACHE_DIR = before


class Checked(Files):  # type: ignore[misc]
    """Files of compiled code, each behind its SHA-256: a damaged one is as good as none, and is compiled anew.

    numba unpickles whatever it finds, and would run machine code in which a bit has changed.
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
            raise OSError(f"{name} is damaged")  # which numba takes for a file that is gone
        return found

    def _save_data(self, name: str, data: Any) -> None:
        self._save(self._data_path(name), data)

    def _save(self, path: str, content: Any) -> None:
        data = self._dump(content)
        with (
            contextlib.suppress(OSError),
            self._open_for_write(path) as file,
        ):  # a full disk keeps nobody from computing
            file.write(hashlib.sha256(data).digest() + data)


def _unsealed(data: bytes) -> Any:
    """What was pickled behind its digest; None where a byte of it has changed or is missing."""
    size = hashlib.sha256().digest_size
    return pickle.loads(data[size:]) if hashlib.sha256(data[size:]).digest() == data[:size] else None


def compiled_before() -> bool:
    """Whether there is nothing to compile, or some of it was."""
    if not COMPILES:
        return True
    settings: Any = numba.config
    folder = settings.CACHE_DIR or kept_in()
    return bool(folder) and any(Path(folder).rglob("*.nbi"))


@cache
def kept_in() -> str:
    """A folder of compiled code for exactly these kernels; none where none can be written beside them.

    numba looks at the file of a function only, not at the files of what it calls: code compiled before a change
    elsewhere would run on. So the folder is named by all kernels together, and those of other kernels are removed.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*here.glob("*.py"), *(here.parent / "engines" / "kernels").glob("*.py")]):
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
