"""Edit distances against a recursion from the other end, and against what a distance is."""

from __future__ import annotations

from functools import cache
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.engines.kernels.token_distances import edit_distances, totals
from tests.engines.kernels.batches import Costed, blocks, costed, edit_distance, prices, tokens

pytestmark = pytest.mark.usefixtures("loaded")
shares = st.sampled_from([0.0, 0.5, 1.0])


def naive(pair: Costed, costs: tuple[float, float, float], share: float) -> float:
    """The cheapest way from any two places to both ends."""
    delete = [costs[0] * cost for cost in pair.delete]
    insert = [costs[1] * cost for cost in pair.insert]

    @cache
    def rest(t: int, h: int) -> float:
        ways = []
        if t < len(delete):
            ways.append(delete[t] + rest(t + 1, h))
        if h < len(insert):
            ways.append(insert[h] + rest(t, h + 1))
        if t < len(delete) and h < len(insert):
            ways.append(pair.match[t][h] * (costs[2] + share * (delete[t] + insert[h])) + rest(t + 1, h + 1))
        return min(ways, default=0.0)

    return rest(0, 0)


def unit(one: list[int], other: list[int]) -> float:
    """The distance of two texts where every change costs 1."""
    match = [[float(a != b) for b in other] for a in one]
    return edit_distance(blocks([Costed(match, [1.0] * len(one), [1.0] * len(other))]))[0]


@given(st.lists(costed(), min_size=1, max_size=4), st.lists(prices, min_size=1, max_size=3), shares)
def test_naive(pairs: list[Costed], costs: list[tuple[float, float, float]], share: float) -> None:
    """Every pair under every scheme of costs is what the recursion says."""
    made = edit_distances(*blocks(pairs), np.array(costs), share)
    assert made.tolist() == [[naive(pair, scheme, share) for pair in pairs] for scheme in costs]


@given(st.lists(costed(), min_size=1, max_size=4), prices, shares)
def test_one_scheme(pairs: list[Costed], costs: tuple[float, float, float], share: float) -> None:
    """Costs in the weights of tokens are costs in the scheme."""
    batch = blocks(pairs)
    weighed = batch._replace(delete=batch.delete * costs[0], insert=batch.insert * costs[1])
    assert edit_distance(weighed, costs[2], share) == edit_distances(*batch, np.array([costs]), share)[0].tolist()


@given(tokens, tokens, tokens)
def test_metric(one: list[int], other: list[int], third: list[int]) -> None:
    """0 for the same text alone, the same both ways, and never longer than by way of a third."""
    assert (unit(one, other) == 0) == (one == other)
    assert unit(one, other) == unit(other, one)
    assert unit(one, third) <= unit(one, other) + unit(other, third)


def test_empty_sides() -> None:
    """Nothing is made by deleting all, everything of nothing by inserting all; no pair has no distance."""
    pairs = [Costed([], [], [2.0, 0.5]), Costed([[], []], [3.0, 1.0], []), Costed([], [], [])]
    assert edit_distance(blocks(pairs)) == [2.5, 4.0, 0.0]
    assert edit_distances(*blocks(pairs), np.array([[0.0, 1.0, 1.0]])).tolist() == [[2.5, 0.0, 0.0]]
    assert edit_distance(blocks([])) == []


@given(st.lists(costed(), min_size=2, max_size=5), st.data())
def test_parts(pairs: list[Costed], data: st.DataObject) -> None:
    """A slice of the starts is a batch of its own."""
    batch = blocks(pairs)
    first = data.draw(st.integers(0, len(pairs) - 1))
    part = batch._replace(**{name: getattr(batch, name)[first:] for name in ("t_starts", "h_starts", "m_starts")})
    assert edit_distance(part) == edit_distance(batch)[first:]


@given(st.lists(st.lists(st.integers(0, 9)), max_size=5))
def test_totals(parts: list[list[int]]) -> None:
    """Sums of segments, 0 where there is nothing."""
    starts = np.cumsum([0, *map(len, parts)])
    assert totals(starts, np.array([*chain(*parts)], dtype=float)).tolist() == [sum(part) for part in parts]
