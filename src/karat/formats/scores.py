"""Score matrices: a row a run, a column a unit; CSV, TSV or Parquet."""

from __future__ import annotations

import numpy as np

from karat.data.scores import Scores
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document
from karat.formats.rows import read_rows, text_of


def read_scores(path: FilePath, measure: str = "mean score") -> Scores:
    """The first column names the runs, every other is a unit; an empty cell is not scored."""
    problems = Problems()
    document = read_document(path, problems)
    rows = None if document is None else read_rows(document, problems)
    problems.raise_errors()
    assert document is not None
    assert rows is not None
    name, *units = rows.header
    runs = tuple((text_of(value) or "").strip() for value in rows.columns[name])
    if not runs or not units:
        problems.add("empty-file", "no scores", file=document.name, what="a row a run and a column a unit")
    for run in {run for run in runs if runs.count(run) > 1}:
        problems.add("duplicate-run", f"a run {run!r} again", file=document.name)
    values = np.full((len(runs), len(units)), np.nan)
    for place, unit in enumerate(units):
        for row, value in enumerate(rows.columns[unit]):
            text = (text_of(value) or "").strip()
            try:
                values[row, place] = float(text) if text else np.nan
            except ValueError:
                text = "nan"
            if text and not np.isfinite(values[row, place]):
                found = f"score {text_of(value)!r} of run {runs[row]!r} on unit {unit!r}"
                problems.add("score", found, file=document.name, line=rows.lines[row])
    problems.raise_errors()
    return Scores(runs, tuple(units), values, measure, sources=(document.source,))
