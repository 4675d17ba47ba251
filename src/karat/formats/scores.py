"""Score matrices: a row a run, a column a unit; CSV, TSV, JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.data.scores import Scores
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document
from karat.formats.rows import read_rows, text_of

Floats = NDArray[np.float64]


def read_scores(path: FilePath, measure: str = "mean score") -> Scores:
    """The first column names the runs, every other is a unit; an empty cell is not scored."""
    problems = Problems()
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    problems.raise_errors()
    assert document is not None
    assert rows is not None
    name, *units = rows.header or [""]
    runs = [(text_of(value) or "").strip() for value in rows.columns.get(name, [])]
    if not runs or not units:
        problems.add("empty-file", "no scores", file=document.name, what="a row a run and a column a unit")
    met: set[str] = set()
    for run, line in zip(runs, rows.lines, strict=True):
        if not run:
            what = "the run's name in the first column"
            problems.add("run-line", "a row without a name", file=document.name, line=line, what=what)
        elif run in met:
            problems.add("duplicate-run", f"a run {run!r} again", file=document.name, line=line)
        met.add(run)
    values = np.full((len(runs), len(units)), np.nan)
    for place, unit in enumerate(units):
        values[:, place], bad = _numbers(rows.columns[unit])
        for row in bad:
            found = f"score {text_of(rows.columns[unit][row])!r} of run {runs[row]!r} on unit {unit!r}"
            problems.add("score", found, file=document.name, line=rows.lines[row])
    problems.raise_errors()
    return Scores(tuple(runs), tuple(units), values, measure, sources=(document.source,))


def _numbers(cells: Sequence[Any]) -> tuple[Floats, list[int]]:
    """The cells of a unit as numbers, NaN where they are empty; and the rows of those that are neither."""
    try:
        values = np.array(list(map(float, cells)))
        if np.isfinite(values).all():  # nearly always: no cell needs a second look
            return values, []
    except (TypeError, ValueError, OverflowError):
        pass
    values, bad = np.full(len(cells), np.nan), []
    for row, cell in enumerate(cells):
        text = str(int(cell)) if isinstance(cell, bool) else (text_of(cell) or "").strip()
        try:
            values[row] = float(text) if text else np.nan
        except (ValueError, OverflowError):
            bad.append(row)
            continue
        if text and not np.isfinite(values[row]):
            bad.append(row)
    return values, bad
