"""Nuggets, sorted by topic, from the columns of a file; all problems are reported, line by line."""

from __future__ import annotations

import numpy as np

from karat.align.columns import Columns, seen_before
from karat.data.nuggets import OTHER, Nuggets, importance_code
from karat.errors import Problems


def make_nuggets(columns: Columns, problems: Problems) -> Nuggets | None:
    """The nuggets of one file, or None if it has errors (all of them are in `problems`).

    Columns are topic, name, text and importance, and optionally assessor and weight. The fact `topics` lists all topics
    in the file, including those without nuggets.
    """
    if not len(columns):
        problems.add("empty-file", "no nuggets", file=columns.file, what="a nugget for every topic")
        return None
    _check(columns, problems)
    if problems.failed(columns.file):
        return None
    units = list(dict.fromkeys([*columns.facts.get("topics", ()), *columns["topic"]]))
    place = {name: at for at, name in enumerate(units)}
    topic = np.array([place[name] for name in columns["topic"]], dtype=np.int32)
    order = np.argsort(topic, kind="stable")
    weights = columns.get("weight")
    rows = order.tolist()
    spelled = [columns["importance"][row] for row in rows]
    return Nuggets(
        units=tuple(units),
        topic=topic[order],
        names=tuple(map(columns["name"].__getitem__, rows)),
        texts=tuple(map(columns["text"].__getitem__, rows)),
        importance=np.array(list(map(importance_code, spelled)), dtype=np.int8),
        spelled=tuple(spelled),
        assessor=tuple(map(columns["assessor"].__getitem__, rows)),
        weights=None if weights is None else np.array(weights, dtype=np.float64)[order],
        lines=tuple(columns.lines[row] for row in rows),
        source=columns.source,
    )


def _check(columns: Columns, problems: Problems) -> None:
    """Every nugget has a topic, a unique name within it, a text, and a weight that is not negative."""
    met: dict[tuple[str, str, str], int | None] = {}
    rows = zip(*(columns[name] for name in ("assessor", "topic", "name", "text", "importance")), strict=True)
    for row, (who, topic, name, text, importance) in enumerate(rows):
        nugget = f"nugget {name!r} of topic {topic!r}"
        for what, value in (("topic", topic), ("name", name), ("text", text)):
            if not value.strip():
                columns.report(problems, "empty-nugget", f"{nugget} without a {what}", row)
        if (first := seen_before(met, (who, topic, name), columns.lines[row])) is not None:
            columns.report(problems, "duplicate-id", f"{nugget} again{first}", row)
        if importance_code(importance) == OTHER:
            columns.report(problems, "importance", f"importance {importance!r} of {nugget}", row)
    for row, weight in enumerate(columns.get("weight") or ()):
        if not 0 <= weight < float("inf"):
            nugget = f"nugget {columns['name'][row]!r} of topic {columns['topic'][row]!r}"
            columns.report(problems, "weight", f"weight {weight:g} of {nugget}", row)
