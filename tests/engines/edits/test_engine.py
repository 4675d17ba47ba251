"""The engine as a whole: it learns, answers, explains, and is the same when it is loaded again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.data.pairs import Pairs
from karat.engines.contradiction import names
from karat.engines.edits.engine import EditDistance
from karat.engines.engine import Decisions, Setup
from karat.engines.model import Model, fit, load_model, make_engine
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way
from tests.engines.labelled import answer, bare_knowledge, decide, in_pieces, labelled

NAMES = "Rosa Anna Ben Carl Dora Emil Frida Gus Hanna Ivan".split()
SPELLINGS = (
    "edit-distance",
    "edit-distance(preset=faithful)",
    "edit-distance(distance=token, weights='STOPWORD * (1 + IDF)')",
    "edit-distance(distance=tree)",
    "edit-distance(distance=token)",
)


def told(contradicted: bool = False) -> Pairs:
    """Pairs of which what the text says is entailed, and what it does not say is not."""
    rows = []
    for place, name in enumerate(NAMES):
        other = NAMES[place - 1]
        text = f"In the morning {name} sold an old ship to {other}, and then {other} went home."
        rows += [(text, f"{name} sold a ship to {other}.", "E"), (text, f"{name} lost 20 houses in Rome.", "U")]
        if contradicted:
            rows.append((text, f"{name} kept a ship.", "C"))
    return labelled(rows, THREE if contradicted else TWO, {"task": ["QA", "IE"] * (len(rows) // 2)})


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_learns_and_answers(spelling: str, tmp_path: Path) -> None:
    """What is plain is answered right; a model that was kept answers the same, in pieces too."""
    pairs = told()
    model, decisions = decide(spelling, pairs, pairs)
    assert isinstance(decisions, Decisions)
    assert not decisions.failures
    assert decisions.codes.tolist() == pairs.labels.tolist()
    assert decisions.justifications is not None
    assert all(one.text for one in decisions.justifications)
    model.save(tmp_path / "model.json")
    kept = load_model(tmp_path / "model.json", "edit-distance")
    assert kept == model
    assert in_pieces(kept, pairs, 3) == decisions.codes.tolist()
    assert answer(kept, pairs).confidence.tolist() == answer(model, pairs).confidence.tolist()


@pytest.mark.parametrize(
    ("spelling", "way", "contradicts"),
    [("edit-distance", TWO, False), ("edit-distance", THREE, True), ("edit-distance(threshold=eop)", THREE, False)],
)
def test_grounds(spelling: str, way: Way, contradicts: bool) -> None:
    """Checks are grounds of an answer only where it may be that something contradicts."""
    engine = make_engine(spelling, Setup(bare_knowledge(), way))
    assert isinstance(engine, EditDistance)
    assert engine.grounds == (names() if contradicts else ())


def test_far_apart() -> None:
    """Under costs by which most distances are beyond 1, pairs still differ in how sure it is."""
    pairs = told()
    spelling = "edit-distance(distance=token, normalise=hypothesis, delete=2, insert=1, substitute=3)"
    model = fit(spelling, pairs, TWO, knowledge=bare_knowledge())
    far = labelled([("Rosa sold " + "an old ship " * many, "Ben went to Rome.", "U") for many in range(1, 9)])
    sure = answer(model, far).confidence
    assert (np.diff(sure) < 0).all()
    assert (sure > 0).all()


def test_odd_pairs() -> None:
    """Empty and wordless pairs are answered like any others."""
    odd = labelled([("", "x", "U"), ("x", "", "U"), ("", "", "U"), ("...", "the", "U"), ("é" * 500, "☃ 1,5", "U")])
    for spelling in SPELLINGS:
        _, decisions = decide(spelling, told(), odd)
        assert not decisions.failures
        assert np.isfinite(decisions.confidence).all()


def test_refused() -> None:
    """What cannot be made is told when the engine is made."""
    with pytest.raises(UsageError, match="did you mean 'tree'"):
        fit("edit-distance(distance=trees)", told(), TWO, knowledge=bare_knowledge())


def test_switches() -> None:
    """Relations of the dictionary can be switched off, unknown things cannot."""
    model = fit("edit-distance", told(), TWO, without=("wordnet", "negation"))
    assert isinstance(model, Model)
    with pytest.raises(UsageError, match="could do without"):
        fit("edit-distance", told(), TWO, without=("wordnets",))
