"""Nuggets, and which of them the answers contain, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from karat.align.columns import Columns, report_same_runs
from karat.align.matches import align_matches, make_nuggets
from karat.data.nuggets import CONTRADICTED, DEGREES, NOT, NOT_JUDGED, UNKNOWN_DEGREE, Matches, Nuggets
from karat.data.parameters import checked
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, FilePath, FilePaths, read_documents
from karat.formats.registry import (
    columns_of,
    match_formats,
    nugget_formats,
    read_columns,
    read_one,
    without_errors,
    write_file,
)
from karat.formats.rows import Col, certain_of, declare_table

NUGGET_COLUMNS = {
    "topic": Col(("qid",)),
    "name": Col(("nugget",)),
    "assessor": Col(("assessor",), needed=False),
    "importance": Col(("importance",)),
    "text": Col(("text",)),
    "weight": Col(("weight",), needed=False),
}


def _nugget_cells(nuggets: Nuggets) -> dict[str, Sequence[Any]]:
    columns: dict[str, Sequence[Any]] = {
        "qid": [nuggets.units[topic] for topic in nuggets.topic.tolist()],
        "nugget": nuggets.names,
        "assessor": nuggets.assessor,
        "importance": nuggets.spelled,
        "text": nuggets.texts,
    }
    weights = {} if nuggets.weights is None else {"weight": nuggets.weights.tolist()}
    return columns | weights | dict(nuggets.attributes)


declare_table(
    nugget_formats,
    NUGGET_COLUMNS,
    what="TSV, CSV or JSON lines: qid, nugget, assessor, importance, text, [weight], [attributes]",
    sniff=certain_of(*(NUGGET_COLUMNS[role] for role in ("topic", "name", "importance"))),
    cells=_nugget_cells,
    rest=True,
)


MATCH_COLUMNS = {
    "run": Col(("run",), needed=False),
    "topic": Col(("qid",)),
    "nugget": Col(("nugget",)),
    "assessor": Col(("assessor",), needed=False),
    "degree": Col(("degree",)),
}


def _name_runs(columns: Columns, problems: Problems) -> None:
    """Without a name, a run has the name of the file."""
    if not len(columns):
        problems.add("empty-file", "no matches", file=columns.file, what="a row for every nugget matched")
    columns.values["run"] = [run or columns.source.stem for run in columns["run"]]


def _match_cells(matches: Matches) -> dict[str, Sequence[Any]]:
    """The matched nuggets of each run; if an assessor found none, one row says so."""
    nuggets = matches.nuggets
    contrary = np.zeros(matches.degree.shape, dtype=np.bool_) if matches.contradicted is None else matches.contradicted
    rows: list[tuple[int, int]] = []
    for run, (degree, importance) in enumerate(zip(matches.degree, matches.importance, strict=True)):
        for assessor in nuggets.assessors:
            own = nuggets.places_of(assessor)
            if (importance[own] == NOT_JUDGED).all():
                continue  # did not judge the run
            if (importance[own] != nuggets.importance[own]).any() or (degree[own] == UNKNOWN_DEGREE).any():
                own_list = f"{matches.runs[run]} has a list or labels of its own, which its assignment file keeps"
                raise UsageError(f"a table of matches refers to one list of nuggets: {own_list}")
            said = (degree[own] != NOT) | contrary[run][own]
            places = own[said].tolist() or own[:1].tolist()
            rows += [(run, place) for place in places]
    return {
        "run": [matches.runs[run] for run, _ in rows],
        "qid": [nuggets.units[nuggets.topic[place]] for _, place in rows],
        "nugget": [nuggets.names[place] for _, place in rows],
        "assessor": [nuggets.assessor[place] for _, place in rows],
        "degree": [
            CONTRADICTED if contrary[run, place] else DEGREES[matches.degree[run, place]] for run, place in rows
        ],
    }


declare_table(
    match_formats,
    MATCH_COLUMNS,
    what="TSV, CSV or JSON lines: run, qid, nugget, assessor, degree",
    sniff=certain_of(*(MATCH_COLUMNS[role] for role in ("topic", "nugget", "degree"))),
    cells=_match_cells,
    finish=_name_runs,
)


@checked
def read_nuggets(path: FilePath) -> Nuggets:
    """Lists of nuggets."""
    return read_one(nugget_formats, path, make_nuggets)


def parse_nuggets(document: Document, problems: Problems) -> Nuggets | None:
    """The nuggets in a document; None if it has errors."""
    columns = read_columns(nugget_formats, document, problems)
    return None if columns is None else make_nuggets(columns, problems)


@checked
def write_nuggets(nuggets: Nuggets, path: FilePath, writer: str | None = None) -> None:
    """Write lists of nuggets in the format `writer`, by default as the nuggetizer does for .jsonl, else as a table."""
    write_file(nugget_formats[writer or _usual(path)], path, nuggets)


@checked
def read_matches(paths: FilePaths, nuggets: Nuggets) -> Matches:
    """The nuggets found in the answers of runs, from files or folders."""
    problems = Problems()
    return without_errors(gather_matches(read_documents(paths, problems), nuggets, problems), problems)


def gather_matches(documents: Iterable[Document], nuggets: Nuggets, problems: Problems) -> Matches:
    """The matches in documents; documents with errors yield incomplete runs."""
    columns = list(columns_of(match_formats, documents, problems))
    report_same_runs([(list(dict.fromkeys(one["run"])), one.file) for one in columns], problems)
    return align_matches(nuggets, columns, problems)


@checked
def write_matches(matches: Matches, path: FilePath, writer: str | None = None) -> None:
    """Write the nuggets found in answers in the format `writer`, by default nuggetizer for .jsonl, else a table."""
    write_file(match_formats[writer or _usual(path)], path, matches)


def _usual(path: FilePath) -> str:
    return "nuggetizer" if Path(path).suffix == ".jsonl" else "table"
