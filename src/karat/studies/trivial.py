"""The trivial systems, exactly: ordinary rows of expected counts beside the runs."""

from __future__ import annotations

import numpy as np

from karat.data.tables import Table
from karat.labels import Way


def trivial_tables(key_way: Way, way: Way, marginal: Table) -> tuple[tuple[str, ...], Table]:
    """Names and expected tables of the systems that do not read: constants, uniform, and the key's own shares.

    `marginal` is any table of the key in `way`; only its key margin is used. The expected table of a random
    system is N(g)·p(l), so that its kappa and information are exactly 0.
    """
    size = len(way.labels)
    target = way.from_three if len(key_way.labels) == 3 else range(size)
    constants = np.eye(size)[list(target)]
    key, squares = marginal.key, marginal.squares.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        own = np.nan_to_num(key / key.sum())
    shares = np.vstack([constants, np.full(size, 1 / size), own])
    names = [f"always-{label.lower().replace('_', '-')}" for label in key_way.labels]
    table = Table(key[:, None] * shares[:, None, :], way.labels, squares=squares[:, None] * shares[:, None, :])
    return (*names, "random-uniform", "random-key"), table
