"""Inversion: a run that tells of the key, and agrees with it less than chance would."""

from __future__ import annotations

from dataclasses import dataclass

from karat.data.tables import Table
from karat.labels import Way
from karat.measures import measures
from karat.studies.score.intervals import table_interval


@dataclass(frozen=True)
class Inversion:
    """Kappa is below 0 and information above, both by intervals that hold for all runs and ways at once."""

    way: str
    kappa: tuple[float, float]
    information: tuple[float, float]


def inversions(table: Table, way: Way, level: float) -> list[list[Inversion]]:
    """For each run (leading axis) its inversion, if any, by intervals at this level."""
    (low, high), (least, most) = (
        table_interval(measures[name].bind(), table, level) for name in ("kappa", "information_corrected")
    )
    found: list[list[Inversion]] = [[] for _ in table.counts]
    for run in ((high < 0) & (least > 0)).nonzero()[0].tolist():
        ends = (float(low[run]), float(high[run])), (float(least[run]), float(most[run]))
        found[run].append(Inversion(way.name, *ends))
    return found
