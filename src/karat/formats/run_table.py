"""Runs as rows with named columns: JSON lines, CSV, TSV, Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.data.reading import Reading
from karat.data.responses import Responses
from karat.data.runs import Place, RunColumns
from karat.errors import Problems, UsageError
from karat.formats.documents import Document, Head
from karat.formats.registry import Fit, run_formats
from karat.formats.rows import IDS, find_column, read_rows, text_of, write_rows

NAMES: dict[str, tuple[str, ...]] = {
    "id": IDS,
    # `label` beside `prediction` is the key's; HANS calls the prediction itself `gold_label`.
    "label": ("prediction", "pred", "predicted_label", "judgment", "label", "gold_label"),
    "confidence": ("confidence", "score", "probability"),
    "weight": ("weight",),
    "justification": ("justification", "explanation"),
}
GOLD = ("gold", "gold_label", "label")
"""What the key's label is called where the run repeats it beside its own."""


def sniff(head: Head) -> Fit:
    """Certain of a column of ids and a column of labels."""
    if head.is_parquet or (head.json_object and head.suffix == ".jsonl"):
        return Fit.CERTAIN
    named = head.fields.intersection(NAMES["id"]) and head.fields.intersection(NAMES["label"])
    return Fit.CERTAIN if named else Fit.POSSIBLE if head.json_object else Fit.NO


def write(responses: Responses, run: int, suffix: str = ".jsonl") -> bytes:
    """A run as rows, with confidence and justification where it has them."""
    answers, info = responses.runs[run], responses.runs[run].info
    if info.ranked_by and not info.numeric:
        raise UsageError(f"{info.name} is ranked by the order of its lines, which a table does not hold: write .txt")
    units = [u for u in sorted(range(len(responses.key)), key=answers.position.__getitem__) if answers.codes[u] >= 0]
    columns: dict[str, Sequence[Any]] = {
        "id": [responses.key.ids[unit] for unit in units],
        "label": [info.way.labels[answers.codes[unit]] for unit in units],
    }
    if answers.confidence is not None:
        columns["confidence"] = [float(answers.confidence[unit]) for unit in units]
    if answers.weights is not None:
        columns["weight"] = [float(answers.weights[unit]) for unit in units]
    if answers.justifications is not None:
        columns["justification"] = [answers.justifications[unit] for unit in units]
    return write_rows(columns, suffix)


@run_formats.register("table", sniff=sniff, write=write, what="JSON lines, CSV, TSV or Parquet with named columns")
def read(document: Document, reading: Reading, problems: Problems) -> RunColumns | None:
    """Read the columns that --run-column names, or else those of common names."""
    rows = read_rows(document, problems)
    if rows is None:
        return None
    found: dict[str, list[Any]] = {}
    used: set[str] = set()
    for role, names in NAMES.items():
        given = reading.run_column
        needed = role in ("id", "label") or role in given
        wanted = [given[role]] if role in given else names
        name = find_column(rows, document.name, role, wanted, problems, "--run-column" if needed else None)
        if name is not None:
            found[role] = rows.columns[name]
            used.add(name)
    if not {"id", "label"} <= set(found):
        return None

    def place(row: int, what: str) -> Place:
        del what  # a row has a line; its fields have no fixed place in it
        return rows.lines[row], None if rows.lines[row] is None else 1

    justification = found.get("justification")
    gold = next((rows.columns[name] for name in GOLD if name in rows.columns and name not in used), None)
    return RunColumns(
        file=document.name,
        name=document.stem,
        source=document.source,
        ids=[(text_of(value) or "").strip() for value in found["id"]],
        labels=[(text_of(value) or "").strip() for value in found["label"]],
        place=place,
        confidence=found.get("confidence"),
        weight=found.get("weight"),
        justification=None if justification is None else [text_of(value) or "" for value in justification],
        gold=None if gold is None else [text_of(value) or "" for value in gold],
    )
