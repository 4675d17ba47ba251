"""Decided F: precision and recall of the decisions ⊢ and ⊣, with ◇ read as "don't know"."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from karat.arrays import Floats
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.arithmetic import divide
from karat.labels import CONTRADICTION, ENTAILMENT, THREE
from karat.measures.facts import measure

READINGS = ("all", "decided")


def decided_precision_recall(table: Table, reading: str = "all") -> tuple[Floats, Floats]:
    """P = right decisions / decisions made, R = right decisions / decided pairs in the key.

    The reading `all` counts every decision of the run; `decided` only those on pairs whose key is decided.
    """
    if table.labels != THREE.labels:
        raise NotApplicable("decided F needs three-way labels")
    if reading not in READINGS:
        raise UsageError.unknown("reading of decided_f", reading, READINGS)
    decided = [THREE.code(ENTAILMENT), THREE.code(CONTRADICTION)]
    right = table.diagonal[..., decided].sum(axis=-1)
    rows = decided if reading == "decided" else list(range(3))
    made = table.counts[..., rows, :][..., decided].sum(axis=(-2, -1))
    return divide(right, made), divide(right, table.key[..., decided].sum(axis=-1))


@measure(
    "decided_f",
    of=Table,
    range=(0, 1),
    respects={"negation", "scaling"},
    undefined="the key has no ENTAILMENT and no CONTRADICTION",
    source="Voorhees 2008; de Marneffe, RTE-3 extended task slides",
)
def decided_f(table: Table, weight: Fraction | float = Fraction(1, 3), reading: str = "all") -> Floats:
    """F of the decisions, (1+w)PR/(wP+R); the slides call w β and do not square it. 0 without decisions."""
    w = float(weight)
    if not w >= 0:
        raise UsageError("decided_f: the weight must not be negative")
    precision, recall = decided_precision_recall(table, reading)
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    below = w * p + r
    f = np.where(below > 0, (1 + w) * p * r / np.where(below > 0, below, 1), 0.0)
    return np.where(np.isnan(recall), np.nan, f)[()]
