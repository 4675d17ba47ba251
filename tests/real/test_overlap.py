"""Word overlap on the development sets of RTE, each pair answered by a threshold that it had no part in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.validation import cross_validate
from karat.formats.pairs import read_pairs
from karat.labels import TWO, fold


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    """WordNet, which the default needs to do so well."""
    loaded = load_knowledge()
    if not loaded.wordnet:
        pytest.skip("WordNet is not found here")
    return loaded


def accuracy(knowledge: Knowledge, file: Path, engine: str) -> float:
    """Of ten folds, in two ways."""
    pairs = read_pairs(file)
    decisions = cross_validate(engine, pairs, TWO, knowledge=knowledge)
    return float(np.mean(decisions.codes == fold(pairs.labels, TWO)))


@pytest.mark.parametrize(
    ("name", "least"), [("RTE1_dev", 0.55), ("RTE2_dev", 0.60), ("RTE3_dev", 0.68), ("RTE5_dev", 0.60)]
)
def test_overlap(real: Path, knowledge: Knowledge, name: str, least: float) -> None:
    """Rarity and dictionary are about two points or more above what hypotheses give away, and above a floor."""
    found = accuracy(knowledge, real / f"rte/{name}.xml", "overlap")
    assert found > least
    assert found > accuracy(knowledge, real / f"rte/{name}.xml", "hypothesis-only") + 0.02
