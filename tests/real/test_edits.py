"""The edit-distance suite on development sets: near what was published of EDITS, and better at its best."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from karat import read_pairs
from karat.engines.edits.engine import LearntEdits
from karat.engines.knowledge import load_knowledge
from karat.engines.model import fit
from karat.engines.predicting import predict
from karat.engines.validation import cross_validate
from karat.labels import TWO, WAYS

SHIPPED = 0.574
"""The threshold of the model that the Excitement platform ships, learnt from the same pairs."""
ACCURACY = 0.6575
"""What that model has on them."""


@pytest.mark.nightly
def test_faithful(real: Path) -> None:
    """The faithful preset learns the threshold of the shipped model, and does as well on its training pairs."""
    pairs = read_pairs(real / "rte" / "RTE3_dev.xml")
    model = fit("edit-distance(preset=faithful)", pairs, TWO)
    curve = msgspec.convert(model.state, LearntEdits).curve
    assert curve.intercept / curve.slope == pytest.approx(SHIPPED, abs=0.03)
    assert (predict(model, pairs).codes == pairs.labels).mean() == pytest.approx(ACCURACY, abs=0.015)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "way", "least"), [("RTE3_dev", "2", 0.67), ("RTE3_dev_3way", "3", 0.64)])
def test_best(real: Path, name: str, way: str, least: float) -> None:
    """Cross-validated on development pairs the best preset is well above what EDITS reached."""
    knowledge = load_knowledge()
    if not len(knowledge.wordnet):
        pytest.skip("no WordNet is installed here")
    pairs = read_pairs(real / "rte" / f"{name}.xml")
    decisions = cross_validate("edit-distance", pairs, WAYS[way], knowledge=knowledge)
    assert not decisions.failures
    assert (decisions.codes == pairs.labels).mean() > least
