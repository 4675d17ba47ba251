"""Degradation: merging two response labels must never look like an improvement."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from karat.arrays import Floats
from karat.data.tables import Table
from karat.labels import Way
from karat.measures import accuracy, information, kappa, measures
from karat.studies.score.intervals import table_interval

ROUNDING = 1e-9


@dataclass(frozen=True)
class Degradation:
    """A merge `source` → `target` under which accuracy or kappa rises while information falls."""

    way: str
    source: str
    target: str
    accuracy: tuple[float, float]
    kappa: tuple[float, float]
    information: tuple[float, float]
    """The plug-in estimate, which falls under almost any merge, even of labels that mean nothing."""
    lost: tuple[float, float]
    """The interval of what is lost, which holds for all runs and pairs of labels at once."""


def degradations(table: Table, way: Way, level: float = 0.95) -> list[list[Degradation]]:
    """For each run (leading axis), every directed merge that raises a score and lowers information."""
    found: list[list[Degradation]] = [[] for _ in range(len(table.counts))]
    before = [measure(table) for measure in (accuracy, kappa, information)]
    labels = table.labels
    sampled = int((table.squares.sum(axis=(-2, -1)) > 0).sum())
    tests = max(1, sampled) * len(labels) * (len(labels) - 1) / 2
    for source, target in permutations(range(len(labels)), 2):
        merged = table.merge(source, target)
        after = [measure(merged) for measure in (accuracy, kappa, information)]
        risen = (after[0] > before[0] + ROUNDING) | (after[1] > before[1] + ROUNDING)
        fallen = after[2] < before[2] - ROUNDING
        runs = (risen & fallen).nonzero()[0].tolist()
        if runs:
            lost = _lost(table[runs], source, target, 1 - (1 - level) / tests)
            for at, run in enumerate(runs):
                right, beyond, bits = ((float(b[run]), float(a[run])) for b, a in zip(before, after, strict=True))
                ends = float(lost[0][at]), float(lost[1][at])
                found[run].append(Degradation(way.name, labels[source], labels[target], right, beyond, bits, ends))
    return found


def _lost(table: Table, source: int, target: int, level: float) -> tuple[Floats, Floats]:
    """The interval of the bits that telling two answers apart is worth: information among the pairs so answered."""
    pair = [source, target]
    names = tuple(table.labels[one] for one in pair)
    told = Table(table.counts[..., pair], table.labels, names, table.squares[..., pair])
    share = told.total / table.total
    low, high = table_interval(measures["information"].bind(), told, level)
    return share * low, share * high
