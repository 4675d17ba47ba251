"""The home of a browser test, opened in a process of its own."""

from __future__ import annotations

import random
from types import SimpleNamespace

SEED = 2004


def open_home(folder: str) -> None:
    """Open it, for campaigns that draw the same every time: who gets which unit first is no matter of chance."""
    from karat.server import serving

    serving.prepare(folder, "http://127.0.0.1:8000")
    from karat.server import store

    vars(store)["secrets"] = SimpleNamespace(token_bytes=random.Random(SEED).randbytes)
