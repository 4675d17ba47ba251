"""Weights files: an id and a weight a line, or rows with columns id and weight."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from karat.data.arguments import checked
from karat.data.numbers import as_number
from karat.data.pairs import Pairs
from karat.data.weights import UnitWeights, normalised
from karat.errors import Problems
from karat.formats.documents import Document, FilePath, read_document
from karat.formats.rows import read_rows, take_columns


@checked
def read_weights(path: FilePath, key: Pairs) -> UnitWeights:
    """The weight of every pair of the key; every pair needs one, none may be negative."""
    problems = Problems()
    document = read_document(path, problems)
    problems.raise_errors()
    assert document is not None
    weights: dict[str, float] = {}
    for line, name, value in weighted_names(document, "id", problems):
        weight = as_number(value)
        if name in key.index:
            problems.recognise(document.name)
        if name not in key.index:
            problems.add("unknown-id", f"pair {name!r}", file=document.name, line=line)
        elif name in weights:
            problems.add("duplicate-id", f"pair {name!r} again", file=document.name, line=line)
        if not 0 <= weight < float("inf"):
            problems.add("weight", f"weight {value!r} of pair {name!r}", file=document.name, line=line)
        weights[name] = weight
    for name in key.ids:
        if name not in weights:
            problems.add("missing-id", f"no line for pair {name!r}", file=document.name)
    values = np.array([weights.get(name, 0.0) for name in key.ids])
    if not problems.failed(document.name) and not (values[key.labels >= 0] > 0).any():
        problems.add("weight", "weights that are all zero", file=document.name)
    problems.raise_errors()
    return UnitWeights(normalised(key, values), document.source, problems.warnings)


def weighted_names(document: Document, role: str, problems: Problems) -> Iterator[tuple[int | None, str, str]]:
    """Line, name and weight as spelled: rows with a column of that role and one of weights, or both on a line."""
    if {role, "weight"} <= document.head.fields:
        rows = read_rows(document, problems)
        taken = rows and take_columns(rows, document.name, {role: (role,), "weight": ("weight",)}, problems)
        if rows and taken:
            yield from zip(rows.lines, taken[role], taken["weight"], strict=True)
        return
    for number, line in enumerate(document.lines(problems) or [], 1):
        *name, weight = line.strip().replace("\t", " ").rsplit(" ", 1)
        if name:
            yield number, name[0].strip(), weight
        elif line.strip():
            what = f"a {role} and a weight, or a header with columns {role} and weight"
            problems.add("run-line", f"{line!r}", file=document.name, line=number, column=1, what=what)
