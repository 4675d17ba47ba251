"""Nuggets as a table: `qid nugget assessor importance text`, and a `weight` where there are pyramids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.align.nuggets import NuggetColumns, nuggets_of
from karat.data.nuggets import Nuggets
from karat.data.numbers import as_number
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, nugget_formats
from karat.formats.rows import read_rows, take_columns, write_rows

ROLES = {name: (name,) for name in ("qid", "nugget", "assessor", "importance", "text", "weight")}
OPTIONAL = ("assessor", "weight")


def sniff(head: Head) -> Fit:
    """Certain of the columns that a nugget needs."""
    if head.is_parquet:
        return Fit.POSSIBLE
    return Fit.CERTAIN if {"qid", "nugget", "importance"} <= head.fields else Fit.NO


def write(nuggets: Nuggets, suffix: str = ".tsv") -> bytes:
    """The nuggets as rows, topic by topic; importance as it was spelled."""
    columns: dict[str, Sequence[Any]] = {
        "qid": [nuggets.units[topic] for topic in nuggets.topic.tolist()],
        "nugget": nuggets.names,
        "assessor": nuggets.assessor,
        "importance": nuggets.spelled,
        "text": nuggets.texts,
    }
    if nuggets.weights is not None:
        columns["weight"] = nuggets.weights.tolist()
    return write_rows(columns, suffix)


@nugget_formats.register(
    "table", sniff=sniff, write=write, what="TSV, CSV or JSON lines: qid, nugget, assessor, importance, text, [weight]"
)
def read(document: Document, against: None, problems: Problems) -> Nuggets | None:
    """Read rows by the names of their columns."""
    del against
    rows = read_rows(document, problems)
    taken = None if rows is None else take_columns(rows, document.name, ROLES, problems, OPTIONAL)
    if rows is None or taken is None:
        return None
    columns = NuggetColumns(
        file=document.name,
        source=document.source,
        topic=taken["qid"],
        name=taken["nugget"],
        text=taken["text"],
        importance=taken["importance"],
        lines=rows.lines,
        assessor=taken["assessor"],
        weight=weights_of(taken["weight"]) if any(taken["weight"]) else None,
    )
    return nuggets_of(columns, problems)


def weights_of(spelled: Sequence[str]) -> list[float]:
    """Weights as numbers; what is none becomes NaN, which no weight may be."""
    return [as_number(one) for one in spelled]
