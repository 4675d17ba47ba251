"""Each check fires where it should and not where it should not, through the real tokeniser, tagger and dictionary."""

from __future__ import annotations

import re

import numpy as np
import pytest

from karat.engines.batch import Batch
from karat.engines.checks.base import checks, cue, in_order
from karat.engines.knowledge import Knowledge, load_knowledge
from karat.engines.lexicon.loading import find_dictionary
from tests.engines.checks.cases import FIRES, SILENT, Pair

NAMES = [entry.name for entry in in_order()]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    """What is found here, or a skip that can be seen."""
    if find_dictionary() is None:
        pytest.skip("WordNet is not found")
    return load_knowledge()


def batch_of(knowledge: Knowledge, pairs: list[Pair]) -> Batch:
    """Pairs as a batch."""
    texts, hypotheses = zip(*pairs, strict=True)
    return Batch(knowledge, [str(place) for place in range(len(pairs))], texts, hypotheses)


def test_cases_cover_every_check() -> None:
    """Every check has three pairs that it fires on and three that it does not, at least."""
    assert {name for name in FIRES if len(FIRES[name]) >= 3} == set(NAMES)
    assert {name for name in SILENT if len(SILENT[name]) >= 3} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_fires(knowledge: Knowledge, name: str) -> None:
    """A check fires on the pairs written for it."""
    pairs = FIRES[name]
    fired = cue(batch_of(knowledge, pairs), name).fired
    assert [pair for pair, here in zip(pairs, fired, strict=True) if not here] == []


@pytest.mark.parametrize("name", NAMES)
def test_is_silent(knowledge: Knowledge, name: str) -> None:
    """A check does not fire on near misses."""
    pairs = SILENT[name]
    fired = cue(batch_of(knowledge, pairs), name).fired
    assert [pair for pair, here in zip(pairs, fired, strict=True) if here] == []


@pytest.mark.parametrize("name", NAMES)
def test_is_of_the_pair_alone(knowledge: Knowledge, name: str) -> None:
    """What a check says of a pair does not depend on what else is in the batch."""
    pairs = [pair for of in (FIRES, SILENT) for each in NAMES for pair in of[each][:2]]
    together = cue(batch_of(knowledge, pairs), name)
    for place in range(0, len(pairs), 5):
        alone = cue(batch_of(knowledge, [pairs[place]]), name)
        for column in ("strength", "t", "h"):
            assert getattr(alone, column)[0] == getattr(together, column)[place], pairs[place]


@pytest.mark.parametrize("name", NAMES)
def test_places_are_in_the_pair(knowledge: Knowledge, name: str) -> None:
    """A check that fires names a token of H, and one of T or none; one that does not names none."""
    batch = batch_of(knowledge, [pair for each in NAMES for pair in FIRES[each]])
    found = cue(batch, name)
    assert (found.h[found.fired] >= 0).all()
    assert (found.h < np.diff(batch.h.starts)).all()
    assert (found.t < np.diff(batch.t.starts)).all()
    assert (found.t[~found.fired] == -1).all()
    assert (found.h[~found.fired] == -1).all()


@pytest.mark.parametrize("name", NAMES)
def test_switched_off(knowledge: Knowledge, name: str) -> None:
    """A check that is switched off fires nowhere."""
    without = Knowledge(knowledge.wordnet, knowledge.trees, frozenset([name]))
    assert not cue(batch_of(without, FIRES[name]), name).fired.any()


def test_nothing_to_check(knowledge: Knowledge) -> None:
    """Empty texts, empty hypotheses and empty batches fire nothing but what is missing."""
    batch = batch_of(knowledge, [("", ""), ("", "Petrov has 5 dogs."), ("Petrov has 5 dogs.", ""), (".", "?")])
    for entry in in_order():
        fired = cue(batch, entry.name).fired.tolist()
        assert fired == [False, entry.name in ("name", "no_number"), False, False], entry.name
    empty = Batch(knowledge, [], [], [])
    assert all(len(cue(empty, entry.name).strength) == 0 for entry in in_order())


@pytest.mark.parametrize("name", NAMES)
def test_says(name: str) -> None:
    """What a check says is a short sentence in plain words, with at most one span of either side."""
    says = str(checks[name].facts["says"])
    assert len(says.split()) <= 25
    assert says[0].isupper() or says.startswith("{")
    assert says.endswith(".")
    assert set(re.findall(r"\{(.*?)\}", says)) <= {"t", "h"}
    assert not re.search(r"polarity|modal|hyponym|antonym|alignment|entail|score|WordNet", says)


def test_contradictions_name_both() -> None:
    """A check that speaks for contradiction comes before those that do not, and ranks are all different."""
    ranks = [entry.facts["rank"] for entry in in_order()]
    assert len(set(ranks)) == len(ranks)
    verdicts = [entry.facts["verdict"] for entry in in_order()]
    assert verdicts == sorted(verdicts)  # contradiction, unknown
