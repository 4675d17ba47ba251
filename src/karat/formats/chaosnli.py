"""ChaosNLI: SNLI and MultiNLI pairs with a hundred labels each, JSON lines."""

from __future__ import annotations

from typing import Any

from karat.align.columns import Columns
from karat.data.provenance import Reading
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.pair_table import PairLayout, read_layout
from karat.formats.registry import pair_formats
from karat.formats.rows import read_rows
from karat.formats.sniffing import has_columns

_LAYOUT = PairLayout(
    text=("premise",),
    hypothesis=("hypothesis",),
    id=("uid",),
    label=("majority_label",),
    ballots=("ballots",),
)

MOST_PER_LABEL = 1000
"""Ballots for one label of one pair; a count is short to write, but every ballot takes memory."""
MOST_BALLOTS = 1_000_000
"""Ballots in a file, or one for each byte of the file if that is more."""


@pair_formats.register(
    "chaosnli",
    sniff=has_columns(("label_counter",), ("example",)),
    what="ChaosNLI, JSON lines; the counts become ballots",
)
def read(document: Document, reading: Reading, problems: Problems) -> Columns:
    """Read ChaosNLI: the majority label is the key, the counts are ballots, and the old labels are attributes."""
    rows = read_rows(document, problems)
    flat = None if rows is None else _flattened(rows, max(MOST_BALLOTS, len(document.data)), problems)
    return read_layout(flat, _LAYOUT, document, reading, problems)


def _flattened(rows: Columns, limit: int, problems: Problems) -> Columns | None:
    """The nested example as columns and the counts as lists of labels; lines without them are reported."""
    inner = ("premise", "hypothesis", "source")
    outer = [key for key in ("uid", "majority_label", "old_label", "old_labels") if key in rows.values]
    examples, counters = rows["example"], rows["label_counter"]
    ballots = sum(sum(counts.values()) for counts in counters if _is_counter(counts))
    if ballots > limit:
        problems.add("too-large", f"{ballots:,} ballots", file=rows.file, limit=f"{limit:,} in a file of this size")
        return None
    kept: list[tuple[Any, ...]] = []
    for place, (line, example, counts) in enumerate(zip(rows.lines, examples, counters, strict=True)):
        if not isinstance(example, dict) or not _is_counter(counts):
            what = f"an object `example`, and in `label_counter` counts of at most {MOST_PER_LABEL:,}"
            problems.add("columns", "a line without them", file=rows.file, line=line, column=1, what=what)
            continue
        labels = [label for label, count in counts.items() for _ in range(count)]
        kept.append((line, *map(example.get, inner), labels, *(rows.values[key][place] for key in outer)))
    return Columns.of_rows(rows.source, (*inner, "ballots", *outer), kept)


def _is_counter(counts: object) -> bool:
    return isinstance(counts, dict) and all(isinstance(n, int) and 0 <= n <= MOST_PER_LABEL for n in counts.values())
