"""Whether a run would be right significantly more often if its labels meant others, as those of a swapped run do."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.tables import Table
from karat.labels import Way
from karat.statistics.clusters import UNCLUSTERED, UnitCells
from karat.statistics.intervals import quantile


@dataclass(frozen=True)
class Relabelling:
    """An assignment of labels with which a run is significantly more accurate, beyond what chance would give."""

    way: str
    meanings: dict[str, str]
    """What each answer would have to mean."""
    accuracy: tuple[float, float]
    """As answered, and with these meanings."""


def relabellings(table: Table, way: Way, level: float, cells: UnitCells = UNCLUSTERED) -> list[list[Relabelling]]:
    """For each run (leading axis) the best of its relabellings, if one is significant at the one-sided `level`.

    Both the accuracy and the agreement beyond chance must be higher, tested on the same pairs. Accuracy alone is
    higher for an uninformative run that seldom gives the most frequent label, and agreement alone for one whose
    accuracy would suffer. `cells` has the clusters of the pairs, if there are any.
    """
    size = len(way.labels)
    found: list[list[Relabelling]] = [[] for _ in table.counts]
    best = np.zeros(len(table.counts))
    for meaning in list(permutations(range(size)))[1:]:
        right = np.zeros((2, size, table.counts.shape[-1]))
        for answer in range(size):
            right[0, answer, answer] = right[1, meaning[answer], answer] = 1.0
        shares = table.counts / np.maximum(table.total, 1)[..., None, None]
        before, after = (shares * right[:, None]).sum(axis=(-2, -1))
        gain = right[1] - right[0]
        higher = _significant(gain, table, level, cells)
        higher &= _significant(_beyond_chance(gain, shares), table, level, cells)
        for run in (higher & (after > best)).nonzero()[0].tolist():
            best[run] = after[run]
            meanings = {way.labels[answer]: way.labels[meant] for answer, meant in enumerate(meaning)}
            found[run] = [Relabelling(way.name, meanings, (float(before[run]), float(after[run])))]
    return found


def _beyond_chance(gain: Floats, shares: Floats) -> Floats:
    """The gain of each cell less that expected from how often its label and its answer occur (the influence)."""
    of_label = (gain * shares.sum(axis=-2, keepdims=True)).sum(axis=-1, keepdims=True)
    of_answer = (gain * shares.sum(axis=-1, keepdims=True)).sum(axis=-2, keepdims=True)
    expected = (of_label * shares.sum(axis=-1, keepdims=True)).sum(axis=(-2, -1), keepdims=True)
    return np.asarray(gain - of_label - of_answer + expected)


def _significant(gain: Floats, table: Table, level: float, cells: UnitCells) -> Bools:
    """Whether the mean gain over the pairs of each run is positive, by a paired test on the counts of its table."""
    total = np.maximum(table.total, 1)
    mean = (table.counts * gain).sum(axis=(-2, -1)) / total
    apart = gain - mean[..., None, None]
    squared = (table.squares * apart**2).sum(axis=(-2, -1)) * cells.effect(apart, 1 - 2 * level).whole
    return np.asarray(mean * total > quantile(1 - 2 * level) * np.sqrt(squared))
