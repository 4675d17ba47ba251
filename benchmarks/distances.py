"""Distances of trees against zss and apted, and of tokens under many schemes of costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.synthetic import SEED
from benchmarks.timing import Row, best, faster, same
from karat.arrays import Int32s
from karat.engines.kernels.token_distances import edit_distances
from karat.engines.kernels.tree_distance import postorder, tree_distances

NODES, LABELS, PAIRS, TIMED = 25, 8, 2000, 20
"""The peers are timed on `TIMED` pairs; their time for all of them is in proportion."""
TEXT, HYPOTHESIS, WANTED = 30, 8, 25_000
SCHEMES, ITERATIONS, SET, SECONDS = 20, 20, 800, 1.0
"""A swarm that looks for costs: so many of them, so often, over so many pairs."""


def heads(random: np.random.Generator, trees: int, nodes: int) -> Int32s:
    """Random trees (trees, nodes), about as deep as a parser's: a token hangs from one of the last four before it."""
    made = np.empty((trees, nodes), dtype=np.int32)
    for row in made:
        order = random.permutation(nodes)
        row[order[0]] = -1
        for place in range(1, nodes):
            row[order[place]] = order[random.integers(max(place - 4, 0), place)]
    return made


class Trees:
    """Labelled trees, as karat and as its peers take them."""

    def __init__(self, random: np.random.Generator, trees: int, nodes: int) -> None:
        self.heads = heads(random, trees, nodes)
        self.labels = random.integers(0, LABELS, (trees, nodes))
        self.starts = np.arange(trees + 1) * nodes

    def node(self, tree: int) -> object:
        """One tree as zss has it; apted reads the same."""
        import zss

        above, labels = self.heads[tree].tolist(), self.labels[tree].tolist()
        nodes = [zss.Node(label) for label in labels]
        for token, head in enumerate(above):
            if head >= 0:
                nodes[head].addkid(nodes[token])
        return nodes[above.index(-1)]


def ours(one: Trees, other: Trees) -> NDArray[np.float64]:
    """All of it, from heads and labels."""
    match = (one.labels[:, :, None] != other.labels[:, None, :]).astype(np.float32)
    starts = np.arange(len(match) + 1) * match[0].size
    t_trees, h_trees = (postorder(side.heads.ravel(), side.starts) for side in (one, other))
    weights, costs = (np.ones(one.heads.size), np.ones(other.heads.size)), np.ones((1, 3))
    return tree_distances(t_trees, h_trees, starts, match.ravel(), *weights, costs)[0]


def run(folder: Path) -> list[Row]:
    del folder
    import zss
    from apted import APTED, Config

    class Labels(Config):  # type: ignore[misc]
        def rename(self, node1: zss.Node, node2: zss.Node) -> int:
            return int(node1.label != node2.label)

    random = np.random.default_rng(SEED)
    one, other = Trees(random, PAIRS, NODES), Trees(random, PAIRS, NODES)
    pairs = [(one.node(tree), other.node(tree)) for tree in range(TIMED)]
    labels = Labels()

    def by_zss() -> list[float]:
        return [zss.simple_distance(a, b, label_dist=lambda x, y: int(x != y)) for a, b in pairs]

    def by_apted() -> list[float]:
        return [APTED(a, b, labels).compute_edit_distance() for a, b in pairs]

    made = ours(one, other)
    taken = best(lambda: ours(one, other))
    rows = []
    for name, peer in (("zss", by_zss), ("apted", by_apted)):
        same(f"distances of trees by {name}", made[:TIMED], peer())
        theirs = best(peer, 1, warm=False) * PAIRS / TIMED
        what = f"distances: {PAIRS:,} pairs of {NODES}-node trees ({name}: {TIMED}, in proportion)"
        rows.append(faster(what, taken, theirs, 100))
    return [*rows, _small_hypotheses(random), _swarm(random)]


def _small_hypotheses(random: np.random.Generator) -> Row:
    one, other = Trees(random, PAIRS, TEXT), Trees(random, PAIRS, HYPOTHESIS)
    rate = PAIRS / best(lambda: ours(one, other))
    what = f"distances: trees of {TEXT} × {HYPOTHESIS} nodes, a second, one core"
    return Row(what, f"{float(f'{rate:.3g}'):,.0f}", "", "", f"≥ {WANTED:,}", rate >= WANTED)


def _swarm(random: np.random.Generator) -> Row:
    t_sizes, h_sizes = random.integers(20, 61, SET), random.integers(5, 12, SET)
    t_starts, h_starts, m_starts = (np.cumsum([0, *sizes]) for sizes in (t_sizes, h_sizes, t_sizes * h_sizes))
    match = (random.random(m_starts[-1]) < 0.9).astype(np.float32)
    weights = np.ones(t_starts[-1]), np.ones(h_starts[-1])
    costs = random.random((ITERATIONS, SCHEMES, 3)) * 5

    def search() -> None:
        for schemes in costs:
            edit_distances(t_starts, h_starts, m_starts, match, *weights, schemes)

    taken = best(search, 3)
    what = f"distances: tokens of {SET} pairs (40 × 8) under {SCHEMES} costs, {ITERATIONS} times"
    return Row(what, f"{taken:.3g} s", "", "", f"< {SECONDS:g} s", taken < SECONDS)
