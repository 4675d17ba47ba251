"""Measures over a ranking, as exact expectations over a random order within ties.

Take a group of n units with r gains, after N units with R gains, and let ΔH = Σ 1/(N+k) for k = 1…n. Place k has a
gain with probability r/n; if it does, an expected (k−1)(r−1)/(n−1) of the k−1 earlier places of the group have gains,
and in any case an expected k·r/n of the first k do. The sums over k have closed forms in ΔH. Without ties (n = 1)
they are the textbook definitions.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.orders import Order
from karat.errors import NotApplicable
from karat.kernels.counting import divide
from karat.measures.facts import measure


def _need(order: Order, ranked_by: str) -> None:
    if order.ranked_by != ranked_by:
        raise NotApplicable(f"the ranking is by {order.ranked_by}; this measure needs one by {ranked_by}")


def _mean_share(order: Order) -> Floats:
    """The share of gains among the first i, averaged over all i."""
    share = divide(order.gains, order.sizes)
    sums = order.gained * order.harmonic + np.nan_to_num(share) * (order.sizes - order.before * order.harmonic)
    return divide(sums.sum(axis=-1), order.total)


@measure(
    "average_precision",
    of=Order,
    range=(0, 1),
    respects={"relabelling", "merging"},
    interval="bca",
    undefined="the key has no ENTAILMENT",
    source="RTE-4 guidelines 2008",
    shown=False,
    ranked_by="entailment",
)
def average_precision(order: Order) -> Floats:
    """Precision at the rank of every entailing pair, averaged over those pairs."""
    _need(order, "entailment")
    if order.untied:  # the textbook definition, in a quarter of the time
        found = order.gained + 1
        found *= order.gains
        return divide(found @ (1 / np.arange(1, found.shape[-1] + 1)), order.gains.sum(axis=-1))
    share = np.nan_to_num(divide(order.gains, order.sizes))
    others = np.nan_to_num(divide(order.gains - 1, order.sizes - 1))
    place = (order.gained + 1) * order.harmonic + others * (order.sizes - (order.before + 1) * order.harmonic)
    return divide((share * place).sum(axis=-1), order.gains.sum(axis=-1))


@measure(
    "auroc",
    heading="AUROC",
    of=Order,
    range=(0, 1),
    respects={"relabelling", "scaling", "merging"},
    interval="bca",
    undefined="the key has no ENTAILMENT, or nothing else",
    source="Hanley and McNeil 1982",
    shown=False,
    ranked_by="entailment",
)
def auroc(order: Order) -> Floats:
    """The share of pairs of an entailing and another pair in which the first is ranked higher; a tie counts half."""
    _need(order, "entailment")
    others = order.sizes - order.gains
    below = others.sum(axis=-1, keepdims=True) - (order.before - order.gained) - others
    pairs = order.gains.sum(axis=-1) * others.sum(axis=-1)
    return divide((order.gains * (below + others / 2)).sum(axis=-1), pairs)


@measure(
    "mean_precision",
    of=Order,
    range=(0, 1),
    respects={"relabelling", "merging"},
    interval="bca",
    undefined="there are no scored pairs",
    source="Bergmair 2009 (his form of average precision)",
    shown=False,
    ranked_by="entailment",
)
def mean_precision(order: Order) -> Floats:
    """Precision of "the first r entail", averaged over every cut-off r."""
    _need(order, "entailment")
    return _mean_share(order)


@measure(
    "confidence_weighted",
    of=Order,
    range=(0, 1),
    respects={"negation", "transposition"},
    interval="bca",
    undefined="there are no scored pairs",
    source="TREC 2002 QA; RTE-1",
    shown=False,
    ranked_by="response",
)
def confidence_weighted(order: Order) -> Floats:
    """The share of right answers among the i most confident, averaged over every i."""
    _need(order, "response")
    return _mean_share(order)
