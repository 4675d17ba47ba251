"""Nuggets as a table: `qid nugget assessor importance text`, and a `weight` with pyramids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.align.columns import Columns
from karat.data.cells import as_number
from karat.data.nuggets import Nuggets
from karat.errors import Problems
from karat.formats.registry import nugget_formats
from karat.formats.table_format import Col, certain_of, declare_table

COLUMNS = {
    "topic": Col(("qid",)),
    "name": Col(("nugget",)),
    "assessor": Col(("assessor",), needed=False),
    "importance": Col(("importance",)),
    "text": Col(("text",)),
    "weight": Col(("weight",), needed=False),
}


def _finish(columns: Columns, _: Problems) -> None:
    """Weights as numbers, NaN if invalid, which is reported later; an empty column is dropped."""
    spelled = columns.values.pop("weight", ())
    if any(spelled):
        columns.values["weight"] = list(map(as_number, spelled))


def _cells(nuggets: Nuggets) -> dict[str, Sequence[Any]]:
    columns: dict[str, Sequence[Any]] = {
        "qid": [nuggets.units[topic] for topic in nuggets.topic.tolist()],
        "nugget": nuggets.names,
        "assessor": nuggets.assessor,
        "importance": nuggets.spelled,
        "text": nuggets.texts,
    }
    return columns if nuggets.weights is None else columns | {"weight": nuggets.weights.tolist()}


declare_table(
    nugget_formats,
    COLUMNS,
    what="TSV, CSV or JSON lines: qid, nugget, assessor, importance, text, [weight]",
    sniff=certain_of(*(COLUMNS[role] for role in ("topic", "name", "importance"))),
    cells=_cells,
    finish=_finish,
)
