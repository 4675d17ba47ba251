"""The probability of entailment by one score agrees with scikit-learn, never falls, and decides."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import _sigmoid_calibration

from karat.engines.learning.threshold import EVEN, ScoreCurve, fit_curve, fit_likeliest


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("centre", "scale"), [(0.0, 1.0), (0.6, 0.1), (-40.0, 8.0)])
def test_curve_by_scikit_learn(seed: int, centre: float, scale: float) -> None:
    """The same curve as scikit-learn's, wherever the scores lie."""
    random = np.random.default_rng(seed)
    truth = random.random(300) < 0.4
    scores = centre + scale * (truth + random.normal(size=300))
    model = fit_likeliest(scores, np.where(truth, 0, 1).astype(np.int8))
    slope, intercept = _sigmoid_calibration((scores - centre) / scale, truth)
    expected = 1 / (1 + np.exp(slope * (scores - centre) / scale + intercept))
    np.testing.assert_allclose(model.probability(scores), expected, atol=1e-4)
    assert msgspec.json.decode(msgspec.json.encode(model), type=ScoreCurve) == model


def test_curve_on_separable_scores() -> None:
    """Platt's targets keep the curve finite: on average, as likely as if one more had been seen."""
    scores, codes = np.arange(10.0), np.repeat([1, 0], 5).astype(np.int8)
    probabilities = fit_likeliest(scores, codes).probability(scores)
    assert (np.diff(probabilities) > 0).all()
    assert probabilities == pytest.approx(1 - probabilities[::-1])
    # Where the likelihood is highest, scores weighed by probabilities sum to scores weighed by targets.
    assert scores @ probabilities == pytest.approx(scores @ np.repeat([1 / 7, 6 / 7], 5))


@pytest.mark.parametrize("scores", [[0.3, 0.3, 0.3, 0.3], [4.0, 3.0, 1.0, 0.0]])
def test_curve_never_turns_a_ranking_round(scores: list[float]) -> None:
    """Scores that say nothing, or the opposite, get one probability: the share of entailment, drawn to the middle."""
    model = fit_curve(np.array(scores), np.array([1, 1, 0, 0], dtype=np.int8))
    assert model.probability(np.array([0.0, 9.0])) == pytest.approx([0.5, 0.5])


def test_calibrating_nothing() -> None:
    """With no pair to learn from every score is even."""
    model = fit_curve(np.zeros(0), np.zeros(0, dtype=np.int8))
    assert model.probability(np.array([-1.0, 7.0])).tolist() == [0.5, 0.5]


@given(st.lists(st.tuples(st.floats(-2, 3), st.integers(0, 2)), min_size=1, max_size=20))
def test_a_curve_decides(pairs: list[tuple[float, int]]) -> None:
    """Entailment is answered where it is at least even, which is never of one score and not of a higher one."""
    scores, codes = np.array(sorted(score for score, _ in pairs)), np.array([code for _, code in pairs], dtype=np.int8)
    answers = fit_curve(scores, codes).decide(scores, 2)
    assert (np.diff(answers.confidence) >= 0).all()
    np.testing.assert_array_equal(answers.confidence >= EVEN, answers.codes == 0)
    assert set(answers.codes.tolist()) <= {0, 2}


@pytest.mark.parametrize(("code", "answers"), [(0, [0, 0, 0]), (1, [1, 1, 1]), (2, [1, 1, 1])])
def test_one_class_only(code: int, answers: list[int]) -> None:
    """All entailed accepts all, none entailed accepts none."""
    scores = np.array([0.2, 0.9, 0.9])
    assert fit_curve(scores, np.full(3, code, dtype=np.int8)).decide(scores).codes.tolist() == answers


def test_scores_must_be_finite() -> None:
    """A NaN would silently count."""
    with pytest.raises(ValueError, match="finite"):
        fit_curve(np.array([0.1, np.nan]), np.array([0, 1], dtype=np.int8))


def test_odd_labels_move_the_curve_little() -> None:
    """The more pairs there are, the less one of them matters: no cut between two scores is picked by one pair."""
    random = np.random.default_rng(1)
    scores = random.random(400)
    codes = (scores + random.normal(size=400) / 4 < 0.6).astype(np.int8)
    even = [-curve.intercept / curve.slope for curve in (fit_curve(scores[k:], codes[k:]) for k in range(8))]
    assert max(even) - min(even) < 0.01
    assert even[0] == pytest.approx(0.6, abs=0.05)
