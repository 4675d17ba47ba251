"""Justifications over the pairs of RTE-3: whatever is answered, what is said of it passes the lint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from karat.engines.batch import batches
from karat.engines.engine import BatchAnswers
from karat.engines.explaining import explain, lint
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.labels import THREE, TWO, Way

ANSWERS = [(THREE, label) for label in THREE.labels] + [(TWO, TWO.labels[1])]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    """WordNet where it is found; the rules hold without it as well."""
    return load_knowledge()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["RTE3_dev", "RTE3_test_blind"])
@pytest.mark.parametrize(("way", "label"), ANSWERS, ids=lambda one: one if isinstance(one, str) else one.name)
def test_all_pass_the_lint(real: Path, knowledge: Knowledge, name: str, way: Way, label: str) -> None:
    """Every pair, answered by each label in turn, is justified without a complaint; labels of the key are not used."""
    pairs = karat.read_pairs(real / "rte" / f"{name}.xml")
    complaints, said = {}, []
    for batch in batches(pairs, knowledge):
        codes = np.full(len(batch), way.code(label), dtype=np.int8)
        justified = explain(batch, BatchAnswers(codes, np.zeros(len(batch))), way)
        said += [one.text for one in justified]
        for place, one in enumerate(justified):
            found = lint(one, batch.texts[place], batch.hypotheses[place], label)
            if found:
                complaints[batch.ids[place]] = one.text, found
    assert complaints == {}
    # Hypotheses repeat, and so may what is said of them; a template without its pair would repeat far more.
    assert len(set(said)) > 0.8 * len(pairs)
