"""Degradation: merging two response labels must never look like an improvement."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.tables import Table
from karat.labels import Way
from karat.measures import accuracy, information, kappa

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


def degradations(table: Table, way: Way) -> list[list[Degradation]]:
    """For each run (leading axis), every directed merge that would be rewarded for saying less."""
    found: list[list[Degradation]] = [[] for _ in range(len(table.counts))]
    before = [measure(table) for measure in (accuracy, kappa, information)]
    labels = table.labels
    for source in range(len(labels)):
        for target in range(len(labels)):
            if source == target:
                continue
            merged = table.merge(source, target)
            after = [measure(merged) for measure in (accuracy, kappa, information)]
            risen = (after[0] > before[0] + ROUNDING) | (after[1] > before[1] + ROUNDING)
            fallen = after[2] < before[2] - ROUNDING
            for run in (risen & fallen).nonzero()[0].tolist():
                changes = [(float(b[run]), float(a[run])) for b, a in zip(before, after, strict=True)]
                found[run].append(Degradation(way.name, labels[source], labels[target], *changes))
    return found
