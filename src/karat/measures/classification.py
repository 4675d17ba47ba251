"""Measures that people know from classification: F1 of a label and its mean, and Matthews' correlation.

scikit-learn gives 0 where these are 0/0, and warns; here they are undefined.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.tables import Table
from karat.kernels.counting import divide
from karat.labels import canonical
from karat.measures.facts import measure


def _label_f1(table: Table) -> Floats:
    """F1 of every label (…, labels): right answers over the mean of how often the key and the run have the label."""
    return divide(2 * table.diagonal, table.key + table.answered)


def _in_either(table: Table, label: str) -> Floats:
    place = table.place(canonical(label))
    return table.key[..., place] + table.response[..., place] - table.diagonal[..., place]


@measure(
    "f1",
    of=Table,
    range=(0, 1),
    respects={"negation", "transposition", "scaling"},
    interval="dice",
    trials=_in_either,
    percent=True,
    undefined="neither the key nor the run has this label",
    source="van Rijsbergen 1979",
)
def f1(table: Table, label: str) -> Floats:
    """The harmonic mean of precision and recall of a label; 0 if no answer with it is right."""
    return _label_f1(table)[..., table.place(canonical(label))]


@measure(
    "macro_f1",
    of=Table,
    range=(0, 1),
    respects={"negation", "transposition", "scaling"},
    interval="used",
    percent=True,
    undefined="there are no scored pairs",
    source="Lewis 1991 (macro-averaging)",
)
def macro_f1(table: Table) -> Floats:
    """The mean of F1 over the labels that the key or the run has."""
    each = _label_f1(table)
    return divide(np.nansum(each, axis=-1), (~np.isnan(each)).sum(axis=-1))


@measure(
    "matthews",
    of=Table,
    range=(-1, 1),
    respects={"negation", "transposition", "scaling"},
    undefined="the key or the run has only one label",
    source="Matthews 1975; several labels as Gorodkin 2004",
)
def matthews(table: Table) -> Floats:
    """The correlation of key and answers, each label a variable of its own; 0 by chance, 1 if all are right."""
    total = table.total
    together = table.diagonal.sum(axis=-1) * total - (table.key * table.answered).sum(axis=-1)
    together = np.where(np.abs(together) < EXACT_TOLERANCE * total**2, 0.0, together)
    spreads = [total**2 - (margin**2).sum(axis=-1) for margin in (table.key, table.response)]
    # A single label has no spread, which rounding error must not make positive.
    product = np.prod([np.where(one < EXACT_TOLERANCE * total**2, 0.0, one) for one in spreads], axis=0)
    return divide(together, np.sqrt(product))
