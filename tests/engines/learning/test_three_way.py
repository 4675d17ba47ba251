"""Thresholds with bands of contradiction, against all of them tried."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.learning.threshold import ThreeWay, learn_band
from tests.engines.learning.by_hand import candidates

ROWS = st.lists(st.tuples(st.integers(0, 9).map(float), st.integers(0, 2), st.booleans()), min_size=1, max_size=10)


def worth(answers: list[int], codes: list[int]) -> float:
    """The share that is answered right."""
    return sum(answer == code for answer, code in zip(answers, codes, strict=True)) / len(codes)


def columns(rows: list[tuple[float, int, bool]]) -> tuple[list[float], list[int], list[bool]]:
    """Scores, codes and cues."""
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


@given(ROWS)
def test_band(rows: list[tuple[float, int, bool]]) -> None:
    """No threshold with any band of cued scores does better, above the threshold or below."""
    scores, codes, cues = columns(rows)
    model = learn_band(np.array(scores), np.array(codes, dtype=np.int8), np.array(cues), least=0)
    cuts = candidates(scores)

    def answer(score: float, cue: bool, cut: float, low: float, high: float) -> int:
        return 2 if cue and low <= score < high else 0 if score >= cut else 1

    best = max(
        worth([answer(s, c, cut, low, high) for s, c in zip(scores, cues, strict=True)], codes)
        for cut in cuts
        for low in cuts
        for high in cuts
    )
    assert model.value == pytest.approx(best)
    answers = model.decide(np.array(scores), np.array(cues))
    assert worth(answers.tolist(), codes) == pytest.approx(best)
    assert not (answers == 2)[~np.array(cues)].any()
    assert not (model.decide(np.array(scores)) == 2).any()
    assert msgspec.json.decode(msgspec.json.encode(model), type=ThreeWay) == model


def test_band_must_be_worth_having() -> None:
    """A band that gains one pair is taken at 1 and refused at 2."""
    scores, codes = np.array([0.1, 0.2, 0.8, 0.9]), np.array([1, 1, 2, 0], dtype=np.int8)
    cue = np.array([False, False, True, False])
    assert learn_band(scores, codes, cue, least=1).decide(scores, cue).tolist() == [1, 1, 2, 0]
    refused = learn_band(scores, codes, cue, least=2)
    assert not refused.contradicts
    assert refused.value == 0.75


def test_no_cue_anywhere() -> None:
    """Without a cue the best single threshold is left."""
    scores, codes = np.array([0.1, 0.5, 0.9]), np.array([2, 1, 0], dtype=np.int8)
    model = learn_band(scores, codes, np.zeros(3, dtype=bool))
    assert model.decide(scores, np.ones(3, dtype=bool)).tolist() == [1, 1, 0]


def test_open_ends() -> None:
    """A band that reaches the last cued score goes on beyond it."""
    scores, codes = np.array([0.1, 0.3, 0.7, 0.9]), np.array([1, 1, 2, 2], dtype=np.int8)
    cue = np.array([True, True, True, True])
    model = learn_band(scores, codes, cue)
    assert (model.low, model.high) == (pytest.approx(0.5), None)
    assert model.decide(np.array([0.0, 7.0]), np.array([True, True])).tolist() == [1, 2]


def test_no_longer_than_it_need_be() -> None:
    """A stretch that gains nothing is not joined to a band."""
    scores = np.array([0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
    codes = np.array([1, 1, 1, 0, 2, 0, 2, 2, 0], dtype=np.int8)
    cue = (scores >= 0.6) & (scores <= 0.9)
    model = learn_band(scores, codes, cue)
    assert (model.low, model.high) == (pytest.approx(0.75), None)
    assert model.value == 8 / 9
