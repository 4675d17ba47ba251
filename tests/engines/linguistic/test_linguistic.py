"""The linguistic engine: what it scores, what it learns, what it answers."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from karat.engines.batch import Batch
from karat.engines.checks.base import cue, in_order
from karat.engines.engine import Setup, Training, engines
from karat.engines.explaining import explain, lint
from karat.engines.knowledge import SWITCHES, Knowledge, load_knowledge
from karat.engines.learning.threshold import CONTRADICTION_CODE, ENTAILMENT_CODE, UNKNOWN_CODE, ScoreCurve
from karat.engines.lexicon.loading import find_dictionary
from karat.engines.linguistic import FORBIDS, LearntChecks, Linguistic, check, linguistic, scores, weight
from karat.engines.rarity import Rarity
from karat.kernels.compiled import PLAIN
from karat.labels import THREE, TWO, Way
from tests.engines.linguistic.pairs import CODES, DENIED, ENTAILED, UNRELATED, WRITTEN, everything, training_pairs

NO_RARITY = Rarity(2, {})


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    """What is found here, or a skip that can be seen."""
    if find_dictionary() is None:
        pytest.skip("WordNet is not found")
    return load_knowledge()


def batch_of(knowledge: Knowledge, pairs: list[tuple[str, str]]) -> Batch:
    """Pairs as a batch."""
    texts, hypotheses = zip(*pairs, strict=True)
    return Batch(knowledge, [str(place) for place in range(len(pairs))], texts, hypotheses)


def learn(knowledge: Knowledge, way: Way) -> LearntChecks:
    """What the engine learns from the pairs written by hand."""
    setup = Setup(knowledge, way)
    return Linguistic(setup).fit(Training(training_pairs(), setup))


@pytest.mark.parametrize(
    ("text", "better", "worse"),
    [
        ("Google bought YouTube.", "YouTube was bought by Google.", "Google was bought by YouTube."),
        ("Carter, the president, met Smith.", "Carter is the president.", "Smith is the president."),
        ("The dog chased the cat into the house.", "The dog chased the cat.", "The house chased the cat."),
        ("Rome's destruction of Carthage was complete.", "Rome destroyed Carthage.", "Greece destroyed Carthage."),
    ],
)
def test_structures(knowledge: Knowledge, text: str, better: str, worse: str) -> None:
    """The same words in the same relations, however expressed, score higher than in others."""
    score = scores(batch_of(knowledge, [(text, better), (text, worse)]), NO_RARITY)
    assert score[0] > score[1]


def test_scores_are_shares(knowledge: Knowledge) -> None:
    """A hypothesis that is the text scores 1, one that shares nothing with it 0 or little, and none leaves 0 to 1."""
    own = scores(batch_of(knowledge, [(text, text) for text, _ in ENTAILED]), NO_RARITY)
    assert own.min() > 0.9
    score = scores(everything(knowledge), NO_RARITY)
    assert score.min() >= 0
    assert score.max() <= 1 + 1e-9
    odd = scores(batch_of(knowledge, [("", ""), ("", "A dog."), ("A dog.", ""), (".", ".")]), NO_RARITY)
    assert np.isfinite(odd).all()


def test_without_structure(knowledge: Knowledge) -> None:
    """Without structures only words count."""
    without = Knowledge(knowledge.wordnet, knowledge.trees, frozenset(["structure"]))
    pairs = [
        ("The dog chased the cat.", "The dog chased the cat."),
        ("The dog chased the cat.", "The cat chased the dog."),
    ]
    score = scores(batch_of(without, pairs), NO_RARITY)
    assert score[0] == pytest.approx(score[1])


def test_first_check_counts(knowledge: Knowledge) -> None:
    """What is taken off is the weight of the first check, by rank, that fires; some forbid where sure."""
    batch = everything(knowledge)
    checked = check(batch)
    for place in range(len(batch)):
        fired = [entry for entry in in_order() if cue(batch, entry.name).fired[place]]
        assert checked.off[place] == next((weight(entry.name) for entry in fired), 0.0)
        sure = [entry for entry in fired if cue(batch, entry.name).strength[place] == 1]
        denied = any(entry.facts["verdict"] == "contradiction" for entry in sure)
        assert checked.contradicted[place] == denied
        assert checked.forbidden[place] == (denied or not FORBIDS.isdisjoint(entry.name for entry in sure))
    assert checked.contradicted.any()
    assert not checked.forbidden.all()


def test_what_is_forbidden_is_never_entailment(knowledge: Knowledge) -> None:
    """However low the threshold, a pair that a check forbids is not accepted, and is less than even."""
    batch = everything(knowledge)
    checked = check(batch)
    low = LearntChecks(NO_RARITY, ScoreCurve(1.0, 9.0)).decide(scores(batch, NO_RARITY), checked)
    assert ((low.codes == ENTAILMENT_CODE) == ~checked.forbidden).all()
    assert ((low.confidence >= 0.5) == ~checked.forbidden).all()


def test_learns_three_ways(knowledge: Knowledge) -> None:
    """From pairs written by hand it learns to tell entailed, unrelated and denied ones apart."""
    state = learn(knowledge, THREE)
    engine = linguistic(Setup(knowledge, THREE))
    answers = engine.answer(batch_of(knowledge, WRITTEN), state)
    right = answers.codes == np.array(CODES)
    assert right[: len(ENTAILED) + len(UNRELATED)].all()
    assert right[-len(DENIED) :].mean() > 0.8


@pytest.mark.parametrize("way", [TWO, THREE])
def test_confidence_goes_with_the_answer(knowledge: Knowledge, way: Way) -> None:
    """It is one half or more exactly where entailment is answered."""
    engine = linguistic(Setup(knowledge, way))
    answers = engine.answer(everything(knowledge), learn(knowledge, way))
    assert ((answers.confidence >= 0.5) == (answers.codes == ENTAILMENT_CODE)).all()
    assert answers.confidence.min() >= 0
    assert answers.confidence.max() <= 1
    assert set(answers.codes.tolist()) == (
        {ENTAILMENT_CODE, UNKNOWN_CODE} if way is TWO else {ENTAILMENT_CODE, UNKNOWN_CODE, CONTRADICTION_CODE}
    )


def test_state_is_json(knowledge: Knowledge) -> None:
    """A state that went through JSON answers the same, and so does the engine learnt again."""
    state, batch = learn(knowledge, THREE), everything(knowledge)
    engine = linguistic(Setup(knowledge, THREE))
    first = engine.answer(batch, state)
    again = engine.answer(
        everything(load_knowledge()), msgspec.json.decode(msgspec.json.encode(state), type=LearntChecks)
    )
    assert (first.codes == again.codes).all()
    assert (first.confidence == again.confidence).all()
    assert learn(load_knowledge(), THREE) == state


def test_answers_do_not_depend_on_the_batch(knowledge: Knowledge) -> None:
    """A pair alone is answered as it is among others."""
    state, batch = learn(knowledge, THREE), everything(knowledge)
    engine = linguistic(Setup(knowledge, THREE))
    together = engine.answer(batch, state)
    for place in range(0, len(batch), 9):
        alone = engine.answer(batch_of(knowledge, [(batch.texts[place], batch.hypotheses[place])]), state)
        assert alone.codes[0] == together.codes[place]
        assert alone.confidence[0] == pytest.approx(together.confidence[place], abs=1e-12)


@pytest.mark.parametrize("way", [TWO, THREE])
def test_justifications(knowledge: Knowledge, way: Way) -> None:
    """Every answer has a justification that the lint has nothing against."""
    state, batch = learn(knowledge, way), batch_of(knowledge, WRITTEN)
    engine = linguistic(Setup(knowledge, way))
    answers = engine.answer(batch, state)
    for place, why in enumerate(explain(batch, answers, way)):
        label = way.labels[answers.codes[place]]
        assert lint(why, batch.texts[place], batch.hypotheses[place], label) == [], why.text


def test_switches(knowledge: Knowledge) -> None:
    """Every check and every relation can be switched off by name, and a check switched off takes nothing off."""
    switches = engines["linguistic"].facts["switches"]
    assert {"structure", *SWITCHES, *(entry.name for entry in in_order())} <= set(switches)
    every = Knowledge(knowledge.wordnet, knowledge.trees, frozenset(entry.name for entry in in_order()))
    checked = check(everything(every))
    assert not checked.off.any()
    assert not checked.forbidden.any()


def test_unlabelled_rows_are_left_out(knowledge: Knowledge) -> None:
    """Pairs without a label teach nothing."""
    pairs = training_pairs()
    labels = pairs.labels.copy()
    labels[::4] = -1
    setup = Setup(knowledge, THREE)
    learnt = linguistic(setup).fit(Training(replace(pairs, labels=labels), setup))
    assert learnt.rarity.documents == 2 * int((labels >= 0).sum())


CODE = """
from karat.engines.knowledge import load_knowledge
from karat.engines.checks.base import cue, in_order
from karat.engines.linguistic import scores
from karat.engines.rarity import Rarity
from tests.engines.linguistic.pairs import everything
batch = everything(load_knowledge())
for entry in in_order():
    found = cue(batch, entry.name)
    print(entry.name, found.strength.tolist(), found.t.tolist(), found.h.tolist())
print([round(score, 6) for score in scores(batch, Rarity(2, {})).tolist()])
"""


def test_plain_python_agrees(knowledge: Knowledge) -> None:
    """Without numba every check and every score is the same."""
    del knowledge
    said = []
    for plain in ("", "1"):
        environment = {**os.environ, PLAIN: plain}
        done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1]
