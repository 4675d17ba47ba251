"""Confidence grows with the score and agrees with the decision; calibration agrees with scikit-learn."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _sigmoid_calibration

from karat.engines.learning.classifiers import Platt, fit_platt
from karat.engines.learning.threshold import confidence

SCORES = st.lists(st.floats(-2, 3), min_size=1, max_size=20)


@given(SCORES, st.floats(-1, 2))
def test_confidence_is_monotone_and_decides(scores: list[float], threshold: float) -> None:
    """It never falls, stays within 0 and 1, and is at least ½ exactly from the threshold on."""
    ordered = np.sort(scores)
    sure = confidence(ordered, threshold)
    assert (np.diff(sure) >= 0).all()
    assert ((sure >= 0) & (sure <= 1)).all()
    np.testing.assert_array_equal(sure >= 0.5, ordered >= threshold)


def test_confidence_by_hand() -> None:
    """Straight from 0 through ½ at the threshold to 1; |2c − 1| is the distance to the threshold as EDITS scales it."""
    scores = np.array([0.0, 0.3, 0.6, 0.8, 1.0])
    sure = confidence(scores, 0.6)
    assert sure == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    scaled = np.where(scores >= 0.6, (scores - 0.6) / 0.4, (0.6 - scores) / 0.6)
    assert np.abs(2 * sure - 1) == pytest.approx(scaled)
    assert confidence(scores, np.array([0, 1, 0.6, 0.9, 1.0])) == pytest.approx([0.5, 0.15, 0.5, 4 / 9, 0.5 + 0.5])


def test_confidence_next_to_the_threshold() -> None:
    """The nearest score below the threshold is still less than even."""
    for threshold in (0.1, 0.3, 0.6, 0.7, 0.999):
        assert confidence(np.nextafter([threshold], 0), threshold, lowest=-100.0)[0] < 0.5


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("centre", "scale"), [(0.0, 1.0), (0.6, 0.1), (-40.0, 8.0)])
def test_platt_by_scikit_learn(seed: int, centre: float, scale: float) -> None:
    """The same curve as scikit-learn's, wherever the scores lie."""
    random = np.random.default_rng(seed)
    truth = random.random(300) < 0.4
    scores = centre + scale * (truth + random.normal(size=300))
    model = fit_platt(scores, np.where(truth, 0, 1).astype(np.int8))
    slope, intercept = _sigmoid_calibration((scores - centre) / scale, truth)
    expected = 1 / (1 + np.exp(slope * (scores - centre) / scale + intercept))
    np.testing.assert_allclose(model.probability(scores), expected, atol=1e-4)
    assert msgspec.json.decode(msgspec.json.encode(model), type=Platt) == model


def test_platt_on_separable_scores() -> None:
    """Platt's targets keep the curve finite: on average, as likely as if one more had been seen."""
    scores, codes = np.arange(10.0), np.repeat([1, 0], 5).astype(np.int8)
    probabilities = fit_platt(scores, codes).probability(scores)
    assert (np.diff(probabilities) > 0).all()
    assert probabilities == pytest.approx(1 - probabilities[::-1])
    # Where the likelihood is highest, scores weighed by probabilities sum to scores weighed by targets.
    assert scores @ probabilities == pytest.approx(scores @ np.repeat([1 / 7, 6 / 7], 5))


@pytest.mark.parametrize("scores", [[0.3, 0.3, 0.3, 0.3], [4.0, 3.0, 1.0, 0.0]])
def test_platt_never_turns_a_ranking_round(scores: list[float]) -> None:
    """Scores that say nothing, or the opposite, get one probability: the share of entailment, drawn to the middle."""
    model = fit_platt(np.array(scores), np.array([1, 1, 0, 0], dtype=np.int8))
    assert model.probability(np.array([0.0, 9.0])) == pytest.approx([0.5, 0.5])


def test_calibrating_nothing() -> None:
    """With no pair to learn from every score is even."""
    model = fit_platt(np.zeros(0), np.zeros(0, dtype=np.int8))
    assert model.probability(np.array([-1.0, 7.0])).tolist() == [0.5, 0.5]
