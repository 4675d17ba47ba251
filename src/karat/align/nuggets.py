"""From the columns of a file to nuggets sorted by topic. Everything wrong is told, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.data.nuggets import OTHER, Nuggets, importance_code
from karat.data.source import Source
from karat.errors import Problems


@dataclass
class NuggetColumns:
    """What a reader found in a file of nuggets: a row a nugget, in file order."""

    file: str
    source: Source
    topic: Sequence[str]
    name: Sequence[str]
    text: Sequence[str]
    importance: Sequence[str]
    lines: Sequence[int | None]
    assessor: Sequence[str] | None = None
    weight: Sequence[float] | None = None
    topics: Sequence[str] = ()
    """Topics that the file names, also where they have no nugget."""


def nuggets_of(columns: NuggetColumns, problems: Problems) -> Nuggets | None:
    """The nuggets of one file, or None where it has errors (all of them in `problems`)."""
    size = len(columns.topic)
    if not size:
        problems.add("empty-file", "no nuggets", file=columns.file, what="a nugget for every topic")
        return None
    assessor = columns.assessor or [""] * size
    _check(columns, assessor, problems)
    if problems.failed(columns.file):
        return None
    units = list(dict.fromkeys([*columns.topics, *columns.topic]))
    place = {name: at for at, name in enumerate(units)}
    topic = np.array([place[name] for name in columns.topic], dtype=np.int32)
    order = np.argsort(topic, kind="stable")
    weight = None if columns.weight is None else np.array(columns.weight, dtype=np.float64)[order]
    rows = order.tolist()
    return Nuggets(
        units=tuple(units),
        topic=topic[order],
        names=tuple(columns.name[row] for row in rows),
        texts=tuple(columns.text[row] for row in rows),
        importance=np.array([importance_code(columns.importance[row]) for row in rows], dtype=np.int8),
        spelled=tuple(columns.importance[row] for row in rows),
        assessor=tuple(assessor[row] for row in rows),
        weights=weight,
        lines=tuple(columns.lines[row] for row in rows),
        source=columns.source,
    )


def _check(columns: NuggetColumns, assessor: Sequence[str], problems: Problems) -> None:
    met: dict[tuple[str, str, str], int | None] = {}
    rows = zip(assessor, columns.topic, columns.name, columns.text, columns.importance, columns.lines, strict=True)
    for who, topic, name, text, importance, line in rows:
        for what, value in (("topic", topic), ("name", name), ("text", text)):
            if not value.strip():
                found = f"nugget {name!r} of topic {topic!r} without a {what}"
                problems.add("empty-nugget", found, file=columns.file, line=line)
        key = who, topic, name
        if key in met:
            found = f"nugget {name!r} of topic {topic!r} again (first in line {met[key]})"
            problems.add("duplicate-id", found, file=columns.file, line=line)
        met.setdefault(key, line)
        if importance_code(importance) == OTHER:
            found = f"importance {importance!r} of nugget {name!r} of topic {topic!r}"
            problems.add("importance", found, file=columns.file, line=line)
    for row, weight in enumerate(columns.weight or ()):
        if not 0 <= weight < float("inf"):
            found = f"weight {weight:g} of nugget {columns.name[row]!r} of topic {columns.topic[row]!r}"
            problems.add("weight", found, file=columns.file, line=columns.lines[row])
