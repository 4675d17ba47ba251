"""Align weights of pairs with a key, and weights of phenomena with a decomposition."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from karat.align.columns import Columns
from karat.data.decomposition import Decomposition
from karat.data.pairs import Pairs
from karat.data.phenomena import split_name
from karat.data.weights import Relevance, UnitWeights, normalised
from karat.errors import Problems
from karat.files import as_number

HEAVIEST = 1e12
"""With a larger weight on one phenomenon, the others would no longer count."""


def align_weights(key: Pairs, columns: Columns, problems: Problems) -> UnitWeights | None:
    """The weight of every pair of the key; every pair needs one, none may be negative."""
    weights: dict[str, float] = {}
    for row, name, value in _weighted(columns, problems):
        if name not in key.index:
            columns.report(problems, "unknown-id", f"pair {name!r}", row)
        else:
            problems.recognise(columns.file)
        if name in weights and name in key.index:
            columns.report(problems, "duplicate-id", f"pair {name!r} again", row)
        weights[name] = as_number(value)
        if not 0 <= weights[name] < float("inf"):
            columns.report(problems, "weight", f"weight {value!r} of pair {name!r}", row)
    for name in key.ids:
        if name not in weights:
            problems.add("missing-weight", f"no line for pair {name!r}", file=columns.file)
    values = np.array([weights.get(name, 0.0) for name in key.ids])
    if not problems.failed(columns.file) and not (values[key.labels >= 0] > 0).any():
        problems.add("weight", "weights that are all zero", file=columns.file)
    return None if problems.failed(columns.file) else UnitWeights(normalised(key, values), columns.source)


def align_relevance(decomposition: Decomposition, columns: Columns, problems: Problems) -> Relevance | None:
    """The weight of each phenomenon; a name without a category applies to the phenomenon in every category."""
    file = columns.file
    weights: dict[str, float] = {}
    for row, name, value in _weighted(columns, problems):
        weight, meant = as_number(value), _meant(name, decomposition)
        if not 0 <= weight <= HEAVIEST:
            columns.report(problems, "weight", f"weight {value!r} of {name!r}", row)
        if not meant:
            what = "a phenomenon of the test set: " + ", ".join(map(str, decomposition.phenomena))
            columns.report(problems, "relevance", f"phenomenon {name!r}", row, what=what)
        for one in meant:
            problems.recognise(file)
            if one in weights:
                columns.report(problems, "relevance", f"a weight of {one!r} again", row, what="each phenomenon once")
            weights[one] = weight
    without = [str(one) for one in decomposition.phenomena if str(one) not in weights]
    if not problems.failed(file):
        columns.need_rows(problems, "no weights", "a phenomenon and its weight on each line")
        if weights and not without and not any(weights.values()):
            problems.add("weight", "weights that are all zero", file=file)
        elif weights and without:
            problems.add("no-relevance", f"no weight for {', '.join(without)}", file=file)
    return None if problems.failed(file) else Relevance(weights, columns.source)


def _weighted(columns: Columns, problems: Problems) -> Iterator[tuple[int, str, str]]:
    """Row, name and weight of each line; lines of one word are reported."""
    lines = columns.get("line")
    for row, (name, value) in enumerate(zip(columns["name"], columns["weight"], strict=True)):
        if lines is not None and not name:
            columns.report(problems, "run-line", f"{lines[row]!r}", row, "line", what=columns.facts["what"])
        else:
            yield row, name, value


def _meant(name: str, decomposition: Decomposition) -> list[str]:
    """The phenomena that a name refers to, as spelled or else by its name in the paper."""
    exact = [str(one) for one in decomposition.phenomena if name in (str(one), one.name)]
    if exact:
        return exact
    category, plain = split_name(name)
    return [str(one) for one in decomposition.phenomena if one.name == plain and category in (None, one.category)]
