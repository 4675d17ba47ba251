"""The trivial systems of a diagnosis: one answer to every pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.labels import Codes, Way


def constant_names(way: Way) -> tuple[str, ...]:
    """What they are called, as `score` calls them."""
    return tuple(f"always-{label.lower().replace('_', '-').replace(' ', '-')}" for label in way.labels)


def constants(key: Codes, way: Way) -> NDArray[np.float64]:
    """Where each is right (labels, units)."""
    return np.asarray(key == np.arange(len(way.labels))[:, None], dtype=np.float64)
