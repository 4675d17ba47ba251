"""Scores in a Parquet file too large to hold: one row per unit and one column per run, read part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.align.scores import CLUSTER, measure_of
from karat.data.parameters import takes
from karat.data.parts import ScoreParts
from karat.data.provenance import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems, counted
from karat.formats.documents import FilePath, FilePaths, listed
from karat.formats.parquet_parts import LARGE, ParquetParts, TablePart, large_parquet
from karat.formats.score_table import ID_HEADINGS, RUN_HEADINGS, UNIT_HEADINGS, called
from karat.progress import track


@takes(ScoreReading)
def read_score_parts(
    paths: FilePaths,
    reading: ScoreReading,
    least: int = LARGE,
    rows_at_once: int | None = None,
    on: str = "here",
) -> ScoreParts | None:
    """Scores in parts, from one Parquet file of more than `least` cells whose rows are units; None for other files."""
    match listed(paths):
        case [path] if reading.score is None:
            found = _of_file(path, reading, least, rows_at_once)
            return found and replace(found, on=on)
    return None


def _of_file(path: FilePath, reading: ScoreReading, least: int, rows_at_once: int | None) -> ScoreParts | None:
    table = large_parquet(path, least)
    if table is None:
        return None
    unit, *columns = table.columns
    heading = called([unit])
    told = heading in UNIT_HEADINGS | ID_HEADINGS
    runs = [name for name in columns if name != CLUSTER]
    others = [name for name in runs if "number" not in table.columns[name]]
    if not (told or reading.transpose) or heading in RUN_HEADINGS or others or not runs:
        return None
    problems = Problems()
    if not reading.transpose:
        found = f"{counted(table.rows, 'unit')} (rows) × {counted(len(runs), 'run')} (columns)"
        problems.add("transposed", found, file=table.name, line=1, heading=f"called {unit}")
    return ScoreParts(
        runs=tuple(runs),
        units=table.rows,
        parts=partial(_parts, table, unit, runs, rows_at_once),
        held=partial(_held, table, unit, runs, reading),
        clustered=CLUSTER in columns,
        sources=(table.source,),
        reading=reading,
        warnings=tuple(problems),
    )


def _parts(table: ParquetParts, unit: str, runs: list[str], rows_at_once: int | None) -> Iterator[NDArray[Any]]:
    """The scores of each part; an error at the end if a unit occurs twice or has no name."""
    names = []
    for part in _tracked(table, table.parts(hashed=[unit], numbers=runs, rows_at_once=rows_at_once)):
        names.append(part.hashed[unit])
        yield _checked(part, runs, table)
    table.refuse_repeated(names, "unit", unit)


def _held(table: ParquetParts, unit: str, runs: list[str], reading: ScoreReading) -> Scores:
    """All scores at once."""
    values, start = np.empty((len(runs), table.rows)), 0
    names: list[str] = []
    clusters: list[str | None] | None = [] if CLUSTER in table.columns else None
    texts = [unit] if clusters is None else [unit, CLUSTER]
    for part in _tracked(table, table.parts(texts=texts, numbers=runs)):
        values[:, start : start + part.rows] = _checked(part, runs, table)
        start += part.rows
        names += _texts(part, unit)
        if clusters is not None:
            clusters += [name or None for name in _texts(part, CLUSTER)]
    problems = Problems()
    if again := len(names) - len(set(names)):
        problems.add("duplicate-id", f"{counted(again, 'unit')} again in the column {unit}", file=table.name)
    if "" in names:
        problems.add("no-id", "a row without the name of its unit", file=table.name)
    problems.raise_errors()
    named = tuple(clusters) if clusters and any(clusters) else None
    scores = Scores(tuple(runs), tuple(names), values, "", named, (table.source,), reading=reading)
    return replace(scores, measure=measure_of(scores))


def _tracked(table: ParquetParts, parts: Iterator[TablePart]) -> Iterator[TablePart]:
    return iter(track(parts, "reading units", table.rows, lambda part: part.rows))


def _texts(part: TablePart, name: str) -> list[str]:
    places, words = part.texts[name]
    return [words[place] for place in places.tolist()]


def _checked(part: TablePart, runs: list[str], table: ParquetParts) -> NDArray[Any]:
    """The numbers of a part; an error if one is infinite."""
    if part.numbers.dtype != np.int8 and (bad := np.isinf(part.numbers)).any():
        problems, row = Problems(), int(np.flatnonzero(bad.any(axis=1))[0])
        problems.add("score", f"an infinite score of run {runs[row]!r}", file=table.name)
        problems.raise_errors()
    return part.numbers
