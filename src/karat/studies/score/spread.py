"""Every measure of some runs, beside the lowest, the median and the highest value of all runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from karat.data.fields import Missing, readable
from karat.data.result import Field, Sheet
from karat.labels import IN_WORDS, WAYS
from karat.studies.score.result import Evaluation
from karat.studies.score.rows import RunScores
from karat.studies.wording import begun, counted

DIGITS = 3
TOO_FEW = "too few teams have a value to tell the lowest, the median and the highest"


class Spread(NamedTuple):
    """A measure over all runs that have a value."""

    way: str
    measure: str
    runs: int
    lowest: float
    median: float
    highest: float


def spreads(scored: Evaluation, teams: Mapping[str, str] | None = None, fewest: int = 0) -> Iterator[Spread]:
    """Every measure in every way, over all runs that have a value, if these are of so many teams.

    Each measure is looked at by itself: if two of many teams have ranked their answers, the lowest and the highest
    average precision are theirs.
    """
    for way in _ways(scored):
        for measure in _measures(scored, way):
            known = {row.run: value for row in scored.runs if (value := _value(row, way, measure)) == value}
            if len({(teams or {}).get(run, run) for run in known}) >= fewest:
                quartiles = np.quantile([*known.values()], [0, 0.5, 1]).tolist() if known else [np.nan] * 3
                yield Spread(way, measure, len(known), *quartiles)


def spread_sheet(told: Sequence[Spread]) -> Sheet:
    """The same as a table, one row per measure and way."""
    return Sheet.listed("spread", Spread._fields, told)


def numbers(scored: Evaluation, shown: Collection[str], told: Sequence[Spread] = ()) -> list[Sheet]:
    """One table for each way of scoring, a measure in each row: of the runs shown, and of all where that is told."""
    return [sheet for way in _ways(scored) if (sheet := _numbers(scored, way, shown, told)) is not None]


def _ways(scored: Evaluation) -> list[str]:
    return [*scored.shown, *(name for name in WAYS if name not in scored.shown)]


def _measures(scored: Evaluation, way: str) -> list[str]:
    return list(dict.fromkeys(name for row in scored.runs for name in row.values.get(way) or ()))


def _value(row: RunScores, way: str, measure: str) -> float:
    return (row.values.get(way) or {}).get(measure, np.nan)


def _numbers(scored: Evaluation, way: str, shown: Collection[str], told: Sequence[Spread]) -> Sheet | None:
    rows = [row for row in scored.runs if row.run in shown and row.values.get(way)]
    over = {one.measure: one for one in told if one.way == way}
    measures = _measures(scored, way)
    if not measures or not (rows or over):
        return None
    columns = [Field("measure", readable)]
    for row in rows:
        columns.append(Field(row.name, partial(row.value, way), DIGITS))
        columns.append(Field(f"{scored.percent} CI", partial(row.ends, way)))
    if over:
        unknown = Spread(way, "", 0, *[Missing(TOO_FEW)] * 3)
        for name in ("lowest", "median", "highest"):
            columns.append(Field(name, {one: getattr(over.get(one, unknown), name) for one in measures}.get, DIGITS))
        if len({one.runs for one in over.values()}) > 1:
            columns.append(Field("runs", {one.measure: one.runs for one in told if one.way == way}.get))
    among = f", among {counted(max(one.runs for one in over.values()), 'run')}" if over else ""
    pairs = counted(sum(scored.key.labels.values()), "pair")
    return Sheet.of(f"{begun(IN_WORDS[way])}, {pairs}{among}", measures, *columns)
