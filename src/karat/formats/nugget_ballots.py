"""Nuggets as ballots: how important assessors call the same nuggets, or whether answers support them.

The label of a nugget is its importance, and in a file of assignments whether the run's answer supports it. Nuggets of a
topic are the same if they have the same text; labels without a meaning (`failed`) are not ballots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from karat.align.columns import Columns, cell_text
from karat.align.nugget_labels import degree_code, is_contradicted
from karat.data.nuggets import CONTRADICTED, DEGREES, IMPORTANCES, UNKNOWN_DEGREE
from karat.data.provenance import BallotReading
from karat.errors import Problems
from karat.formats.ballots import join_units
from karat.formats.documents import Document
from karat.formats.nugget_table import NUGGET_COLUMNS
from karat.formats.nuggetizer import NUGGETS, records_in, text_in
from karat.formats.registry import ballot_formats
from karat.formats.rows import read_rows, take_columns
from karat.formats.sniffing import best_of, has_columns, has_keys

COLUMNS = ("unit", "run", "qid", "nugget", "assessor", "importance", "assignment")
LABELS = {"importance": IMPORTANCES, "assignment": (*DEGREES, CONTRADICTED)}
Row = tuple[int | None, str, str, str, str, str, str]
"""The line, then all columns but the unit."""


def _importance(spelled: str) -> str:
    plain = spelled.strip().casefold()
    return plain if plain in IMPORTANCES else ""


def _degree(spelled: str) -> str:
    code = degree_code(spelled)
    if is_contradicted(spelled):
        return CONTRADICTED
    return "" if code == UNKNOWN_DEGREE else DEGREES[code]


@ballot_formats.register(
    "nuggets",
    sniff=best_of(has_keys(*NUGGETS), has_columns(("qid",), ("nugget",), ("importance",))),
    what="nuggets, as importance of each, or assignments to answers: JSON lines of TREC RAG; a table of nuggets",
)
def read(document: Document, reading: BallotReading, problems: Problems) -> Columns | None:
    """One ballot per nugget, or per run and nugget; the topic is a column of its own."""
    lines = bool(document.head.json_object)
    found = list(_objects(document, problems) if lines else _table(document, problems))
    problems.recognise(document.name)
    assigned = any(row[6] for row in found)
    label = reading.ballot_column.get("label", "assignment" if assigned else "importance")
    met: Counter[tuple[object, ...]] = Counter()
    rows = []
    for line, run, qid, text, who, importance, assignment in found:
        text = " ".join(text.split())
        key = (line, text) if lines else (who, qid, text)  # a list is a line, or the rows of an assessor and a topic
        met[key] += 1
        nugget = f"{text} ({met[key]})" if met[key] > 1 else text
        unit = " ".join(filter(None, (run if label == "assignment" else "", qid, nugget)))
        cells = {"importance": _importance(importance), "assignment": _degree(assignment)}
        if label in cells and not cells[label]:
            spelled = assignment if label == "assignment" else importance
            said = f"{label} {spelled!r} of nugget {nugget!r} of topic {qid!r}"
            problems.add("no-label", said, file=document.name, line=line, what=" or ".join(LABELS[label]))
        rows.append((line, unit, run, qid, nugget, who, *cells.values()))
    made = Columns.of_rows(document.source, COLUMNS, rows)
    if not any(made.values["assessor"]):
        del made.values["assessor"]
    if label in LABELS:
        made.values["label"] = made.values[label]
    join_units(made, reading)
    return None if problems.failed(document.name) else made


def _objects(document: Document, problems: Problems) -> Iterator[Row]:
    """The nuggets of JSON lines; the run of assignments without a `run_id` is nameless, as several files may be its."""
    for line, record, nuggets in records_in(document, problems):
        run, qid, who = (cell_text(record.get(key)) for key in ("run_id", "qid", "assessor"))
        for one in nuggets:
            importance, assignment = (cell_text(one.get(key)) for key in ("importance", "assignment"))
            yield line, run, qid, text_in(one), who, importance, assignment


def _table(document: Document, problems: Problems) -> Iterator[Row]:
    rows = read_rows(document, problems)
    taken = None if rows is None else take_columns(rows, NUGGET_COLUMNS, problems)
    if taken is not None:
        cells = (taken[role] for role in ("topic", "text", "assessor", "importance"))
        for line, *said in zip(taken.lines, *cells, strict=True):
            yield line, "", *said, ""
