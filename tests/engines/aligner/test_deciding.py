"""Deciding from features: planted rules are found, and the operating point is the best of all."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from karat.engines.aligner.engine import AlignerDecider, Classifier, choose_cut, learn, learn_judge, odds
from karat.engines.learning.classifiers import Platt
from karat.engines.learning.threshold import Goal
from karat.errors import UsageError

SEED = 4
MANY = 240


def planted() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of noise but for two: the first entails, the second contradicts where a check fires."""
    random = np.random.default_rng(SEED)
    features = random.normal(size=(MANY, 5))
    fired = random.random(MANY) < 0.4
    codes = np.where(features[:, 0] > 0, 0, np.where(fired & (features[:, 1] > 0), 2, 1)).astype(np.int8)
    return features, codes, fired


@pytest.mark.parametrize("classifier", get_args(Classifier))
def test_a_planted_rule_is_found(classifier: Classifier) -> None:
    """Nearly all pairs come out right, and confidence is at least even exactly where entailment is answered."""
    features, codes, fired = planted()
    decider = learn(features, codes, fired, np.arange(MANY), classifier=classifier)
    answers, sure = decider.decide(features, fired)
    assert (answers == codes).mean() > 0.9
    assert ((sure >= 0.5) == (answers == 0)).all()
    assert not (answers[~fired] == 2).any()


def test_two_way_codes_teach_no_contradiction() -> None:
    """Without contradictions in training none is answered."""
    features, codes, fired = planted()
    decider = learn(features, np.minimum(codes, 1).astype(np.int8), fired, np.arange(MANY))
    assert decider.contradicts is None
    assert set(decider.decide(features, fired)[0].tolist()) == {0, 1}


def test_noise_is_not_believed() -> None:
    """Where features say nothing, unseen pairs are given even odds."""
    random = np.random.default_rng(SEED)
    yes = np.arange(MANY) % 2 == 0
    _, unseen = learn_judge(random.normal(size=(MANY, 20)), yes, np.arange(MANY))
    assert abs(unseen - 0.5).max() < 0.2


def test_groups_are_kept_together() -> None:
    """A feature that only names the text foretells nothing of another text: what is unseen stays near even."""
    groups = np.repeat(np.arange(40), 2)
    yes = np.random.default_rng(SEED).permutation(40)[groups] % 2 == 0
    names = np.eye(40)[groups]
    _, together = learn_judge(names, yes, groups, "logistic")
    _, apart = learn_judge(names, yes, np.arange(80), "logistic")
    assert ((together >= 0.5) == yes).mean() < 0.7
    assert ((apart >= 0.5) == yes).mean() > 0.8


@pytest.mark.parametrize("sizes", [[20], [19, 1], [16, 4], [15, 5], [10, 10], [1] * 20])
def test_folds_leave_enough_to_learn_from(sizes: list[int]) -> None:
    """However few groups there are, every row is foretold; those of one group are so one by one."""
    random = np.random.default_rng(SEED)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    _, unseen = learn_judge(random.normal(size=(20, 3)), random.random(20) < 0.5, groups)
    assert np.isfinite(unseen).all()


@given(
    st.lists(st.tuples(st.integers(0, 9), st.booleans(), st.integers(0, 2), st.booleans()), min_size=1, max_size=30),
    st.sampled_from(get_args(Goal)),
)
def test_the_cut_is_the_best(rows: list[tuple[int, bool, int, bool]], goal: Goal) -> None:
    """No operating point, nor none at all, does better on the training pairs."""
    scores, entailed, codes, fired = (np.array(column) for column in zip(*rows, strict=True))
    codes = codes.astype(np.int8)

    def value(cut: float | None) -> float:
        answers = np.where(entailed, 0, 1)
        if cut is not None:
            answers[fired & (scores >= cut)] = 2
        if goal == "accuracy":
            return float((answers == codes).mean())
        return float(f1_score(codes, answers, labels=[0, 1, 2], average="macro", zero_division=0))

    chosen = choose_cut(scores.astype(np.float64), entailed, codes, fired, goal)
    assert value(chosen) == pytest.approx(max(value(cut) for cut in (None, *range(11))))
    assert chosen is None or value(chosen) > value(None)


def test_odds() -> None:
    """Contradiction against the likelier of the other two answers."""
    found = odds(np.array([0.5, 0.2, 0.0]), np.array([0.5, 0.75, 1.0]))
    assert found == pytest.approx([0.25 / 0.5, 0.6 / 0.2, 1e12])


def test_contradiction_lowers_confidence() -> None:
    """A pair that seemed entailed but is answered contradiction is less than even."""
    features, codes, fired = planted()
    learnt = learn(features, codes, fired, np.arange(MANY))
    always = AlignerDecider(learnt.entails, learnt.contradicts, 0.0)
    answers, sure = always.decide(features, np.ones(MANY, dtype=bool))
    assert (answers == 2).all()
    assert (sure < 0.5).all()
    assert isinstance(learnt.entails.calibration, Platt)


def test_many_pairs_need_no_kernel_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many pairs the straight classifier learns alone, and a kernel machine asked for by name is refused."""
    features, codes, _ = planted()
    groups = np.arange(MANY)
    monkeypatch.setattr("karat.engines.aligner.engine.MOST_ROWS", MANY - 1)
    judge, _ = learn_judge(features, codes == 0, groups)
    assert judge.curved is None
    assert judge.straight is not None
    with pytest.raises(UsageError, match="classifier=logistic"):
        learn_judge(features, codes == 0, groups, "kernel")
