"""Random numbers that depend on what they are for, never on which thread or in which order they are drawn."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """A counter-based generator keyed by the seed and the purpose: the same key, the same numbers."""
    digest = hashlib.sha256(repr((seed, *purpose)).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))
