"""Where two runs swap ranks: the label mix at which they are equally accurate, and the weight at which F is equal."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.tables import Table
from karat.kernels.counting import divide
from karat.measures.accuracy import decided_precision_recall


@dataclass(frozen=True)
class Crossing:
    """Priors (in label order) at which runs a and b are equally accurate.

    Two-way, it is a single point. Three-way, it is a line through the triangle of priors, given by its ends.
    """

    a: str
    b: str
    way: str
    priors: tuple[tuple[float, ...], ...]


def prior_crossings(names: tuple[str, ...], table: Table, way: str) -> list[Crossing]:
    """Every pair of runs whose order depends on the label mix, solved exactly: accuracy is linear in the priors."""
    recalls = divide(table.diagonal, table.key)
    return [
        Crossing(names[a], names[b], way, points)
        for a, b in itertools.combinations(range(len(names)), 2)
        if (points := _zeros(recalls[a] - recalls[b]))
    ]


def _zeros(apart: Floats) -> tuple[tuple[float, ...], ...]:
    """Where a linear function with these values at the corners of the triangle of priors is 0 on its border."""
    apart = np.where(np.abs(apart) < EXACT_TOLERANCE, 0.0, apart)
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
    """(a, b, w): a, which has the higher precision, is better below w, and b above. Takes three-way tables.

    In F = (1+w)PR/(wP+R) the factor 1+w cancels from F(a) = F(b), and the rest is linear in w:
    w = R(a)R(b)(P(a) − P(b)) / P(a)P(b)(R(b) − R(a)). So two runs cross at most once, and only if one has the higher
    precision and the other the higher recall. A run without a right decision has F = 0 at every weight.
    """
    precision, recall = (np.nan_to_num(side) for side in decided_precision_recall(table))
    found = []
    for one, other in itertools.combinations(range(len(names)), 2):
        a, b = (one, other) if precision[one] > precision[other] else (other, one)
        ahead, behind = precision[a] - precision[b], recall[b] - recall[a]
        if min(ahead, behind) > EXACT_TOLERANCE and precision[b] > 0 and recall[a] > 0:
            at = recall[a] * recall[b] * ahead / (precision[a] * precision[b] * behind)
            found.append((names[a], names[b], float(at)))
    return found
