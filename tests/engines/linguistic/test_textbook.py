"""Classic pairs through the engine as it is by default, learnt on a few pairs written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from karat.engines.batch import Batch
from karat.engines.engine import Setup, Training
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.learning.threshold import CONTRADICTION_CODE, ENTAILMENT_CODE
from karat.engines.lexicon.loading import find_dictionary
from karat.engines.linguistic import linguistic
from karat.labels import THREE, TWO, Way
from tests.engines.linguistic.pairs import training_pairs
from tests.engines.linguistic.textbook import DOES_NOT_FOLLOW, FOLLOWS

CONTRADICTED = [
    ("John did not buy the car.", "John bought the car."),
    ("The team failed to win the match.", "The team won the match."),
    ("Mary gave Peter a book.", "Peter gave Mary a book."),
    ("Share prices rose on Monday.", "Share prices fell on Monday."),
    ("The bomb killed 12 people.", "The bomb killed 20 people."),
]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    """What is found here, or a skip that can be seen."""
    if find_dictionary() is None:
        pytest.skip("WordNet is not found")
    return load_knowledge()


def accepted(knowledge: Knowledge, way: Way, pairs: list[tuple[str, str]], code: int) -> list[tuple[str, str]]:
    """The pairs that are answered by one code."""
    setup = Setup(knowledge, way)
    engine = linguistic(setup)
    texts, hypotheses = zip(*pairs, strict=True)
    batch = Batch(knowledge, [str(place) for place in range(len(pairs))], texts, hypotheses)
    answers = engine.answer(batch, engine.fit(Training(training_pairs(), setup)))
    assert ((answers.confidence >= 0.5) == (answers.codes == ENTAILMENT_CODE)).all()
    return [pairs[place] for place in np.flatnonzero(answers.codes == code)]


@pytest.mark.parametrize("way", [TWO, THREE])
def test_what_does_not_follow(knowledge: Knowledge, way: Way) -> None:
    """No classic pair that is none is answered entailment, though nearly all of its words are in the text."""
    assert accepted(knowledge, way, DOES_NOT_FOLLOW, ENTAILMENT_CODE) == []


@pytest.mark.parametrize("way", [TWO, THREE])
def test_what_follows(knowledge: Knowledge, way: Way) -> None:
    """Their twins are answered entailment."""
    assert accepted(knowledge, way, FOLLOWS, ENTAILMENT_CODE) == FOLLOWS


def test_what_is_contradicted(knowledge: Knowledge) -> None:
    """What is denied, opposite, swapped or counted otherwise is answered contradiction."""
    assert accepted(knowledge, THREE, CONTRADICTED, CONTRADICTION_CODE) == CONTRADICTED
