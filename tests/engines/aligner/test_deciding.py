"""Deciding from features: planted rules are found, and noise is not believed."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from karat.engines.aligner.engine import Classifier, learn_judge
from karat.errors import UsageError

SEED = 4
MANY = 240


def planted() -> tuple[np.ndarray, np.ndarray]:
    """Features of noise but for the first, which entails."""
    features = np.random.default_rng(SEED).normal(size=(MANY, 5))
    return features, features[:, 0] > 0


@pytest.mark.nightly
@pytest.mark.parametrize("classifier", get_args(Classifier))
def test_a_planted_rule_is_found(classifier: Classifier) -> None:
    """Nearly all pairs come out right."""
    features, yes = planted()
    judge, unseen = learn_judge(features, yes, np.arange(MANY), classifier)
    assert ((judge.probability(features) >= 0.5) == yes).mean() > 0.9
    assert ((unseen >= 0.5) == yes).mean() > 0.9


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


def test_many_pairs_need_no_kernel_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many pairs the straight classifier learns alone, and a kernel machine asked for by name is refused."""
    features, yes = planted()
    groups = np.arange(MANY)
    monkeypatch.setattr("karat.engines.aligner.engine.MOST_ROWS", MANY - 1)
    judge, _ = learn_judge(features, yes, groups)
    assert judge.curved is None
    assert judge.straight is not None
    with pytest.raises(UsageError, match="classifier=logistic"):
        learn_judge(features, yes, groups, "kernel")
