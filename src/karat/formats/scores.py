"""Score matrices: one row per run and one column per unit; CSV, TSV, JSON lines or Parquet.

A row called `cluster` is not a run: it names the cluster of every unit (its series, its text); a unit without one is
its own cluster. A matrix with one row per unit is read with `transpose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from karat.align.columns import Columns, as_numbers, cell_text, text_of
from karat.arrays import Floats
from karat.data.parameters import checked, takes
from karat.data.provenance import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, FilePath
from karat.formats.registry import (
    anything,
    read_one,
    score_formats,
    write_file,
)
from karat.formats.rows import read_rows, write_rows

CLUSTER = "cluster"
"""The row that names clusters."""
UNIT_HEADINGS = frozenset(
    "item item_id itemid unit unit_id question question_id qid topic topic_id query query_id pair pair_id pairid uid "
    "example example_id instance instance_id".split()
)
RUN_HEADINGS = frozenset(
    "run run_id system system_id model model_name name team engine method user userid user_id".split()
)
"""Headings of the first column if rows are units, and if they are runs."""
FEW_ROWS = 20
"""If there are more rows than this, and more than columns, they are probably units."""
MOST_COMPARED = 1000
"""With more runs, a study that compares each with every other would not finish."""


@takes(ScoreReading)
def read_scores(path: FilePath, reading: ScoreReading, measure: str = "") -> Scores:
    """One row per run, named in the first column, and one column per unit; empty cells are not scored.

    The measure is what the mean over units is called: by default accuracy if every score is 0 or 1, as of answers that
    are right or wrong, else mean score.
    """
    return read_one(score_formats, path, partial(_scores, measure, reading), reading)


def write(scores: Scores, suffix: str = "") -> bytes:
    """One row per run and one column per unit, empty if not scored; clusters are a row of their own."""
    clusters = scores.clusters
    if CLUSTER in scores.runs:
        raise UsageError(f"a run called {CLUSTER!r} would be read as the clusters of the units: rename it")
    if "run" in scores.units:
        raise UsageError("a unit called 'run' would be read as the runs' names: rename it")
    columns: dict[str, list[Any]] = {"run": [*([] if clusters is None else [CLUSTER]), *scores.runs]}
    as_text = suffix == ".parquet"  # a column has one type, and names of clusters are texts
    for place, unit in enumerate(scores.units):
        cells: list[Any] = [None if value != value else value for value in scores.values[:, place].tolist()]
        if clusters is not None:
            cells = [clusters[place], *(str(cell) if as_text and cell is not None else cell for cell in cells)]
        columns[unit] = cells
    return write_rows(columns, suffix)


@score_formats.register(
    "table", sniff=anything, write=write, what="one row per run and one column per unit: CSV, TSV, JSON lines, Parquet"
)
def read(document: Document, reading: ScoreReading, problems: Problems) -> Columns | None:
    """Read the rows, transposed if the user says so."""
    rows = read_rows(document, problems)
    if rows is not None and _called(list(rows.values)[:1]) in UNIT_HEADINGS | RUN_HEADINGS:
        problems.recognise(document.name)
    return _transposed(rows, problems) if rows is not None and reading.transpose else rows


def _scores(measure: str, reading: ScoreReading, rows: Columns, problems: Problems) -> Scores | None:
    """The matrix; every row has a unique name, and every cell is a number or empty."""
    if problems.failed(rows.file):
        return None
    name, *units = rows.values or [""]
    runs = [cell_text(value) for value in rows.values.get(name, [])]
    if not set(runs) - {CLUSTER} or not units:
        problems.add("empty-file", "no scores", file=rows.file, what="one row per run and one column per unit")
        return None
    met: set[str] = set()
    for row, run in enumerate(runs):
        if not run:
            rows.report(problems, "run-line", "a row without a name", row, what="the run's name in the first column")
        elif run in met:
            rows.report(problems, "duplicate-run", f"a run {run!r} again", row)
        met.add(run)
    scored = [row for row, run in enumerate(runs) if run != CLUSTER]
    values = np.full((len(scored), len(units)), np.nan)
    for place, unit in enumerate(units):
        cells = rows.values[unit]
        values[:, place], bad = _numbers(cells if len(scored) == len(cells) else [cells[row] for row in scored])
        if len(bad) < len(scored):
            problems.recognise(rows.file)
        for row in (scored[one] for one in bad):
            found = f"score {text_of(cells[row])!r} of run {runs[row]!r} on unit {unit!r}"
            rows.report(problems, "score", found, row)
    if problems.failed(rows.file):
        return None
    clusters = None
    if len(scored) < len(runs):
        named = [cell_text(rows.values[unit][runs.index(CLUSTER)]) for unit in units]
        clusters = tuple(name or None for name in named) if any(named) else None
    names = tuple(runs[row] for row in scored)
    called = _called([name])
    long = called not in RUN_HEADINGS and len(names) > max(len(units), FEW_ROWS)
    if not reading.transpose and (called in UNIT_HEADINGS or long):
        code = "units-as-rows" if len(names) <= MOST_COMPARED else "too-many-runs"
        problems.add(code, f"{len(names)} runs (rows) × {len(units)} units (columns)", file=rows.file)
    # What scores other than right and wrong are, nobody knows; nor those of clusters, which are means.
    right_or_wrong = clusters is None and bool(np.isin(values[~np.isnan(values)], (0, 1)).all())
    measure = measure or ("accuracy" if right_or_wrong else "mean score")
    return Scores(names, tuple(units), values, measure, clusters, (rows.source,), reading=reading)


def _transposed(rows: Columns, problems: Problems) -> Columns:
    """The transposed matrix; a column `cluster` becomes the row of that name."""
    name, *runs = rows.values or [""]
    columns: dict[str, list[Any]] = {"": list(runs)}
    for row, cell in enumerate(rows.values.get(name, [])):
        unit = cell_text(cell)
        if not unit:
            rows.report(problems, "no-id", "a row without the name of its unit", row)
        elif unit in columns:
            rows.report(problems, "duplicate-id", f"unit {unit!r} again", row)
        columns.setdefault(unit, [rows.values[run][row] for run in runs])
    return Columns(rows.source, columns, [None] * len(runs))


def _called(header: Sequence[str]) -> str:
    return "".join(header).strip().casefold().replace(" ", "_").replace("-", "_")


def _numbers(cells: Sequence[Any]) -> tuple[Floats, list[int]]:
    """The scores of a unit, NaN if empty, and the rows whose cells are neither."""
    if bool in set(map(type, cells)):  # right or wrong, in JSON and Parquet
        cells = [int(cell) if isinstance(cell, bool) else cell for cell in cells]
    values = as_numbers(cells)
    odd = np.flatnonzero(~np.isfinite(values)).tolist()
    values[odd] = np.nan
    return values, [row for row in odd if cell_text(cells[row])]


@checked
def write_scores(scores: Scores, path: FilePath) -> None:
    """Write a score matrix: one row per run, one column per unit, empty if not scored; clusters are a separate row."""
    write_file(score_formats["table"], path, scores)
