"""Measures of key × response: accuracy, recall, precision and F1; decided F; information; kappa and correlation.

scikit-learn gives 0 where F1 or Matthews' correlation is 0/0, and warns; here they are undefined.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.tables import Table
from karat.errors import NotApplicable, UsageError
from karat.kernels.counting import divide
from karat.labels import CONTRADICTION, ENTAILMENT, THREE, canonical
from karat.measures.facts import LOG_ANSWERS, LOG_LABELS, measure, measures

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


measures.alias("micro_f1", "accuracy", "Another name for accuracy, which micro F1 equals if each pair has one answer.")


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


measures.alias("balanced_accuracy", "mean_recall", "Another name for mean_recall.")


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
    heading="decided F",
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


def _entropy(counts: Floats) -> Floats:
    """The entropy in bits of counts along the last axis; NaN if all are 0."""
    total = counts.sum(axis=-1)
    logs = np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    with np.errstate(divide="ignore"):
        log_total = np.log2(np.where(total > 0, total, 1))
    entropy = log_total - divide((counts * logs).sum(axis=-1), total)
    # A single label has entropy 0, which rounding error must not make negative.
    return np.where(total > 0, np.where(entropy < EXACT_TOLERANCE, 0.0, entropy), np.nan)[()]


def _cells(table: Table) -> Floats:
    return table.counts.reshape(*table.counts.shape[:-2], -1)


@measure(
    "entropy_key",
    heading="H(G)",
    of=Table,
    range=(0, LOG_LABELS),
    respects={"negation", "relabelling", "scaling", "merging"},
    undefined="there are no scored pairs",
    source="Bergmair 2009, H(G)",
    unit="bits",
)
def entropy_key(table: Table) -> Floats:
    """H(G): how much there is to know."""
    return _entropy(table.key)


@measure(
    "entropy_response",
    heading="H(L)",
    of=Table,
    range=(0, LOG_ANSWERS),
    respects={"negation", "relabelling", "scaling", "merging"},
    undefined="there are no scored pairs",
    source="Bergmair 2009, H(L)",
    unit="bits",
)
def entropy_response(table: Table) -> Floats:
    """H(L): how much the run says."""
    return _entropy(table.response)


@measure(
    "conditional_entropy",
    heading="H(G|L)",
    of=Table,
    range=(0, LOG_LABELS),
    respects={"negation", "relabelling", "scaling"},
    undefined="the run never gives this answer",
    source="Bergmair 2009, H(G|L) and H(G|L=l)",
    unit="bits",
)
def conditional_entropy(table: Table, label: str = "") -> Floats:
    """H(G|L): what is left to know after the run has spoken; with a label, after it has answered that."""
    if label:
        return _entropy(table.counts[..., :, table.transpose().place(canonical(label))])
    return _entropy(_cells(table)) - _entropy(table.response)


def _chi_square(table: Table) -> Floats:
    """The factor that turns bits of information into a chi-square if key and run are independent."""
    return 2 * np.log(2) * table.size


def _normalized_chi_square(table: Table) -> Floats:
    return _chi_square(table) * entropy_key(table)


@measure(
    "information",
    heading="I",
    of=Table,
    range=(0, LOG_LABELS),
    respects={"negation", "transposition", "relabelling", "scaling", "merging"},
    interval="root",
    trials=_chi_square,
    undefined="there are no scored pairs",
    source="Bergmair 2009, I(G;L); Shannon 1948",
    unit="bits",
)
def information(table: Table) -> Floats:
    """I(G;L): information in the answers on the key; 0 for a constant run, biased upward, blind to inverted labels."""
    mutual = _entropy(table.key) + _entropy(table.response) - _entropy(_cells(table))
    # An independent run has information 0, which rounding error must not make negative.
    return np.where(np.abs(mutual) < EXACT_TOLERANCE, 0.0, np.maximum(mutual, 0.0))[()]


@measure(
    "information_corrected",
    heading="I corrected",
    of=Table,
    range=(-np.inf, np.inf),
    respects={"negation", "transposition", "relabelling"},
    interval="root",
    trials=_chi_square,
    plain="information",
    undefined="there are no scored pairs",
    source="Miller 1955",
    unit="bits",
)
def information_corrected(table: Table) -> Floats:
    """I less the bias of the plug-in estimate, (cells − rows − columns + 1)/(2N ln 2), non-empty ones counted."""
    cells = (_cells(table) > 0).sum(axis=-1)
    margins = (table.key > 0).sum(axis=-1) + (table.response > 0).sum(axis=-1)
    return information(table) - divide((cells - margins + 1).astype(np.float64), 2 * np.log(2) * table.size)


@measure(
    "normalized_information",
    heading="I/H(G)",
    of=Table,
    range=(0, 1),
    respects={"negation", "relabelling", "scaling", "merging"},
    interval="root",
    trials=_normalized_chi_square,
    undefined="the key has only one label, so its entropy is 0",
    source="Bergmair 2009, I(G;L)/H(G)",
)
def normalized_information(table: Table) -> Floats:
    """I(G;L)/H(G): the share of what there is to know that the run tells."""
    return divide(information(table), entropy_key(table))


@measure(
    "kappa",
    of=Table,
    range=(-1, 1),
    respects={"negation", "transposition", "scaling"},
    undefined="the key and the run use only one and the same label, so chance agreement is 1",
    source="Cohen 1960",
)
def kappa(table: Table) -> Floats:
    """Agreement beyond chance; undefined where chance alone would agree always."""
    total = table.total
    observed = table.diagonal.sum(axis=-1) * total
    chance = (table.key * table.answered).sum(axis=-1)
    # Counts instead of shares, so that 1 - chance is exactly 0 where it should be, and kappa is exactly 0 for a run
    # that is independent of the key.
    beyond = np.where(np.abs(observed - chance) < EXACT_TOLERANCE * total**2, 0.0, observed - chance)
    return divide(beyond, total**2 - chance)


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
    heading="macro F1",
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
