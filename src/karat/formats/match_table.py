"""Matches as a table: `run qid nugget assessor degree`.

Only matched nuggets need a row; an assessor with a row for a run has judged it on every topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.align.columns import Columns
from karat.data.nuggets import ABSENT, DEGREES, NOT, UNKNOWN, Matches
from karat.errors import Problems, UsageError
from karat.formats.registry import match_formats
from karat.formats.table_format import Col, certain_of, declare_table

COLUMNS = {
    "run": Col(("run",), needed=False),
    "topic": Col(("qid",)),
    "nugget": Col(("nugget",)),
    "assessor": Col(("assessor",), needed=False),
    "degree": Col(("degree",)),
}


def _finish(columns: Columns, problems: Problems) -> None:
    """Without a name, a run has the name of the file."""
    if not len(columns):
        problems.add("empty-file", "no matches", file=columns.file, what="a row for every nugget matched")
    columns.values["run"] = [run or columns.source.stem for run in columns["run"]]


def _cells(matches: Matches) -> dict[str, Sequence[Any]]:
    """The matched nuggets of each run; if an assessor found none, one row says so."""
    nuggets = matches.nuggets
    rows: list[tuple[int, int]] = []
    for run, (degree, importance) in enumerate(zip(matches.degree, matches.importance, strict=True)):
        for assessor in nuggets.assessors:
            own = nuggets.places_of(assessor)
            if (importance[own] == ABSENT).all():
                continue  # did not judge the run
            if (importance[own] != nuggets.importance[own]).any() or (degree[own] == UNKNOWN).any():
                own_list = f"{matches.runs[run]} has a list or labels of its own, which its assignment file keeps"
                raise UsageError(f"a table of matches holds what runs match of one list: {own_list}")
            places = own[degree[own] != NOT].tolist() or own[:1].tolist()
            rows += [(run, place) for place in places]
    return {
        "run": [matches.runs[run] for run, _ in rows],
        "qid": [nuggets.units[nuggets.topic[place]] for _, place in rows],
        "nugget": [nuggets.names[place] for _, place in rows],
        "assessor": [nuggets.assessor[place] for _, place in rows],
        "degree": [DEGREES[matches.degree[run, place]] for run, place in rows],
    }


declare_table(
    match_formats,
    COLUMNS,
    what="TSV, CSV or JSON lines: run, qid, nugget, assessor, degree",
    sniff=certain_of(*(COLUMNS[role] for role in ("topic", "nugget", "degree"))),
    cells=_cells,
    finish=_finish,
)
