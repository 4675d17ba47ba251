"""Score matrices: one row per run and one column per unit; CSV, TSV, JSON lines or Parquet.

A row called `cluster` is not a run: it names the cluster of every unit (its series, its text); a unit without one
stands alone. A matrix that is the other way round is read with `transpose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karat.arrays import Floats
from karat.data.arguments import checked
from karat.data.numbers import as_numbers
from karat.data.parameters import parameters
from karat.data.reading import ScoreReading
from karat.data.scores import Scores
from karat.errors import Problems, UsageError
from karat.formats.documents import FilePath, read_document
from karat.formats.rows import Rows, read_rows, text_of

CLUSTER = "cluster"
"""The row that names clusters."""
UNITS = frozenset(
    "item item_id itemid unit unit_id question question_id qid topic topic_id query query_id pair pair_id pairid uid "
    "example example_id instance instance_id".split()
)
RUNS = frozenset("run run_id system system_id model model_name name team engine method user userid user_id".split())
"""What the first column is called where rows are units, and where they are runs."""
MANY = 20
"""More rows than this, and more than there are columns, are likely units, unless the first column says otherwise."""
MOST = 1000
"""Of more rows that are likely units a study of runs, which compares each with every other, would not see the end."""


@checked
def read_scores(path: FilePath, measure: str = "mean score", **options: Any) -> Scores:
    """One row per run, named in the first column, and one column per unit; an empty cell is not scored.

    Options are those of `ScoreReading`.
    """
    problems, reading = Problems(), parameters(ScoreReading, options)
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    if rows is not None and document is not None and _called(rows.header[:1]) in UNITS | RUNS:
        problems.recognise(document.name)
    if rows is not None and document is not None and reading.transpose:
        rows = _transposed(rows, document.name, problems)
    problems.raise_errors()
    assert document is not None
    assert rows is not None
    name, *units = rows.header or [""]
    runs = [(text_of(value) or "").strip() for value in rows.columns.get(name, [])]
    if not set(runs) - {CLUSTER} or not units:
        problems.add("empty-file", "no scores", file=document.name, what="one row per run and one column per unit")
        problems.raise_errors()
    met: set[str] = set()
    for run, line in zip(runs, rows.lines, strict=True):
        if not run:
            what = "the run's name in the first column"
            problems.add("run-line", "a row without a name", file=document.name, line=line, what=what)
        elif run in met:
            problems.add("duplicate-run", f"a run {run!r} again", file=document.name, line=line)
        met.add(run)
    scored = [row for row, run in enumerate(runs) if run != CLUSTER]
    values = np.full((len(scored), len(units)), np.nan)
    for place, unit in enumerate(units):
        cells = rows.columns[unit]
        values[:, place], bad = _numbers(cells if len(scored) == len(cells) else [cells[row] for row in scored])
        if len(bad) < len(scored):
            problems.recognise(document.name)
        for row in (scored[one] for one in bad):
            found = f"score {text_of(cells[row])!r} of run {runs[row]!r} on unit {unit!r}"
            problems.add("score", found, file=document.name, line=rows.lines[row])
    problems.raise_errors()
    clusters = None
    if len(scored) < len(runs):
        named = [(text_of(rows.columns[unit][runs.index(CLUSTER)]) or "").strip() for unit in units]
        clusters = tuple(name or None for name in named) if any(named) else None
    names = tuple(runs[row] for row in scored)
    if not reading.transpose and _rows_look_like_units(name, len(names), len(units)):
        code = "units-as-rows" if len(names) <= MOST else "too-many-runs"
        problems.add(code, f"{len(names)} runs (rows) × {len(units)} units (columns)", file=document.name)
        problems.raise_errors()
    source, warnings = (document.source,), problems.warnings
    return Scores(names, tuple(units), values, measure, clusters, source, warnings, reading=reading)


def _transposed(rows: Rows, file: str, problems: Problems) -> Rows:
    """A matrix with one row per unit as one with one row per run; a column `cluster` becomes the row of that name."""
    name, *runs = rows.header or [""]
    columns: dict[str, list[Any]] = {"": list(runs)}
    for place, (cell, line) in enumerate(zip(rows.columns.get(name, []), rows.lines, strict=True)):
        unit = (text_of(cell) or "").strip()
        if not unit:
            problems.add("no-id", "a row without the name of its unit", file=file, line=line)
        elif unit in columns:
            problems.add("duplicate-id", f"unit {unit!r} again", file=file, line=line)
        columns.setdefault(unit, [rows.columns[run][place] for run in runs])
    return Rows(columns, [None] * len(runs), list(columns))


def _called(header: Sequence[str]) -> str:
    """What the first column is called, however that is written."""
    return "".join(header).strip().casefold().replace(" ", "_").replace("-", "_")


def _rows_look_like_units(first: str, runs: int, units: int) -> bool:
    """Whether the rows are probably units, by the name of the first column or by their number."""
    called = _called([first])
    return called in UNITS or (called not in RUNS and runs > max(units, MANY))


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
    return values, [row for row in odd if (text_of(cells[row]) or "").strip()]
