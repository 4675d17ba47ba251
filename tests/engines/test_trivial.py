"""Systems that do not read."""

from __future__ import annotations

import numpy as np
import pytest

from karat.data.pairs import Pairs
from karat.engines.explaining import lint
from karat.engines.model import fit
from karat.errors import UsageError
from karat.labels import THREE, TWO, Way
from tests.engines.labelled import answer, bare_knowledge, decide, in_pieces, labelled

MANY = labelled([("t", "h", letter) for letter in "EUUC" * 500], THREE)
TWO_WAY = labelled([("t", "h", letter) for letter in "ENNN" * 500])


@pytest.mark.parametrize(
    ("engine", "way", "code"),
    [
        ("always-entailment", TWO, 0),
        ("always-entailment", THREE, 0),
        ("always-unknown", TWO, 1),
        ("always-unknown", THREE, 1),
        ("always-contradiction", THREE, 2),
        ("majority", TWO, 1),
        ("majority", THREE, 1),
    ],
)
def test_constant(engine: str, way: Way, code: int) -> None:
    """One answer to all pairs, sure of entailment where that is it and not where it is not."""
    train = MANY if way is THREE else TWO_WAY
    model, decisions = decide(engine, train, train, way)
    assert set(decisions.codes.tolist()) == {code}
    (sure,) = set(answer(model, train).confidence.tolist())
    assert (sure >= 0.5) == (code == 0)
    if engine == "majority":
        assert sure == 0.25


def test_two_ways_have_no_contradiction() -> None:
    """Contradiction cannot be answered in two ways."""
    with pytest.raises(UsageError, match="answers only in 3 ways"):
        fit("always-contradiction", None, TWO, knowledge=bare_knowledge())


def test_majority_of_equals() -> None:
    """Of equally common labels the first."""
    train = labelled([("t", "h", "N"), ("t", "h", "E")])
    assert decide("majority", train, train)[1].codes.tolist() == [0, 0]


@pytest.mark.parametrize(("train", "shares"), [(None, [1, 1, 1]), (MANY, [1, 2, 1])])
def test_lots(train: Pairs | None, shares: list[int]) -> None:
    """Labels are all as common as each other, or as in the training pairs."""
    model, decisions = decide("random", train, MANY, THREE)
    expected = np.array(shares) / sum(shares)
    # Five standard errors of a share of 2,000.
    assert np.bincount(decisions.codes) / len(MANY) == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(len(MANY)))
    sure = answer(model, MANY).confidence
    assert ((sure >= 0.5) == (decisions.codes == 0)).all()
    assert sure[decisions.codes == 1].min() > sure[decisions.codes == 2].max()
    assert len(np.unique(sure)) == len(sure)


def test_lot_of_a_pair() -> None:
    """The lot of a pair is that of its id and the seed, however the pairs are cut and ordered."""
    model, decisions = decide("random", None, TWO_WAY)
    assert in_pieces(model, TWO_WAY, 7) == decisions.codes.tolist()
    backwards = labelled([("x", "y", "E")] * len(TWO_WAY), ids=TWO_WAY.ids[::-1])
    assert in_pieces(model, backwards, 100)[::-1] == decisions.codes.tolist()
    _, other = decide("random", None, TWO_WAY, seed=1)
    assert 0.3 < (other.codes != decisions.codes).mean() < 0.7


def test_a_label_never_met_is_never_drawn() -> None:
    """Random by a key without contradictions draws none."""
    train = labelled([("t", "h", letter) for letter in "EU"], THREE)
    _, decisions = decide("random", train, MANY, THREE)
    assert set(decisions.codes.tolist()) == {0, 1}


@pytest.mark.parametrize("engine", ["always-entailment", "majority", "random"])
def test_honest(engine: str) -> None:
    """The justification says that nothing was read, in plain words."""
    train = labelled([("A dog barked.", "A dog slept.", "E")] * 2)
    _, decisions = decide(engine, train, train)
    assert decisions.justifications is not None
    assert not lint(decisions.justifications[0], "A dog barked.", "A dog slept.", "ENTAILMENT")
