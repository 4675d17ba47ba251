"""Naive Bayes against scikit-learn."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from karat.engines.hypothesis_only import Kind, NaiveBayes, fit

WORDS = 12


def documents(seed: int, count: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Documents of 0 to 7 words as starts and ids, and the same as counts (documents, words)."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 8, count)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    ids = random.integers(0, WORDS, starts[-1])
    counts = np.zeros((count, WORDS))
    np.add.at(counts, (np.repeat(np.arange(count), lengths), ids), 1)
    return starts, ids, counts


@pytest.mark.parametrize(("kind", "oracle"), [("bernoulli", BernoulliNB), ("multinomial", MultinomialNB)])
@pytest.mark.parametrize("extra", [1.0, 0.25])
@pytest.mark.parametrize("labels", [(0, 1), (0, 1, 2), (0, 2)])
def test_by_scikit_learn(kind: Kind, oracle: type, extra: float, labels: tuple[int, ...]) -> None:
    """The same joint log-probabilities, probabilities and decisions, on documents met and not met."""
    starts, ids, counts = documents(1)
    codes = np.random.default_rng(2).choice(labels, len(counts)).astype(np.int8)
    model = fit(starts, ids, codes, WORDS, kind, extra)
    expected = oracle(alpha=extra).fit(counts, codes)
    for seed in (1, 5):
        starts, ids, counts = documents(seed)
        np.testing.assert_allclose(model.log_joint(starts, ids), expected.predict_joint_log_proba(counts))
        np.testing.assert_allclose(model.probability(starts, ids), expected.predict_proba(counts))
        np.testing.assert_array_equal(model.decide(starts, ids), expected.predict(counts))
    assert msgspec.json.decode(msgspec.json.encode(model), type=NaiveBayes) == model


@pytest.mark.parametrize("kind", ["bernoulli", "multinomial"])
def test_unknown_words_say_nothing(kind: Kind) -> None:
    """Ids outside the vocabulary are passed over, in training and after."""
    starts, ids, counts = documents(3)
    codes = (np.arange(len(counts)) % 2).astype(np.int8)
    lengths = np.diff(starts)
    padded = np.insert(ids, np.repeat(starts[1:], 2), np.tile([-1, WORDS + 5], len(lengths)))
    later = np.concatenate([[0], np.cumsum(lengths + 2)])
    model = fit(starts, ids, codes, WORDS, kind)
    assert fit(later, padded, codes, WORDS, kind) == model
    np.testing.assert_array_equal(model.log_joint(later, padded), model.log_joint(starts, ids))


def test_by_hand() -> None:
    """Three documents, two words: (1 + 1) / (2 + 2) and so on."""
    model = fit(np.array([0, 1, 3, 4]), np.array([0, 0, 1, 1]), np.array([0, 0, 1], dtype=np.int8), 2)
    assert np.exp(model.words) == pytest.approx(np.array([[3 / 4, 2 / 4], [1 / 3, 2 / 3]]))
    # The word 0 alone: 2/3 · 3/4 · 2/4 against 1/3 · 1/3 · 1/3.
    assert np.exp(model.log_joint(np.array([0, 1]), np.array([0])))[0] == pytest.approx([1 / 4, 1 / 27])


def test_no_words_at_all() -> None:
    """Documents without a word, or a vocabulary without one, leave the prior."""
    for vocabulary in (0, 3):
        model = fit(np.zeros(4, dtype=int), np.zeros(0, dtype=int), np.array([0, 0, 1], dtype=np.int8), vocabulary)
        assert model.decide(np.zeros(3, dtype=int), np.zeros(0, dtype=int)).tolist() == [0, 0]
