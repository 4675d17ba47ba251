"""Accuracy, accuracy given the label of the key or of the response, and both in one: decided F."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from karat.arrays import Floats
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.counting import divide
from karat.labels import CONTRADICTION, ENTAILMENT, THREE, canonical
from karat.measures.facts import measure

READINGS = ("all", "decided")
"""Which decisions of a run decided F counts: all, or those on pairs that the key decides."""


def _all(table: Table) -> Floats:
    return table.total


def _in_key(table: Table, label: str) -> Floats:
    return table.key[..., table.place(canonical(label))]


def _answered(table: Table, label: str) -> Floats:
    return table.response[..., table.place(canonical(label))]


@measure(
    "accuracy",
    of=Table,
    range=(0, 1),
    respects={"negation", "transposition", "scaling"},
    mean=True,
    interval="wilson",
    trials=_all,
    percent=True,
    undefined="there are no scored pairs",
    source="RTE-4 guidelines 2008",
)
def accuracy(table: Table) -> Floats:
    """The share of pairs answered as the key says."""
    return divide(table.diagonal.sum(axis=-1), table.total)


@measure(
    "recall",
    of=Table,
    range=(0, 1),
    respects={"negation", "scaling"},
    mean=True,
    interval="wilson",
    trials=_in_key,
    percent=True,
    undefined="the key has no pair with this label",
    source="Voorhees 2008 (accuracy conditioned on the key)",
)
def recall(table: Table, label: str) -> Floats:
    """Of the pairs with this label in the key, the share answered so."""
    place = table.place(canonical(label))
    return divide(table.diagonal[..., place], table.key[..., place])


@measure(
    "precision",
    of=Table,
    range=(0, 1),
    respects={"negation", "scaling"},
    interval="wilson",
    trials=_answered,
    percent=True,
    undefined="the run never gives this answer",
    source="Voorhees 2008 (accuracy conditioned on the response)",
)
def precision(table: Table, label: str) -> Floats:
    """Of the pairs answered with this label, the share that has it in the key."""
    place = table.place(canonical(label))
    return divide(table.diagonal[..., place], table.response[..., place])


@measure(
    "mean_recall",
    of=Table,
    range=(0, 1),
    respects={"negation", "scaling"},
    interval="recalls",
    percent=True,
    undefined="there are no scored pairs",
    source="Bergmair 2009 (mean conditioned accuracy)",
)
def mean_recall(table: Table) -> Floats:
    """The mean of the recalls over the labels present in the key."""
    recalls = divide(table.diagonal, table.key)
    return divide(np.nansum(recalls, axis=-1), (table.key > 0).sum(axis=-1))


@measure(
    "rescaled_accuracy",
    of=Table,
    range=(-1, 1),
    respects={"negation", "transposition", "scaling"},
    undefined="there are no scored pairs",
    source="Bergmair 2009 (kappa of a balanced key)",
)
def rescaled_accuracy(table: Table) -> Floats:
    """Accuracy with uniform guessing at 0 and perfection at 1; equals kappa where key or run is balanced."""
    chance = 1 / len(table.labels)
    return (accuracy(table) - chance) / (1 - chance)


@measure(
    "shifted_accuracy",
    of=Table,
    range=(0, 1),
    respects={"negation", "scaling"},
    undefined="a label with a prior above 0 is not in the key",
    source="label shift: Σ π(g) · recall(g)",
    shown=False,
)
def shifted_accuracy(table: Table, prior: str = "uniform") -> Floats:
    """Accuracy if the key's labels were distributed as `prior`: "uniform", or shares "0.5/0.35/0.15"."""
    shares = priors(prior, len(table.labels))
    recalls = divide(table.diagonal, table.key)
    return np.where(shares > 0, shares * recalls, 0.0).sum(axis=-1)[()]


def priors(spelling: str, labels: int) -> Floats:
    """A distribution over labels from its spelling, "uniform" or shares separated by slashes."""
    if spelling == "uniform":
        return np.full(labels, 1 / labels)
    try:
        shares = np.array([float(part) for part in spelling.split("/")])
    except ValueError:
        raise UsageError(
            f"{spelling!r} is not a label distribution: write uniform, or shares such as 0.5/0.35/0.15"
        ) from None
    if (shares < 0).any() or not abs(shares.sum() - 1) < 1e-6:
        raise UsageError(f"the shares of {spelling!r} must not be negative and must sum to 1")
    if len(shares) != labels:
        raise NotApplicable(f"the prior {spelling} has {len(shares)} shares, the labels are {labels}")
    return shares


def decided_precision_recall(table: Table, reading: str = "all") -> tuple[Floats, Floats]:
    """P = right decisions / decisions made, R = right decisions / decided pairs in the key.

    The reading `all` counts every decision the run made; `decided` only those on pairs whose key is decided.
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
