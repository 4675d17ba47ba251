"""Relevance files: a phenomenon and its weight a line, or rows with columns phenomenon and weight."""

from __future__ import annotations

from karat.data.decomposition import Decomposition
from karat.data.numbers import as_number
from karat.data.phenomena import split_name
from karat.data.relevance import Relevance
from karat.errors import Problems
from karat.formats.documents import FilePath, read_document
from karat.formats.weights import weighted_names

LARGEST = 1e12
"""A weight beyond this leaves nothing of the others."""


def read_relevance(path: FilePath, decomposition: Decomposition) -> Relevance:
    """The weight of each phenomenon; a name without category stands for the phenomenon in every category."""
    problems = Problems()
    document = read_document(path, problems)
    problems.raise_errors()
    assert document is not None
    weights: dict[str, float] = {}
    for line, name, value in weighted_names(document, "phenomenon", problems):
        weight = as_number(value)
        meant = _meant(name, decomposition)
        if not 0 <= weight <= LARGEST:
            problems.add("weight", f"weight {value!r} of {name!r}", file=document.name, line=line)
        if not meant:
            what = "a phenomenon of the test set: " + ", ".join(map(str, decomposition.phenomena))
            problems.add("relevance", f"phenomenon {name!r}", file=document.name, line=line, what=what)
        for one in meant:
            problems.recognise(document.name)
            if one in weights:
                what = "each phenomenon once"
                problems.add("relevance", f"a weight of {one!r} again", file=document.name, line=line, what=what)
            weights[one] = weight
    without = [str(one) for one in decomposition.phenomena if str(one) not in weights]
    if not problems.failed(document.name):
        if not weights:
            what = "a phenomenon and its weight on each line"
            problems.add("empty-file", "no weights", file=document.name, what=what)
        elif not without and not any(weights.values()):
            problems.add("weight", "weights that are all zero", file=document.name)
        elif without:
            problems.add("no-relevance", f"no weight for {', '.join(without)}", file=document.name)
    problems.raise_errors()
    return Relevance(weights, document.source, problems.warnings)


def _meant(name: str, decomposition: Decomposition) -> list[str]:
    """The phenomena that a name stands for: as it is spelled, or else as the paper would call it."""
    exact = [str(one) for one in decomposition.phenomena if name in (str(one), one.name)]
    if exact:
        return exact
    category, plain = split_name(name)
    return [
        str(one) for one in decomposition.phenomena if one.name == plain and category in (None, one.category)
    ]  # fmt: skip
