"""Label shift: at which mix of labels two runs change places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.data.tables import Table
from karat.kernels.arithmetic import divide


@dataclass(frozen=True)
class Crossing:
    """Priors (in label order) at which runs a and b are equally accurate.

    Two-way it is one point. Three-way it is a line through the triangle of priors: its ends are given.
    """

    a: str
    b: str
    way: str
    priors: tuple[tuple[float, ...], ...]


def crossings(names: tuple[str, ...], table: Table, way: str) -> list[Crossing]:
    """Every pair of runs whose order depends on the label mix. Accuracy is linear in it, so this is solved."""
    recalls = divide(table.diagonal, table.key)
    size = recalls.shape[-1]
    found = []
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            apart = recalls[a] - recalls[b]
            points = []
            for i in range(size):
                for j in range(i + 1, size):
                    # On the edge between labels i and j the difference is linear: it vanishes where signs differ.
                    if apart[i] * apart[j] < 0:
                        prior = np.zeros(size)
                        prior[i] = apart[j] / (apart[j] - apart[i])
                        prior[j] = 1 - prior[i]
                        points.append(tuple(prior.tolist()))
            if points:
                found.append(Crossing(names[a], names[b], way, tuple(points)))
    return found
