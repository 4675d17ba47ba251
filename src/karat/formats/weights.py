"""Weights files: an id and a weight a line, or rows with columns id and weight."""

from __future__ import annotations

from karat.data.source import Source
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document
from karat.formats.rows import read_rows


def read_weights(path: FilePath) -> tuple[dict[str, float], Source]:
    """The weight of each pair by id, and where it came from."""
    problems = Problems()
    document = read_document(path, problems)
    problems.raise_errors()
    assert document is not None
    named = {"id", "weight"} <= document.head.fields
    entries: list[tuple[int | None, str, object]] = []
    if named and (rows := read_rows(document, problems)) is not None:
        entries = [
            (line, str(name), weight)
            for line, name, weight in zip(rows.lines, rows.columns["id"], rows.columns["weight"], strict=True)
        ]
    elif not named:
        for number, line in enumerate(document.lines(problems) or [], 1):
            words = line.split()
            if len(words) == 2:
                entries.append((number, words[0], words[1]))
            elif words:
                what = "an id and a weight, or a header with columns id and weight"
                problems.add("run-line", f"{line!r}", file=document.name, line=number, column=1, what=what)
    weights: dict[str, float] = {}
    for place, name, value in entries:
        weight = _number(value)
        if name in weights:
            problems.add("duplicate-id", f"pair {name!r} again", file=document.name, line=place)
        if not 0 <= weight < float("inf"):
            problems.add("weight", f"weight {value!r} of pair {name!r}", file=document.name, line=place)
        weights[name] = weight
    problems.raise_errors()
    return weights, document.source


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return float("nan")
