"""At which weight of recall two runs have the same decided F."""

from __future__ import annotations

import numpy as np

from karat.data.tables import Table
from karat.measures.decided import decided_precision_recall


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
            if ahead > 1e-12 and behind > 1e-12 and precision[b] > 0 and recall[a] > 0:
                at = recall[a] * recall[b] * ahead / (precision[a] * precision[b] * behind)
                found.append((names[a], names[b], float(at)))
    return found
