"""The exact sweep against trying every candidate in turn."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.learning.folds import stratified
from karat.engines.learning.threshold import Threshold, cross_validated, learn, sweep
from tests.engines.learning.by_hand import accuracy, best_threshold

# Multiples of ¼ have exact midpoints, so that the twin's sums are the sweep's.
PAIRS = st.lists(st.tuples(st.integers(-6, 6).map(lambda n: n / 4), st.integers(0, 2)), min_size=1, max_size=12)


@given(PAIRS)
def test_sweep_by_hand(pairs: list[tuple[float, int]]) -> None:
    """Threshold and value are those of the slow search, ties included."""
    scores, codes = np.array([score for score, _ in pairs]), np.array([code for _, code in pairs], dtype=np.int8)
    threshold, value = sweep(scores, codes)
    expected = best_threshold(scores.tolist(), (codes == 0).tolist())
    assert (float(threshold), float(value)) == pytest.approx(expected)
    assert value == pytest.approx(accuracy((scores >= threshold).tolist(), (codes == 0).tolist()))


def test_rows_are_swept_by_themselves() -> None:
    """Many rows at once give what each gives alone, in any leading shape."""
    random = np.random.default_rng(1)
    scores, codes = random.integers(0, 30, (2, 5, 60)) / 8, random.integers(0, 3, 60).astype(np.int8)
    thresholds, values = sweep(scores, codes)
    alone = [sweep(row, codes) for row in scores.reshape(10, 60)]
    np.testing.assert_array_equal(thresholds.reshape(-1), [threshold for threshold, _ in alone])
    np.testing.assert_array_equal(values.reshape(-1), [value for _, value in alone])


def test_centre_of_the_plateau() -> None:
    """Of cuts that are equally good the middle one of the longest run is taken."""
    #                                   |  best from here …  to here |
    scores = np.array([0.0, 1, 2, 2, 3, 3, 4, 4, 5, 6])
    codes = np.array([1, 1, 0, 1, 0, 1, 0, 1, 0, 0], dtype=np.int8)
    threshold, value = sweep(scores, codes)
    assert value == 0.7
    assert threshold == 2.5  # the lower centre of 1.5, 2.5, 3.5, 4.5


def test_the_longest_run_before_the_widest() -> None:
    """Two equally good cuts side by side are preferred to one in a wide gap."""
    scores, codes = np.array([0.0, 5, 6, 7, 7, 8]), np.array([1, 0, 1, 0, 1, 0], dtype=np.int8)
    assert sweep(scores, codes) == (6.5, 4 / 6)  # 2.5 is as good, and in a gap of 5


def test_runs_end_with_their_row() -> None:
    """The last cut of a row and the first of the next are no neighbours."""
    scores, codes = np.array([[0.0, 1], [0, 1], [0, 1]]), np.array([0, 1], dtype=np.int8)
    assert sweep(scores, codes)[0].tolist() == [-1, -1, -1]


def test_neighbouring_floats() -> None:
    """Between two scores next to each other the threshold is the upper one, so that it still parts them."""
    for low in (0.0, 1.0, -1.0, 1e300, 5e-324):
        scores = np.array([low, np.nextafter(low, np.inf)])
        threshold, value = sweep(scores, np.array([1, 0], dtype=np.int8))
        assert value == 1
        assert threshold == scores[1]


@pytest.mark.parametrize(("code", "answers"), [(0, [0, 0, 0]), (1, [1, 1, 1]), (2, [1, 1, 1])])
def test_one_class_only(code: int, answers: list[int]) -> None:
    """All entailed accepts all, none entailed accepts none, with finite thresholds that JSON can hold."""
    scores, codes = np.array([0.2, 0.9, 0.9]), np.full(3, code, dtype=np.int8)
    model = learn(scores, codes)
    assert model.value == 1
    assert model.decide(scores).tolist() == answers
    assert msgspec.json.decode(msgspec.json.encode(model), type=Threshold) == model


def test_nothing_to_learn_from() -> None:
    """No pairs at all give some threshold, of no value."""
    assert learn(np.zeros(0), np.zeros(0, dtype=np.int8)) == Threshold(0.0, 0.0)


def test_scores_must_be_finite() -> None:
    """A NaN would sort somewhere and silently count."""
    with pytest.raises(ValueError, match="finite"):
        sweep(np.array([0.1, np.nan]), np.array([0, 1], dtype=np.int8))


def test_groups() -> None:
    """A group large enough has its own threshold; a small one and one never met have that of all."""
    scores = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 0.5])
    codes = np.array([1, 1, 0, 0, 1, 1, 0, 0, 0], dtype=np.int8)
    groups = ["IE"] * 4 + ["QA"] * 4 + ["SUM"]
    model = learn(scores, codes, groups=groups, least=4)
    assert model.groups == {"IE": pytest.approx(0.25), "QA": pytest.approx(0.75)}
    assert model.of(["QA", "SUM", "new"], 3).tolist() == [model.groups["QA"], model.everywhere, model.everywhere]
    assert (model.decide(scores, groups) == (codes != 0)).all()
    assert learn(scores, codes, groups=groups).groups == {}
    assert msgspec.json.decode(msgspec.json.encode(model), type=Threshold) == model


def test_cross_validated_by_hand() -> None:
    """Each fold is decided by the threshold learnt on the others."""
    random = np.random.default_rng(3)
    scores, codes = random.integers(0, 40, (4, 50)) / 8, random.integers(0, 3, 50).astype(np.int8)
    folds = stratified(codes, 5)
    for row, value in zip(scores, cross_validated(scores, codes, folds), strict=True):
        answers = np.zeros(50, dtype=bool)
        for fold in range(5):
            threshold, _ = sweep(row[folds != fold], codes[folds != fold])
            answers[folds == fold] = row[folds == fold] >= threshold
        assert value == pytest.approx(accuracy(answers.tolist(), (codes == 0).tolist()))
