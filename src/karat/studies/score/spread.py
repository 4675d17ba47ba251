"""Every measure of some runs, beside the lowest, the median and the highest value of all runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from karat.data.fields import readable
from karat.data.result import Column, Sheet, ends
from karat.labels import WAYS
from karat.studies.score.result import Evaluation
from karat.studies.wording import begun, counted

WORDS = {"2": "two-way", "3": "three-way", "2c": "contradiction or not"}
DIGITS = 3


class Spread(NamedTuple):
    """A measure over all runs that have a value."""

    way: str
    measure: str
    runs: int
    lowest: float
    median: float
    highest: float


def spreads(scored: Evaluation) -> Iterator[Spread]:
    """Every measure in every way, over all runs."""
    for way in _ways(scored):
        everybody = [values for row in scored.runs if (values := row.values.get(way))]
        for measure in dict.fromkeys(name for values in everybody for name in values):
            known = [value for values in everybody if (value := values.get(measure, np.nan)) == value]
            quartiles = np.quantile(known, [0, 0.5, 1]).tolist() if known else [np.nan] * 3
            yield Spread(way, measure, len(known), *quartiles)


def spread_sheet(scored: Evaluation) -> Sheet:
    """The same as a table, one row per measure and way."""
    return Sheet.listed("spread", Spread._fields, list(spreads(scored)))


def numbers(scored: Evaluation, shown: Collection[str], spread: bool) -> list[Sheet]:
    """One table for each way of scoring, a measure in each row: of the runs shown, and of all runs if `spread`."""
    return [sheet for way in _ways(scored) if (sheet := _numbers(scored, way, shown, spread)) is not None]


def _ways(scored: Evaluation) -> list[str]:
    return [*scored.shown, *(name for name in WAYS if name not in scored.shown)]


def _numbers(scored: Evaluation, way: str, shown: Collection[str], spread: bool) -> Sheet | None:
    rows = [row for row in scored.runs if row.run in shown and row.values.get(way)]
    over = [one for one in spreads(scored) if one.way == way]
    if not over or not (rows or spread):
        return None
    columns = [Column("measure", [readable(one.measure) for one in over])]
    for row in rows:
        columns.append(Column(row.name, [row.value(way, one.measure) for one in over], DIGITS))
        intervals = row.intervals.get(way) or {}
        columns.append(Column(f"{scored.percent} CI", [ends(intervals.get(one.measure)) for one in over]))
    if spread:
        columns += [
            Column(name, [getattr(one, name) for one in over], DIGITS) for name in ("lowest", "median", "highest")
        ]
    among = f", among {counted(max(one.runs for one in over), 'run')}" if spread else ""
    pairs = counted(sum(scored.key.labels.values()), "pair")
    return Sheet(f"{begun(WORDS[way])}, {pairs}{among}", tuple(columns))
