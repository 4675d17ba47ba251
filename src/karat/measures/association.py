"""Association of key and response: entropies and mutual information, in bits, and agreement beyond chance (kappa)."""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats
from karat.data.tables import Table
from karat.kernels.counting import divide
from karat.labels import canonical
from karat.measures.facts import LOG_LABELS, measure


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
    of=Table,
    range=(0, LOG_LABELS),
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
    chance = (table.key * table.response).sum(axis=-1)
    # Counts instead of shares, so that 1 - chance is exactly 0 where it should be, and kappa is exactly 0 for a run
    # that is independent of the key.
    beyond = np.where(np.abs(observed - chance) < EXACT_TOLERANCE * total**2, 0.0, observed - chance)
    return divide(beyond, total**2 - chance)
