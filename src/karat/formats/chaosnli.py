"""ChaosNLI: SNLI and MultiNLI pairs with a hundred labels each, JSON lines."""

from __future__ import annotations

from typing import Any

from karat.data.pairs import PairColumns
from karat.data.reading import Reading
from karat.errors import Problems
from karat.formats.documents import Document, Head
from karat.formats.layout import Layout, read_layout
from karat.formats.registry import Fit, pair_formats
from karat.formats.rows import Rows, read_rows

_LAYOUT = Layout(
    text=("premise",),
    hypothesis=("hypothesis",),
    id=("uid",),
    label=("majority_label",),
    ballots=("ballots",),
)


def sniff(head: Head) -> Fit:
    """Certain of its counts of labels."""
    return Fit.CERTAIN if {"label_counter", "example"} <= head.fields else Fit.NO


@pair_formats.register("chaosnli", sniff=sniff, write=None, what="ChaosNLI, JSON lines; the counts become ballots")
def read(document: Document, reading: Reading, problems: Problems) -> PairColumns:
    """Read ChaosNLI: the majority is the label, the counts are ballots, the old label is an attribute."""
    rows = read_rows(document, problems)
    return read_layout(document, rows and _flattened(document.name, rows, problems), _LAYOUT, reading, problems)


def _flattened(name: str, rows: Rows, problems: Problems) -> Rows:
    """The nested example as columns, the counts as lists of labels."""
    columns: dict[str, list[Any]] = {
        "uid": rows.columns["uid"],
        "majority_label": rows.columns["majority_label"],
        **{key: [] for key in ("premise", "hypothesis", "source", "old_label", "ballots")},
    }
    for place, line in enumerate(rows.lines):
        example, counts = rows.columns["example"][place], rows.columns["label_counter"][place]
        if not isinstance(example, dict) or not _is_counter(counts):
            what = "an object `example` and counts in `label_counter`"
            problems.add("columns", "a line without them", file=name, line=line, column=1, what=what)
            example, counts = {}, {}
        for key in ("premise", "hypothesis", "source"):
            columns[key].append(example.get(key))
        columns["old_label"].append(rows.columns.get("old_label", [None] * len(rows.lines))[place])
        columns["ballots"].append([label for label, count in counts.items() for _ in range(count)])
    return Rows(columns, rows.lines, list(columns))


def _is_counter(counts: object) -> bool:
    return isinstance(counts, dict) and all(isinstance(n, int) and 0 <= n <= 1_000_000 for n in counts.values())
