"""Thresholds and costs learnt from scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from karat.engines.edits.engine import EditDecider, learn_threshold, optimise_costs
from karat.engines.edits.settings import CHOICES
from karat.engines.learning.threshold import Threshold


def made_up(many: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores of which those above -0.4 are mostly entailed, and their codes."""
    random = np.random.default_rng(seed)
    scores = -random.random(many)
    flipped = random.random(many) < 0.1
    return scores, np.where((scores > -0.4) ^ flipped, 0, 1).astype(np.int8)


@pytest.mark.parametrize("manner", CHOICES["threshold"])
def test_thresholds(manner: str) -> None:
    """Every manner finds about where the labels change."""
    scores, codes = made_up(400)
    assert learn_threshold(scores, codes, None, manner, 0).everywhere == pytest.approx(-0.4, abs=0.05)


@pytest.mark.parametrize("manner", CHOICES["threshold"])
def test_settings_have_their_own(manner: str) -> None:
    """A setting with many pairs has its own threshold; one with few, or none named, that of all."""
    scores, codes = made_up(400)
    groups = ["QA"] * 200 + ["IE"] * 190 + [""] * 5 + ["IR"] * 5
    scores[200:390] -= 1
    made = learn_threshold(scores, codes, groups, manner, 0)
    assert set(made.groups) == {"QA", "IE"}
    assert made.groups["QA"] - made.groups["IE"] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("manner", CHOICES["threshold"])
@pytest.mark.parametrize("codes", [[0], [1], [0, 0, 0], [1, 1, 1, 1]])
def test_few_pairs(manner: str, codes: Sequence[int]) -> None:
    """One kind of label, one pair: something is learnt, and it is finite."""
    scores = -np.linspace(0.1, 0.9, len(codes))
    assert np.isfinite(learn_threshold(scores, np.array(codes, dtype=np.int8), None, manner, 0).everywhere)


def test_answers_are_steps_of_confidence() -> None:
    """Entailment is answered from a confidence of ½ on, whatever the threshold or setting."""
    scores = np.linspace(-1.2, 0, 200)
    answers = EditDecider(Threshold(-0.5, 0.7, groups={"QA": -0.3})).decide(scores, ["QA", ""] * 100)
    assert ((answers.confidence >= 0.5) == (answers.codes == 0)).all()
    assert ((answers.confidence >= 0) & (answers.confidence <= 1)).all()
    assert (np.diff(answers.confidence[1::2]) >= 0).all()


@pytest.mark.parametrize("threshold", [-7.5, -1.0, -0.5, 0.0, 0.5])
def test_distances_beyond_one(threshold: float) -> None:
    """However far apart T and H are, the nearer of two pairs is the surer, and none ties with another."""
    scores = -np.array([0.0, 0.3, 0.9, 1.0, 1.1, 2.0, 2.0001, 5.0, 40.0, 41.0, 1e6])
    answers = EditDecider(Threshold(threshold, 0.7)).decide(scores, [""] * 11)
    assert (np.diff(answers.confidence) < 0).all()
    assert ((answers.confidence >= 0) & (answers.confidence <= 1)).all()
    assert ((answers.confidence >= 0.5) == (answers.codes == 0)).all()


def test_confidence_by_hand() -> None:
    """A distance of 1 is half as far as can be: with a threshold there, 3 is half-way from even to 0."""
    answers = EditDecider(Threshold(-1.0, 0.7)).decide(-np.array([0.0, 1.0, 3.0]), [""] * 3)
    assert answers.confidence == pytest.approx([1.0, 0.5, 0.25])


def test_costs_are_found() -> None:
    """Where only deletions tell entailed pairs apart, deleting is made to cost; the same seed finds the same."""
    random = np.random.default_rng(0)
    deleted, inserted = random.random(200), random.random(200)
    codes = (deleted > 0.5).astype(np.int8)

    def distances(costs: np.ndarray) -> np.ndarray:
        return (costs[:, :1] * deleted + costs[:, 1:2] * inserted) / 10

    start = np.array([0.0, 1.0, 1.0])
    delete, insert, _ = optimise_costs(distances, codes, start, 0)
    assert delete > 5 * insert
    assert optimise_costs(distances, codes, start, 0)[:2] == (delete, insert)
