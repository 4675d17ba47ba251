"""Label shift: at which mix of labels two runs change places."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats
from karat.data.tables import Table
from karat.kernels.arithmetic import divide

ROUNDING = 1e-12


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
    return [
        Crossing(names[a], names[b], way, points)
        for a, b in itertools.combinations(range(len(names)), 2)
        if (points := _zeros(recalls[a] - recalls[b]))
    ]


def _zeros(apart: Floats) -> tuple[tuple[float, ...], ...]:
    """Where a linear function with these values at the corners of the triangle of priors vanishes on its border."""
    apart = np.where(np.abs(apart) < ROUNDING, 0.0, apart)
    if not ((apart > 0).any() and (apart < 0).any()):
        return ()
    corners = np.eye(len(apart))
    points = [corners[i] for i in range(len(apart)) if apart[i] == 0]
    for i, j in itertools.combinations(range(len(apart)), 2):
        if apart[i] * apart[j] < 0:
            share = apart[j] / (apart[j] - apart[i])
            points.append(share * corners[i] + (1 - share) * corners[j])
    return tuple(tuple(point.tolist()) for point in points)
