"""ChaosNLI: SNLI and MultiNLI pairs with a hundred labels each, JSON lines."""

from __future__ import annotations

from typing import Any

from karat.align.pairs import PairColumns
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

MAX_COUNT = 1000
"""Ballots for one label of one pair; a count is cheap to write and dear to unfold."""
MANY = 1_000_000
"""Ballots of all pairs together, or one for each byte of the file if that is more."""


def sniff(head: Head) -> Fit:
    """Certain of its counts of labels."""
    return Fit.CERTAIN if {"label_counter", "example"} <= head.fields else Fit.NO


@pair_formats.register("chaosnli", sniff=sniff, write=None, what="ChaosNLI, JSON lines; the counts become ballots")
def read(document: Document, reading: Reading, problems: Problems) -> PairColumns:
    """Read ChaosNLI: the majority is the label, the counts are ballots, the old labels are attributes."""
    rows = read_rows(document, problems)
    limit = max(MANY, len(document.data))
    flat = rows and _flattened(document.name, rows, limit, problems)
    return read_layout(document, flat, _LAYOUT, reading, problems)


def _flattened(name: str, rows: Rows, limit: int, problems: Problems) -> Rows | None:
    """The nested example as columns, the counts as lists of labels; lines that lack either are left out."""
    inner = ("premise", "hypothesis", "source")
    outer = [key for key in ("uid", "majority_label", "old_label", "old_labels") if key in rows.columns]
    columns: dict[str, list[Any]] = {key: [] for key in (*inner, "ballots", *outer)}
    nothing = [None] * len(rows.lines)
    examples, counters = rows.columns.get("example", nothing), rows.columns.get("label_counter", nothing)
    ballots = sum(sum(counts.values()) for counts in counters if _is_counter(counts))
    if ballots > limit:
        problems.add("too-large", f"{ballots:,} ballots", file=name, limit=f"{limit:,} in a file of this size")
        return None
    kept: list[int | None] = []
    for place, (line, example, counts) in enumerate(zip(rows.lines, examples, counters, strict=True)):
        if not isinstance(example, dict) or not _is_counter(counts):
            what = f"an object `example`, and in `label_counter` counts of at most {MAX_COUNT:,}"
            problems.add("columns", "a line without them", file=name, line=line, column=1, what=what)
            continue
        kept.append(line)
        for key in inner:
            columns[key].append(example.get(key))
        for key in outer:
            columns[key].append(rows.columns[key][place])
        columns["ballots"].append([label for label, count in counts.items() for _ in range(count)])
    return Rows(columns, kept, list(columns))


def _is_counter(counts: object) -> bool:
    return isinstance(counts, dict) and all(isinstance(n, int) and 0 <= n <= MAX_COUNT for n in counts.values())
