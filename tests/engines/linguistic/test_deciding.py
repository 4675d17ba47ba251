"""The two bounds of the linguistic engine, against all that could have been chosen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.engines.learning.threshold import CONTRADICTION_CODE, ENTAILMENT_CODE
from karat.engines.linguistic import CheckedBatch, Decision, balanced_weights, learn

ROWS = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9
)
"""Raw scores and what is taken off in sixteenths, whether a check forbids (1) or contradicts (2), and labels."""
WEIGHTS = (1.0, 2.0, 3.0)


@given(ROWS)
@settings(deadline=None)
def test_no_bounds_do_better(rows: list[tuple[int, int, int, int]]) -> None:
    """No other pair of bounds answers a greater weight of training pairs right."""
    raw, off, cue, codes = (np.array(column) for column in zip(*rows, strict=True))
    checked = CheckedBatch(off / 16, cue > 0, cue == 2)

    def right(decision: Decision) -> float:
        return float(np.array(WEIGHTS)[codes][decision.decide(raw / 16, checked) == codes].sum())

    cuts = np.arange(-4, 11) / 16 - 1 / 32
    best = max(right(Decision(one, other)) for one in cuts for other in [None, *cuts])
    assert right(learn(raw / 16, checked, codes.astype(np.int8), WEIGHTS, True)) == pytest.approx(best)


def test_two_ways_contradict_nothing() -> None:
    """Where contradictions are not asked for, none is answered."""
    checked = CheckedBatch(np.zeros(4), np.array([False, False, True, True]), np.array([False, False, True, True]))
    decision = learn(np.array([0.9, 0.1, 0.9, 0.8]), checked, np.array([0, 1, 1, 1], dtype=np.int8), WEIGHTS, False)
    assert decision.contradiction is None
    assert decision.decide(np.array([0.9, 0.1, 0.9, 0.8]), checked).tolist() == [ENTAILMENT_CODE, 1, 1, 1]


def test_a_high_score_contradicts_too() -> None:
    """The more of H the text has, the surer a check's contradiction: there is no upper end."""
    checked = CheckedBatch(np.zeros(3), np.array([True] * 3), np.array([True] * 3))
    decision = learn(np.array([0.2, 0.6, 0.7]), checked, np.array([1, 2, 2], dtype=np.int8), WEIGHTS, True)
    assert decision.decide(np.array([0.1, 0.65, 1.0]), checked).tolist() == [1, CONTRADICTION_CODE, CONTRADICTION_CODE]


def test_balanced_weights() -> None:
    """Every class present has a third of the weight; one that is absent has none."""
    codes = np.array([0, 0, 0, 1, 1, 2], dtype=np.int8)
    weights = balanced_weights(codes)
    assert [weights[code] * (codes == code).sum() for code in range(3)] == pytest.approx([2, 2, 2])
    assert balanced_weights(np.array([0, 1], dtype=np.int8))[2] == 0
