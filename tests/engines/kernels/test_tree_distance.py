"""Tree distances against zss, apted and a recursion over forests; what a distance is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from karat.engines.kernels.tree_distance import NumberedTrees, tree_distances
from karat.engines.kernels.tree_distance import postorder as numbered
from tests.engines.kernels.batches import Costed, blocks, costed, edit_distance, flat, forests, prices

Forest = tuple["Forested", ...]
Forested = tuple[int, Forest]
Pair = tuple[list[int], list[int], Costed]
Labelled = tuple[list[int], list[int]]
Prices = tuple[float, float, float]
pytestmark = pytest.mark.usefixtures("loaded")


@st.composite
def tree_pairs(draw: st.DrawFn, roots: bool = True) -> Pair:
    """Two forests, or trees of at least one node, and their costs."""
    least = 0 if roots else 1
    t, h = draw(st.integers(least, 7)), draw(st.integers(least, 6))
    return draw(forests(t, roots)), draw(forests(h, roots)), draw(costed(t, h))


shares = st.sampled_from([0.0, 0.5, 1.0])


def postorder(heads: list[int], starts: list[int]) -> NumberedTrees:
    """Trees from lists."""
    return numbered(np.array(heads, dtype=np.int32), np.array(starts, dtype=np.int64))


def nested(heads: list[int]) -> Forest:
    """The forest as tuples of a token and what hangs from it."""

    def below(head: int) -> Forest:
        return tuple((token, below(token)) for token, above in enumerate(heads) if above == head)

    return below(-1)


def distances(pairs: Sequence[Pair], costs: Sequence[Prices], share: float) -> NDArray[np.float64]:
    """Every pair under every scheme of costs."""
    t_trees, h_trees = (numbered(*flat([pair[side] for pair in pairs], np.int32)) for side in (0, 1))
    return tree_distances(
        t_trees, h_trees, *blocks([pair[2] for pair in pairs])[2:], np.array(costs, dtype=np.float64), share
    )


def naive(t_heads: list[int], h_heads: list[int], pair: Costed, costs: Prices, share: float) -> float:
    """The recursion over forests by their first tree."""

    @cache
    def apart(one: Forest, other: Forest) -> float:
        ways = []
        if one:
            (t, below), *rest = one
            ways.append(costs[0] * pair.delete[t] + apart((*below, *rest), other))
        if other:
            (h, under), *others = other
            ways.append(costs[1] * pair.insert[h] + apart(one, (*under, *others)))
        if one and other:
            both = costs[0] * pair.delete[t] + costs[1] * pair.insert[h]
            change = pair.match[t][h] * (costs[2] + share * both)
            ways.append(change + apart(below, under) + apart(tuple(rest), tuple(others)))
        return min(ways, default=0.0)

    return apart(nested(t_heads), nested(h_heads))


@given(st.lists(tree_pairs(), min_size=1, max_size=3), st.lists(prices, min_size=1, max_size=2), shares)
def test_naive(pairs: list[Pair], costs: list[Prices], share: float) -> None:
    """Every pair of forests under every scheme of costs is what the recursion says."""
    expected = [[naive(*pair, scheme, share) for pair in pairs] for scheme in costs]
    assert distances(pairs, costs, share).tolist() == expected


@given(tree_pairs(roots=False), st.booleans())
def test_peers(pair: Pair, weighed: bool) -> None:
    """zss agrees with unit costs and with weights, apted with unit costs.

    Where to insert costs other than to delete, apted may take one for the other: it turns the trees round.
    """
    import zss
    from apted import APTED, Config

    t_heads, h_heads, costs = pair
    if not weighed:
        equal = [[float(cell > 0.5) for cell in row] for row in costs.match]
        costs = Costed(equal, [1.0] * len(t_heads), [1.0] * len(h_heads))

    def node(tree: Forested, side: str) -> zss.Node:
        return zss.Node((side, tree[0]), [node(child, side) for child in tree[1]])

    class Weights(Config):  # type: ignore[misc]
        valuecls = float

        def delete(self, node: zss.Node) -> float:
            return costs.delete[node.label[1]]

        def insert(self, node: zss.Node) -> float:
            return costs.insert[node.label[1]]

        def rename(self, node1: zss.Node, node2: zss.Node) -> float:
            # apted may take the trees the other way round.
            (t,) = [node.label[1] for node in (node1, node2) if node.label[0] == "t"]
            (h,) = [node.label[1] for node in (node1, node2) if node.label[0] == "h"]
            return costs.match[t][h]

    weights = Weights()
    one, other = node(nested(t_heads)[0], "t"), node(nested(h_heads)[0], "h")
    ours = distances([(t_heads, h_heads, costs)], [(1, 1, 1)], 0.0)[0, 0]
    by_zss = zss.distance(one, other, zss.Node.get_children, weights.insert, weights.delete, weights.rename)
    assert ours == pytest.approx(by_zss)
    if not weighed:
        assert ours == pytest.approx(APTED(one, other, weights).compute_edit_distance())


def walk(heads: list[int]) -> list[int]:
    """Tokens with children before their parents."""

    def below(forest: Forest) -> list[int]:
        return [token for root, children in forest for token in [*below(children), root]]

    return below(nested(heads))


def above(heads: list[int], one: int, other: int) -> bool:
    """Whether one token stands above the other."""
    while other >= 0 and other != one:
        other = heads[other]
    return other == one


@given(st.integers(0, 8).flatmap(forests))
def test_postorder(heads: list[int]) -> None:
    """Nodes are numbered children first; leftmost nodes and key roots are those of the definition."""
    trees = postorder(heads, [0, len(heads)])
    order = walk(heads)
    assert trees.order.tolist() == order
    first = [min(place for place, token in enumerate(order) if above(heads, node, token)) for node in order]
    assert trees.leftmost.tolist() == first
    keys = [node for node in range(len(order)) if first[node] and first[node] not in first[node + 1 :]]
    assert trees.keys[: trees.key_starts[1]].tolist() == [*keys, len(order)]


@given(st.lists(costed(), min_size=1, max_size=4))
def test_chains(pairs: list[Costed]) -> None:
    """On trees without branches it is the edit distance of the sequences."""
    chains = [
        ([*range(1, len(pair.delete)), -1][: len(pair.delete)], [*range(1, len(pair.insert)), -1][: len(pair.insert)])
        for pair in pairs
    ]
    made = distances([(*chain, pair) for chain, pair in zip(chains, pairs, strict=True)], [(1, 1, 1)], 0.5)
    assert made[0].tolist() == edit_distance(blocks(pairs), 1.0, 0.5)


@given(st.lists(costed(), min_size=1, max_size=4))
def test_leaves(pairs: list[Costed]) -> None:
    """So it is on forests of single nodes."""
    flat_forests = [([-1] * len(pair.delete), [-1] * len(pair.insert), pair) for pair in pairs]
    assert distances(flat_forests, [(1, 1, 1)], 0.0)[0].tolist() == edit_distance(blocks(pairs))


labelled = st.integers(0, 6).flatmap(
    lambda size: st.tuples(forests(size), st.lists(st.integers(0, 2), min_size=size, max_size=size))
)


def unit(one: Labelled, other: Labelled) -> float:
    """The distance of two labelled forests where every change costs 1."""
    match = [[float(a != b) for b in other[1]] for a in one[1]]
    costs = Costed(match, [1.0] * len(one[0]), [1.0] * len(other[0]))
    return float(distances([(one[0], other[0], costs)], [(1, 1, 1)], 0.0)[0, 0])


@given(labelled, labelled, labelled)
def test_metric(one: Labelled, other: Labelled, third: Labelled) -> None:
    """0 for the same forest alone, the same both ways, and never longer than by way of a third."""

    def shape(forest: Forest, labels: list[int]) -> list[object]:
        return [(labels[token], shape(children, labels)) for token, children in forest]

    alike = shape(nested(one[0]), one[1]) == shape(nested(other[0]), other[1])
    assert (unit(one, other) == 0) == alike
    assert unit(one, other) == unit(other, one)
    assert unit(one, third) <= unit(one, other) + unit(other, third)


def test_empty_sides() -> None:
    """Nothing is made by deleting all, everything of nothing by inserting all; no pair has no distance."""
    pairs = [([], [-1, 0], Costed([], [], [2.0, 0.5])), ([1, -1], [], Costed([[], []], [3.0, 1.0], []))]
    assert distances(pairs, [(1, 1, 1)], 0.0).tolist() == [[2.5, 4.0]]
    assert distances([], [(1, 1, 1)], 0.0).shape == (1, 0)


@pytest.mark.parametrize("heads", [[-1, 2, 1], [1, 0], [3, -1, 1]])
def test_no_tree(heads: list[int]) -> None:
    """A cycle, or a head outside the tree, is refused with the tree's number."""
    with pytest.raises(ValueError, match="tree 1:"):
        postorder([-1, *heads], [0, 1, 1 + len(heads)])


def test_a_root_may_be_its_own_head() -> None:
    """As some parsers have it."""
    assert postorder([1, 1, 1], [0, 3]).order.tolist() == postorder([1, -1, 1], [0, 3]).order.tolist() == [0, 2, 1]
