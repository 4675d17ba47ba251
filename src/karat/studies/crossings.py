"""Where two runs change places: at which mix of labels they are equally accurate, at which weight F is the same."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from karat.arrays import Floats, divide
from karat.data.tables import Table
from karat.measures.accuracy import decided_precision_recall

EQUAL = 1e-12
"""Differences up to this are the doing of rounding."""


@dataclass(frozen=True)
class Crossing:
    """Priors (in label order) at which runs a and b are equally accurate.

    Two-way it is one point. Three-way it is a line through the triangle of priors: its ends are given.
    """

    a: str
    b: str
    way: str
    priors: tuple[tuple[float, ...], ...]


def prior_crossings(names: tuple[str, ...], table: Table, way: str) -> list[Crossing]:
    """Every pair of runs whose order depends on the label mix. Accuracy is linear in it, so this is solved."""
    recalls = divide(table.diagonal, table.key)
    return [
        Crossing(names[a], names[b], way, points)
        for a, b in itertools.combinations(range(len(names)), 2)
        if (points := _zeros(recalls[a] - recalls[b]))
    ]


def _zeros(apart: Floats) -> tuple[tuple[float, ...], ...]:
    """Where a linear function with these values at the corners of the triangle of priors vanishes on its border."""
    apart = np.where(np.abs(apart) < EQUAL, 0.0, apart)
    if not ((apart > 0).any() and (apart < 0).any()):
        return ()
    corners = np.eye(len(apart))
    points = [corners[i] for i in range(len(apart)) if apart[i] == 0]
    for i, j in itertools.combinations(range(len(apart)), 2):
        if apart[i] * apart[j] < 0:
            share = apart[j] / (apart[j] - apart[i])
            points.append(share * corners[i] + (1 - share) * corners[j])
    return tuple(tuple(point.tolist()) for point in points)


def weight_crossings(names: tuple[str, ...], table: Table) -> list[tuple[str, str, float]]:
    """(a, b, w): a, the more precise, is better below w, and b above. Three-way tables of runs.

    In F = (1+w)PR/(wP+R) the factor 1+w falls out of F(a) = F(b), and what is left is linear in w:
    w = R(a)R(b)(P(a) − P(b)) / P(a)P(b)(R(b) − R(a)). So two runs cross once at most, and only where one is the more
    precise and the other has the more recall. A run without a right decision has F = 0 at every weight.
    """
    precision, recall = (np.nan_to_num(side) for side in decided_precision_recall(table))
    found = []
    for one in range(len(names)):
        for other in range(one + 1, len(names)):
            a, b = (one, other) if precision[one] > precision[other] else (other, one)
            ahead, behind = precision[a] - precision[b], recall[b] - recall[a]
            if ahead > EQUAL and behind > EQUAL and precision[b] > 0 and recall[a] > 0:
                at = recall[a] * recall[b] * ahead / (precision[a] * precision[b] * behind)
                found.append((names[a], names[b], float(at)))
    return found
