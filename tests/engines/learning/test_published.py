"""The threshold of a published system against its rule told step by step."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.learning.threshold import fit_first_best
from tests.engines.learning.by_hand import accuracy

PAIRS = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.booleans()), min_size=1, max_size=15)


@given(PAIRS)
def test_first_best(pairs: list[tuple[float, bool]]) -> None:
    """Pairs by distance, one more accepted at a time; the first strictly better one gives its distance."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    truth = [entailed for _, entailed in ordered]
    threshold, best = 0.0, accuracy([False] * len(ordered), truth)
    for accepted in range(1, len(ordered) + 1):
        value = accuracy([place < accepted for place in range(len(ordered))], truth)
        if value > best + 1e-12:
            threshold, best = ordered[accepted - 1][0], value
    codes = np.array([0 if entailed else 1 for _, entailed in pairs], dtype=np.int8)
    distances = np.array([distance for distance, _ in pairs])
    decided = fit_first_best(-distances, codes).decide(-distances)
    assert (decided.codes == 0).tolist() == (distances <= threshold).tolist()


def test_ties_are_parted_by_their_order() -> None:
    """Faithful to the sweep: what is best of the first of two equal distances is taken, and accepts the second too."""
    curve = fit_first_best(np.array([-0.5, -0.5]), np.array([0, 1], dtype=np.int8))
    assert curve.decide(np.array([-0.5, -0.5, -0.6])).codes.tolist() == [0, 0, 1]
