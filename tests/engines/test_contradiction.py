"""The rule of contradiction that engines share: what it goes by, its bound, and what it makes of answers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.data.pairs import Pairs
from karat.engines.batch import Batch
from karat.engines.contradiction import PRICE, Contradiction, choose_bound, evidence, learn, names, overrule
from karat.engines.engine import BatchAnswers, Setup, Training
from karat.labels import THREE, TWO
from tests.engines.labelled import bare_knowledge, decide, labelled

WHO = "Smith Jones Brown Clark Lewis Young Green Baker Adams Hill".split()
SHARING = ("overlap", "edit-distance", "linguistic", "aligner")


def denials() -> Pairs:
    """Pairs of which a third deny what H says, a third say it, and a third are about something else."""
    rows = []
    for who, thing in product(WHO, ("mill", "boat", "farm")):
        rows.append((f"{who} did not sell the old {thing} in June.", f"{who} sold the old {thing}.", "C"))
        rows.append((f"{who} sold the old {thing} in June.", f"{who} sold the old {thing}.", "E"))
        rows.append((f"{who} sold the old {thing} in June.", f"{who} burnt a castle in Spain.", "U"))
    return labelled(rows, THREE)


def learnt(pairs: Pairs) -> tuple[Contradiction | None, Batch]:
    """The rule learnt from pairs, and the pairs as a batch."""
    setup = Setup(bare_knowledge(), THREE)
    training = Training(pairs, setup)
    batches = list(training.batches())
    return learn(batches, training), batches[0]


def test_the_rule_finds_denials() -> None:
    """What is denied is contradicted, and nothing else; the rule is JSON."""
    pairs = denials()
    rule, batch = learnt(pairs)
    assert rule is not None
    assert rule.of(batch).tolist() == (pairs.labels == 2).tolist()
    assert msgspec.json.decode(msgspec.json.encode(rule), type=Contradiction) == rule


@pytest.mark.parametrize("engine", SHARING)
def test_engines_share_it(engine: str) -> None:
    """Every engine contradicts the same pairs, and is less sure than even that they are entailed."""
    pairs = denials()
    model, decisions = decide(engine, pairs, pairs, THREE)
    assert ((decisions.codes == 2) == (pairs.labels == 2)).all()
    rule, _ = learnt(pairs)
    assert msgspec.convert(model.state["contradiction"], Contradiction) == rule


def test_cues_that_say_nothing_are_not_believed() -> None:
    """Where what a check finds is as often entailed as contradicted, contradiction is never answered."""
    pairs = denials()
    labels = pairs.labels.copy()
    labels[::3] = np.arange(len(labels[::3])) % 3
    rule, _ = learnt(with_labels(pairs, labels))
    assert rule is None


def with_labels(pairs: Pairs, labels: np.ndarray) -> Pairs:
    """The pairs with other labels."""
    return replace(pairs, labels=labels)


def test_two_ways_learn_none() -> None:
    """Where contradictions are not asked for, or too few, there is no rule."""
    pairs = denials()
    setup = Setup(bare_knowledge(), TWO)
    training = Training(pairs, setup)
    assert learn(list(training.batches()), training) is None
    few = with_labels(pairs, np.where(np.arange(len(pairs)) < 12, pairs.labels, np.minimum(pairs.labels, 1)))
    assert learnt(few)[0] is None


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=0, max_size=30))
def test_the_bound_is_the_best(rows: list[tuple[int, bool]]) -> None:
    """No bound, nor none at all, gains more; none is chosen that gains nothing."""
    sure = np.array([score / 10 for score, _ in rows])
    denied = np.array([denies for _, denies in rows], dtype=bool)

    def gain(bound: float | None) -> float:
        return 0.0 if bound is None else float(np.where(denied, 1.0, -PRICE)[sure >= bound].sum())

    chosen = choose_bound(sure, denied)
    assert gain(chosen) == pytest.approx(max(gain(bound) for bound in (None, *np.arange(11) / 10)))
    assert chosen is None or gain(chosen) > 0


def test_evidence_is_of_the_pair_alone() -> None:
    """A column for each check of that verdict and one for how much of H is in T; other pairs change nothing."""
    pairs = denials()
    _, batch = learnt(pairs)
    whole = evidence(batch)
    assert whole.shape == (len(pairs), len(names()) + 1)
    for row in range(0, len(pairs), 17):
        alone = Batch(bare_knowledge(), ["1"], [pairs.texts[row]], [pairs.hypotheses[row]])
        np.testing.assert_array_equal(evidence(alone)[0], whole[row])


def test_overruled_answers_are_less_than_even() -> None:
    """The likelier a pair seemed entailed, the surer that it is not; without a rule nothing changes."""
    pairs = denials()
    rule, batch = learnt(pairs)
    answers = BatchAnswers(np.zeros(len(pairs), dtype=np.int8), np.linspace(0.5, 1, len(pairs)))
    assert overrule(answers, None, batch) is answers
    made = overrule(answers, rule, batch)
    denied = made.codes == 2
    assert (made.confidence[denied] < 0.5).all()
    assert (np.diff(made.confidence[denied]) < 0).all()
    assert (made.confidence[~denied] == answers.confidence[~denied]).all()
