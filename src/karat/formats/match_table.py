"""Matches as a table: `run qid nugget assessor degree`.

Only nuggets that are matched need a row; an assessor has judged the runs that have a row of theirs, on every topic.
"""

from __future__ import annotations

from karat.align.matches import MatchColumns
from karat.data.nuggets import ABSENT, DEGREES, NOT, UNKNOWN, Matches, Nuggets
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, match_formats
from karat.formats.rows import read_rows, take_columns, write_rows

ROLES = {name: (name,) for name in ("run", "qid", "nugget", "assessor", "degree")}


def sniff(head: Head) -> Fit:
    """Certain of the columns that a match needs."""
    if head.is_parquet:
        return Fit.POSSIBLE
    return Fit.CERTAIN if {"qid", "nugget", "degree"} <= head.fields else Fit.NO


def write(matches: Matches, suffix: str = ".tsv") -> bytes:
    """What each run holds; where an assessor found nothing in a run, one row says so."""
    nuggets = matches.nuggets
    rows: list[tuple[int, int]] = []
    for run, (degree, importance) in enumerate(zip(matches.degree, matches.importance, strict=True)):
        for assessor in nuggets.assessors:
            own = nuggets.places_of(assessor)
            if (importance[own] == ABSENT).all():
                continue  # who did not judge the run
            if (importance[own] != nuggets.importance[own]).any() or (degree[own] == UNKNOWN).any():
                own_list = f"{matches.runs[run]} has a list or labels of its own, which its assignment file keeps"
                raise UsageError(f"a table of matches holds what runs match of one list: {own_list}")
            places = own[degree[own] != NOT].tolist() or own[:1].tolist()
            rows += [(run, place) for place in places]
    return write_rows(
        {
            "run": [matches.runs[run] for run, _ in rows],
            "qid": [nuggets.units[nuggets.topic[place]] for _, place in rows],
            "nugget": [nuggets.names[place] for _, place in rows],
            "assessor": [nuggets.assessor[place] for _, place in rows],
            "degree": [DEGREES[matches.degree[run, place]] for run, place in rows],
        },
        suffix,
    )


@match_formats.register(
    "table", sniff=sniff, write=write, what="TSV, CSV or JSON lines: run, qid, nugget, assessor, degree"
)
def read(document: Document, against: Nuggets, problems: Problems) -> MatchColumns | None:
    """Read rows by the names of their columns; where none names the run, the file does."""
    del against
    rows = read_rows(document, problems)
    taken = None if rows is None else take_columns(rows, document.name, ROLES, problems, ("run", "assessor"))
    if rows is None or taken is None:
        return None
    if not rows.lines:
        problems.add("empty-file", "no matches", file=document.name, what="a row for every nugget matched")
    return MatchColumns(
        file=document.name,
        source=document.source,
        run=[run or document.stem for run in taken["run"]],
        topic=taken["qid"],
        nugget=taken["nugget"],
        degree=taken["degree"],
        lines=rows.lines,
        assessor=taken["assessor"],
    )
