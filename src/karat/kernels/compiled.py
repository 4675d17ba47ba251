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
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

PLAIN = "KARAT_NO_NUMBA"
"""If this environment variable is set, the loops run as plain Python even if numba is installed, as tests do."""

PACKAGE = Path(__file__).parent.parent

try:
    import numba
    from numba.core import caching, registry
except ImportError:
    COMPILES = False
    Files: Any = object
    Dispatcher: Any = object
else:
    Files = caching.IndexDataCacheFile
    Dispatcher = registry.CPUDispatcher
    COMPILES = not os.environ.get(PLAIN)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled at its first call and cached on disk; it releases the interpreter's lock while it runs.

    The loops of engines are many: compiling them takes half a minute, so they run as plain Python until it is done.
    """
    if not COMPILES:
        return function
    settings: Any = numba.config
    before = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = before or kept_in()
        made: Any = numba.njit(cache=True, nogil=True)(function)
        made._cache._cache_file.__class__ = CheckedFiles
        if function.__module__.startswith("karat.engines."):
            made.__class__ = Waiting
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


class Waiting(Dispatcher):  # type: ignore[misc]
    """Compiled code once all engines' loops are compiled, and the same source as plain Python until then."""

    def __call__(self, *given: Any) -> Any:
        """Call whichever is there."""
        return super().__call__(*given) if _compiling.over() else self.py_func(*given)


COMPILER = "KARAT_COMPILING"
"""Set in the process that compiles for all others."""
GIVEN_UP = 600
"""Seconds after which whoever said that they compile is taken to have died."""
LOOK = 0.25
"""Seconds between two looks whether it is done."""


class Compiling:
    """Another process compiles the loops of engines, once for all processes, and says so by a file when it is done."""

    def __init__(self) -> None:
        self._over = not COMPILES or COMPILER in os.environ
        self._looked = float("-inf")

    def over(self) -> bool:
        """Whether compiled code is there; if nobody compiles yet, somebody is started."""
        if not self._over and time.monotonic() - self._looked > LOOK:
            done = compiled_mark()
            # Without a place to keep compiled code, nobody can compile for others.
            self._over = done is None or done.exists() or not _started(done.with_name(f"{done.name}-begun"))
            self._looked = time.monotonic()
        return self._over


_compiling = Compiling()


def _started(begun: Path) -> bool:
    """Whether somebody compiles: another process, or one that is started here and outlives this one."""
    try:
        with contextlib.suppress(FileNotFoundError):
            if time.time() - begun.stat().st_mtime > GIVEN_UP:
                begun.unlink()
        begun.parent.mkdir(parents=True, exist_ok=True)
        begun.touch(exist_ok=False)
    except FileExistsError:
        return True
    except OSError:
        return False
    try:
        left_alone = subprocess.Popen(
            [sys.executable, "-m", "karat.engines.compiling"],
            env=os.environ | {COMPILER: str(begun)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        left_alone.returncode = 0  # nobody waits for it, which Python would warn of
    except OSError:
        begun.unlink(missing_ok=True)
        return False
    return True


COMPILED_MEANWHILE = "karat compiles its loops in the background, for a minute or so; until then it is slower."


def compiled_before() -> bool:
    """Whether there is nothing to compile for engines, or all of it is compiled."""
    done = compiled_mark() if COMPILES else None
    return not COMPILES or (done is not None and done.exists())


def compiled_mark() -> Path | None:
    """The file that says that all loops of engines are compiled; none where compiled code cannot be kept."""
    settings: Any = numba.config
    folder = settings.CACHE_DIR or kept_in()
    return Path(folder) / f"engines-{_digest()[:16]}" if folder else None


@cache
def _digest() -> str:
    """What stands for the content of all kernels."""
    digest = hashlib.sha256()
    for path in sorted([*PACKAGE.glob("kernels/*.py"), *PACKAGE.glob("*/kernels/*.py")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@cache
def kept_in() -> str:
    """A cache folder for exactly these kernels; empty if none can be written next to them.

    numba checks only the file of a function, not the files of the functions it calls, so code compiled before a change
    elsewhere would still be used. The folder is therefore named after the content of all kernels, and older ones are
    removed.
    """
    folder = Path(__file__).parent / "__pycache__" / f"compiled-{_digest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    for other in folder.parent.glob("compiled-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return str(folder) if os.access(folder, os.W_OK) else ""
