"""Score matrices: one row per run and one column per unit; CSV, TSV, JSON lines or Parquet.

A row called `cluster` is not a run: it names the cluster of every unit (its series, its text); a unit without one
stands alone. A matrix that is the other way round is read with `transpose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from karat.align.columns import Columns
from karat.arrays import Floats
from karat.data.cells import as_numbers
from karat.data.parameters import checked, parameters
from karat.data.reading import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, FilePath
from karat.formats.registry import anything, read_one, score_formats
from karat.formats.rows import cell_text, read_rows, text_of, write_rows

CLUSTER = "cluster"
"""The row that names clusters."""
UNITS = frozenset(
    "item item_id itemid unit unit_id question question_id qid topic topic_id query query_id pair pair_id pairid uid "
    "example example_id instance instance_id".split()
)
RUNS = frozenset("run run_id system system_id model model_name name team engine method user userid user_id".split())
"""What the first column is called where rows are units, and where they are runs."""
SURELY_RUNS = 20
"""More rows than this, and more than there are columns, are likely units, unless the first column says otherwise."""
MOST_RUNS = 1000
"""Of more rows that are likely units a study of runs, which compares each with every other, would not see the end."""


@checked
def read_scores(path: FilePath, measure: str = "mean score", **options: Any) -> Scores:
    """One row per run, named in the first column, and one column per unit; an empty cell is not scored.

    Options are those of `ScoreReading`.
    """
    reading = parameters(ScoreReading, options)
    return read_one(score_formats, path, partial(_scores, measure, reading), reading)


def write(scores: Scores, suffix: str = "") -> bytes:
    """One row per run and one column per unit; not scored is empty; clusters in a row of their own."""
    return write_rows(cells_of(scores, text=suffix == ".parquet"), suffix)


@score_formats.register(
    "table", sniff=anything, write=write, what="one row per run and one column per unit: CSV, TSV, JSON lines, Parquet"
)
def read(document: Document, reading: ScoreReading, problems: Problems) -> Columns | None:
    """Read the rows, turned round where the user says so."""
    rows = read_rows(document, problems)
    if rows is not None and _called(list(rows.values)[:1]) in UNITS | RUNS:
        problems.recognise(document.name)
    return _transposed(rows, problems) if rows is not None and reading.transpose else rows


def _scores(measure: str, reading: ScoreReading, rows: Columns, problems: Problems) -> Scores | None:
    """The matrix; every row has a name of its own, and every cell is a number or empty."""
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
            rows.tell(problems, "run-line", "a row without a name", row, what="the run's name in the first column")
        elif run in met:
            rows.tell(problems, "duplicate-run", f"a run {run!r} again", row)
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
            rows.tell(problems, "score", found, row)
    if problems.failed(rows.file):
        return None
    clusters = None
    if len(scored) < len(runs):
        named = [cell_text(rows.values[unit][runs.index(CLUSTER)]) for unit in units]
        clusters = tuple(name or None for name in named) if any(named) else None
    names = tuple(runs[row] for row in scored)
    if not reading.transpose and _rows_look_like_units(name, len(names), len(units)):
        code = "units-as-rows" if len(names) <= MOST_RUNS else "too-many-runs"
        problems.add(code, f"{len(names)} runs (rows) × {len(units)} units (columns)", file=rows.file)
    return Scores(names, tuple(units), values, measure, clusters, (rows.source,), reading=reading)


def _transposed(rows: Columns, problems: Problems) -> Columns:
    """A matrix with one row per unit as one with one row per run; a column `cluster` becomes the row of that name."""
    name, *runs = rows.values or [""]
    columns: dict[str, list[Any]] = {"": list(runs)}
    for row, cell in enumerate(rows.values.get(name, [])):
        unit = cell_text(cell)
        if not unit:
            rows.tell(problems, "no-id", "a row without the name of its unit", row)
        elif unit in columns:
            rows.tell(problems, "duplicate-id", f"unit {unit!r} again", row)
        columns.setdefault(unit, [rows.values[run][row] for run in runs])
    return Columns(rows.source, columns, [None] * len(runs))


def _called(header: Sequence[str]) -> str:
    """What the first column is called, however that is written."""
    return "".join(header).strip().casefold().replace(" ", "_").replace("-", "_")


def _rows_look_like_units(first: str, runs: int, units: int) -> bool:
    """Whether the rows are probably units, by the name of the first column or by their number."""
    called = _called([first])
    return called in UNITS or (called not in RUNS and runs > max(units, SURELY_RUNS))


def cells_of(scores: Scores, text: bool = False) -> dict[str, list[Any]]:
    """The columns of the file; as text where a column can hold one type only and there are names of clusters in it."""
    clusters = scores.clusters
    if CLUSTER in scores.runs:
        raise UsageError(f"a run called {CLUSTER!r} would be read as the clusters of the units: rename it")
    if "run" in scores.units:
        raise UsageError("a unit called 'run' would be read as the runs' names: rename it")
    head = [] if clusters is None else [CLUSTER]
    columns: dict[str, list[Any]] = {"run": [*head, *scores.runs]}
    for place, unit in enumerate(scores.units):
        cells: list[Any] = [None if value != value else value for value in scores.values[:, place].tolist()]
        if clusters is not None:
            cells = [clusters[place], *(str(cell) if text and cell is not None else cell for cell in cells)]
        columns[unit] = cells
    return columns


def _numbers(cells: Sequence[Any]) -> tuple[Floats, list[int]]:
    """The cells of a unit as numbers, NaN where they are empty; and the rows of those that are neither."""
    if bool in set(map(type, cells)):  # right or wrong, in JSON and Parquet
        cells = [int(cell) if isinstance(cell, bool) else cell for cell in cells]
    values = as_numbers(cells)
    odd = np.flatnonzero(~np.isfinite(values)).tolist()
    values[odd] = np.nan
    return values, [row for row in odd if cell_text(cells[row])]
