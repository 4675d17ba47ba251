"""Random numbers that depend only on their purpose, never on the thread or the order in which they are drawn."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """A counter-based generator keyed by seed and purpose; the same key gives the same numbers."""
    digest = hashlib.sha256(repr((seed, *purpose)).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))
