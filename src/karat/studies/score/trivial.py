"""The trivial systems, exactly: ordinary rows of expected counts beside the runs."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.tables import Table
from karat.labels import THREE, Way


def trivial_tables(key_way: Way, way: Way, key: Floats, squares: Floats | None = None) -> tuple[list[str], Table]:
    """Names and expected tables of the systems that do not read: constants, uniform, and the key's own shares.

    `key` counts (or weighs) the key's labels in `way`, `squares` sums the squared weights. The expected table of a
    random system is N(g)·p(l), so that its kappa and information are exactly 0; it is no sample of anything, so it has
    no squared weights, and with them no interval and no bias to correct.
    """
    size = len(way.labels)
    constants = np.eye(size)[list(way.from_three if key_way is THREE else range(size))]
    shares = np.vstack([constants, np.full(size, 1 / size), key / max(float(key.sum()), 1e-300)])
    squares = key if squares is None else squares
    sampled = shares * np.isin(np.arange(len(shares)), range(len(constants)))[:, None]
    table = Table(key[:, None] * shares[:, None, :], way.labels, squares=squares[:, None] * sampled[:, None, :])
    return trivial_names(key_way), table


def trivial_names(key_way: Way) -> list[str]:
    """What the rows of `trivial_tables` are called."""
    constants = [f"always-{label.lower().replace('_', '-')}" for label in key_way.labels]
    return [*constants, "random-uniform", "random-key"]
