"""Figures of the biased baseline, by way of the engine on a set that has the rows of the paper's Table 2."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from karat.data.pairs import Pairs
from karat.data.phenomena import CATEGORY_ABBREVIATIONS
from karat.engines.knowledge import load_knowledge
from karat.engines.model import fit
from karat.engines.phenomena import named
from karat.engines.predicting import predict
from karat.errors import Problems
from karat.labels import THREE
from tests.decompositions import C, E, Part, pairs_of
from tests.papers.by_hand_biased import rows_of_table_2

CODES = {"positive": 0, "negative": 2}


def biased_figure(of: str, label: str = "", category: str = "", phenomenon: str = "") -> float:
    """One number: how many pairs, the share of them that is right, or what was learnt of a phenomenon."""
    pairs, codes, counts = _answered()
    if of == "share":
        counted = counts[str(named(phenomenon))]
        return counted[E] / sum(counted.values())
    found = [named(one or "").category for one in pairs.attributes["phenomenon"]]
    chosen = np.array([not category or CATEGORY_ABBREVIATIONS[category] == one for one in found])
    if label:
        chosen &= pairs.labels == CODES[label]
    return float(chosen.sum()) if of == "pairs" else float((codes == pairs.labels)[chosen].mean())


def table_2() -> Pairs:
    """As many monothematic pairs of each phenomenon and judgment as the paper has."""
    parts = [
        Part(f"{name}{label}{number}", label, None, name)
        for name, row in rows_of_table_2().items()
        for label, count in zip((E, C), row, strict=True)
        for number in range(count)
    ]
    return pairs_of(parts, Problems())


@cache
def _answered() -> tuple[Pairs, NDArray[np.int8], dict[str, dict[str, int]]]:
    """The pairs, the answers to them, and what was counted on them."""
    knowledge = load_knowledge(without=["wordnet"])
    pairs = table_2()
    model = fit("biased", pairs, THREE, knowledge=knowledge)
    return pairs, predict(model, pairs, knowledge=knowledge).codes, model.state["phenomena"]
