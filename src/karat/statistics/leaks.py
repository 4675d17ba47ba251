"""Whether something that is no part of the question gives the labels away: tests by permutation of the labels.

Units are described by a code each (the last sign of an id, a tenth of the lengths, a place in the file), and the
statistic is Pearson's chi-square of codes and labels, over permutations of the labels. It needs no large counts, and
no choice of the cells in which a leak would be. The order of units has a second test, of neighbours: labels in blocks,
or taking turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from karat.arrays import Floats, Ints

FIRST_FEW, PERMUTATIONS = (99, 0.1), (1999, 0.01)
"""So many orders of the labels are drawn; if p is then not above the second number, more are drawn afresh."""
ORDERS_AT_ONCE = 2000
MOST_UNITS = 3000
"""Of more units a sample is tested: a leak that these do not show is of little use to anybody."""
BINS = 8
"""An amount is cut into so many groups of about equal size."""


def cut(amounts: Floats) -> Ints:
    """Groups of about equal size by amount; equal amounts are in one group."""
    edges = np.unique(np.quantile(amounts, np.arange(1, BINS) / BINS))
    return np.searchsorted(edges, amounts, side="left")


def guessed(codes: Ints, labels: Ints) -> int:
    """How many labels are right if the most frequent one of its code is guessed for every unit."""
    return int(_tables(codes, labels[None]).max(axis=2).sum())


def draws_for(things: int, level: float) -> int:
    """As many orders as let p be far below a level that is divided by the number of things tested."""
    return math.ceil(4 * things / level)


def code_p(codes: Ints, labels: Ints, random: np.random.Generator, draws: int = 0) -> float:
    """The p of the null hypothesis that labels do not depend on codes; at most so many draws if it is very small."""
    if len(np.unique(codes)) < 2 or len(np.unique(labels)) < 2:
        return 1.0
    codes, labels = _compact(codes, random, labels)

    def statistic(drawn: Ints) -> Floats:
        tables = _tables(codes, drawn)
        expected = tables[:1].sum(axis=2, keepdims=True) * tables[:1].sum(axis=1, keepdims=True) / len(labels)
        return (np.square(tables) / expected).sum(axis=(1, 2))

    return _permutation_p(statistic, labels, random, draws)


def order_p(labels: Ints, random: np.random.Generator, draws: int = 0) -> float:
    """The p of the null hypothesis that neighbours have labels as if drawn at random; both blocks and turns count."""
    if len(np.unique(labels)) < 2:
        return 1.0
    labels = labels[:MOST_UNITS]
    # Of n − 1 neighbours, so many are expected to be alike in a random order.
    shares = np.bincount(labels) / len(labels)
    usual = (len(labels) * np.square(shares).sum() - 1).item()

    def statistic(drawn: Ints) -> Floats:
        return np.abs((drawn[:, 1:] == drawn[:, :-1]).sum(axis=1) - usual)

    return _permutation_p(statistic, labels, random, draws)


def _compact(codes: Ints, random: np.random.Generator, labels: Ints) -> tuple[Ints, Ints]:
    """Codes and labels counted from 0, of a sample if there are very many units."""
    if len(codes) > MOST_UNITS:
        some = random.choice(len(codes), MOST_UNITS, replace=False)
        codes, labels = codes[some], labels[some]
    return np.unique(codes, return_inverse=True)[1], np.unique(labels, return_inverse=True)[1]


def _permutation_p(statistic: Callable[[Ints], Floats], labels: Ints, random: np.random.Generator, draws: int) -> float:
    """The share of orders of the labels, the observed one included, with a statistic at least as large.

    Few orders are enough where p is far from any level.
    """
    observed = statistic(labels[None])[0] - 1e-9
    p = 1.0
    stages = [FIRST_FEW, PERMUTATIONS] + [(draws, 1.0)] * (draws > PERMUTATIONS[0])
    for number, clear in stages:
        extreme = 1
        for at in range(0, number, ORDERS_AT_ONCE):
            some = (min(ORDERS_AT_ONCE, number - at), len(labels))
            extreme += int((statistic(random.permuted(np.broadcast_to(labels, some), axis=1)) >= observed).sum())
        p = extreme / (number + 1)
        if p > clear:
            break
    return p


def _tables(codes: Ints, labels: Ints) -> Ints:
    """Counts (draws, codes, labels)."""
    rows, columns = int(codes.max()) + 1, int(labels.max()) + 1
    cells = codes * columns + labels + np.arange(len(labels))[:, None] * rows * columns
    return np.bincount(cells.ravel(), minlength=len(labels) * rows * columns).reshape(-1, rows, columns)
