"""Random numbers that depend only on their purpose, not on threads or order; and bootstrap resamples of units."""

from __future__ import annotations

import hashlib

import numpy as np

from karat.arrays import Floats


def generator(seed: int, *purpose: str | int) -> np.random.Generator:
    """A counter-based generator keyed by seed and purpose; the same key gives the same numbers."""
    digest = hashlib.sha256(repr((seed, *purpose)).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "little")))


def resampled_weights(units: int, replicates: int, random: np.random.Generator) -> Floats:
    """How often each unit is drawn (replicates, units) when `units` of them are drawn with replacement."""
    drawn = random.integers(0, units, size=(replicates, units))
    drawn += np.arange(replicates)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=replicates * units).reshape(replicates, units).astype(np.float64)
