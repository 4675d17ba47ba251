"""Exports of Label Studio (JSON): annotations are ballots, and predictions are runs, by the version of the model.

The columns are those of its flat exports (JSON-MIN, CSV), which are tables like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from karat.align.columns import Columns, cell_text, find_column, texts_of, within
from karat.data.provenance import BallotReading, Reading
from karat.errors import Problems
from karat.formats.documents import Document
from karat.formats.log_samples import records_of
from karat.formats.rows import in_line, read_rows, too_sparse

LABEL = "label"
"""The column of the only control; several have the names that the project gave them."""


def ballots_of_annotations(document: Document, reading: BallotReading, problems: Problems) -> Columns | None:
    """One row per annotation: the task is the unit; cancelled annotations are left out, and counted."""
    found, cancelled = [], 0
    tasks = _tasks(document, problems)
    if tasks is None:
        return None
    for task, line in tasks:
        for one in _listed(task, "annotations", "completions"):
            cancelled += bool(one.get("was_cancelled"))
            if not one.get("was_cancelled"):
                who = one.get("completed_by")
                named = within(who, ["email"]) or within(who, ["id"]) if isinstance(who, dict) else who
                found.append((line, task, {"unit": task.get("id"), "assessor": named}, one))
    models: Counter[str] = Counter()
    for task, _ in tasks:
        models.update(cell_text(one.get("model_version")) or "no name" for one in _listed(task, "predictions"))
    if models:
        told = ", ".join(f"{count:,} of {name}" for name, count in models.items())
        problems.add("predictions", f"predictions ({told}) beside the annotations", file=document.name)
    if cancelled:
        problems.add("cancelled", f"{cancelled:,} cancelled annotations", file=document.name)
    return _columns(document, found, reading.ballot_column, problems)


def runs_of_predictions(document: Document, reading: Reading, problems: Problems) -> Columns | None:
    """One row per prediction."""
    tasks = _tasks(document, problems)
    if tasks is None:
        return None
    found = [
        (line, task, {"id": task.get("id"), "run": cell_text(one.get("model_version")) or document.source.stem}, one)
        for task, line in tasks
        for one in _listed(task, "predictions")
    ]
    if not found:
        fix = "export them with the annotations, or check that the right file was given"
        problems.add("log", "tasks without predictions", file=document.name, what="predictions of a model", fix=fix)
        return None
    rows = _columns(document, found, reading.run_column, problems)
    if rows is None:
        return None
    columns = {
        role: find_column(rows, role, (role,), problems, "--run-column", reading.run_column)
        for role in ("id", LABEL, "run")
    }
    if problems.failed(document.name):
        return None
    values = {role: texts_of(rows, name) for role, name in columns.items() if name is not None}
    return Columns(rows.source, values, rows.lines, at=in_line(rows.lines))


def _tasks(document: Document, problems: Problems) -> list[tuple[dict[str, Any], int | None]] | None:
    rows = read_rows(document, problems)
    if rows is None or problems.failed(document.name):
        return None
    problems.recognise(document.name)
    return list(records_of(rows))


def _listed(task: Mapping[str, Any], *names: str) -> Iterator[dict[str, Any]]:
    for name in names:
        listed = task.get(name)
        yield from (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, dict))


Found = tuple[int | None, dict[str, Any], dict[str, Any], dict[str, Any]]
"""A line, the task, what is known of the row, and the annotation or prediction."""


def _columns(
    document: Document, found: Sequence[Found], named: Mapping[str, str], problems: Problems
) -> Columns | None:
    """The rows, with one column per control of the labelling interface, and the fields of tasks that options name."""
    said = [_said(one) for *_, one in found]
    controls = list(dict.fromkeys(name for row in said for name in row))
    if too_sparse(document, len(found), len(controls), "different controls", problems):
        return None
    values: dict[str, Any] = {name: [row[name] for _, _, row, _ in found] for name in (found[0][2] if found else ())}
    for control in controls:
        name = LABEL if len(controls) == 1 and control not in named.values() else control
        values[name] = [row.get(control) for row in said]
    rows = Columns(document.source, values, [line for line, *_ in found])
    for name in named.values():
        top, *path = name.split(".")
        if path:
            rows.inside[top] = [task.get(top) for _, task, *_ in found]
    return rows


def _said(annotation: Mapping[str, Any]) -> dict[str, object]:
    """What each control of the interface says: the choice, the rating or the text."""
    said: dict[str, object] = {}
    results = annotation.get("result")
    for one in results if isinstance(results, list) else ():
        value = within(one, ["value"])
        held = within(value, [cell_text(within(one, ["type"]))])
        said[cell_text(within(one, ["from_name"])) or LABEL] = held
    return said
