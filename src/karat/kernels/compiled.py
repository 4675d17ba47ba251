"""Loops over arrays, compiled where numba is installed and run as they stand where it is not.

One source for both: what the compiled code computes is what the Python says, only slower without numba. Loading numba
takes a second, so a module that compiles is imported only by what needs it.
"""

from __future__ import annotations

import hashlib
import os
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
except ImportError:
    COMPILES = False
else:
    COMPILES = not os.environ.get(PLAIN)


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function, compiled at its first call and kept on disk; it holds no lock of the interpreter while it runs."""
    if not COMPILES:
        return function
    settings: Any = numba.config
    before = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = before or kept_in()
        return cast(Callable[P, R], numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no folder to keep the compiled code in
        return cast(Callable[P, R], numba.njit(nogil=True)(function))
    finally:
        settings.CACHE_DIR = before


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
