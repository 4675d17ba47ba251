"""Edit distance of ordered trees and forests, for many pairs at once (Zhang and Shasha 1989).

Trees are given by heads, tokens in the order of the sentence; a node's children are in that order too. Several
roots make a forest: it is treated as though they hung from a root that costs nothing, so a text of many sentences is
one tree. Costs, `match` and its starts are those of `edit_distance`, in the order of the tokens; on trees that are
chains the two distances are equal.

To delete a node hands its children to its parent; to insert one is the reverse. A mapping keeps the order of nodes
and which stands above which.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from karat.arrays import Floats, Ints
from karat.engines.kernels.edit_distance import DELETE, INSERT, KEEP, NONE, SUBSTITUTE, Matches, real, whole
from karat.kernels.compiled import compiled


class Trees(NamedTuple):
    """Trees, their nodes numbered within each tree so that children come before their parent.

    Tree i has nodes `starts[i]:starts[i + 1]` and key roots `key_starts[i]:key_starts[i + 1]`.
    """

    starts: Ints
    order: Ints
    """The token of each node, counted from the first of its tree."""
    leftmost: Ints
    """The first node below each node, itself where there is none."""
    keys: Ints
    """Nodes that are no first child; the last is the root above all roots, whose number is that of the nodes."""
    key_starts: Ints

    def part(self, first: int, last: int) -> Trees:
        """Trees `first` up to but not including `last`, with nothing copied."""
        return self._replace(starts=self.starts[first : last + 1], key_starts=self.key_starts[first : last + 1])


def postorder(heads: ArrayLike, starts: ArrayLike) -> Trees:
    """Trees from the heads of their tokens, counted from the first of each tree; a root's is negative, or itself."""
    governors, begins = whole(heads), whole(starts)
    nodes, trees, most = len(governors), len(begins) - 1, int(np.diff(begins).max(initial=0))
    made = Trees(begins, *(np.empty(size, dtype=np.int64) for size in (nodes, nodes, nodes + trees, trees + 1)))
    wrong = _postorder(governors, *made, np.empty((5, most + 1), dtype=np.int64))
    if wrong >= 0:
        raise ValueError(f"tree {wrong}: its heads are no tree; expected places in it, without a cycle")
    return made


def tree_distance(
    t_trees: Trees,
    h_trees: Trees,
    m_starts: Ints,
    match: Matches,
    delete: Floats,
    insert: Floats,
    substitute: float = 1.0,
    share: float = 0.0,
) -> Floats:
    """The distance of each pair (pairs,)."""
    costs = np.array([[1.0, 1.0, substitute]])
    return tree_distances(t_trees, h_trees, m_starts, match, delete, insert, costs, share)[0]


def tree_distances(
    t_trees: Trees,
    h_trees: Trees,
    m_starts: Ints,
    match: Matches,
    delete: Floats,
    insert: Floats,
    costs: ArrayLike,
    share: float = 0.0,
) -> Floats:
    """The distance of each pair under each row of costs (schemes, 3), which are those of `edit_distances`."""
    schemes, blocks = real(costs).reshape(-1, 3), np.ascontiguousarray(match, dtype=np.float32)
    made = np.empty((len(schemes), len(t_trees.starts) - 1))
    scratch = _scratch(*(int(np.diff(trees.starts).max(initial=0)) for trees in (t_trees, h_trees)))
    weights = real(delete), real(insert)
    _distances(*t_trees, *h_trees, whole(m_starts), blocks, *weights, schemes, float(share), *scratch, made)
    return made


def tree_mapping(
    t_heads: ArrayLike,
    h_heads: ArrayLike,
    match: NDArray[np.floating],
    delete: Floats,
    insert: Floats,
    substitute: float = 1.0,
    share: float = 0.0,
) -> Ints:
    """The cheapest steps of one pair: rows (step, token of T, token of H); deletions and insertions come last.

    Of equally cheap ways one that pairs nodes late in the order.
    """
    block = np.ascontiguousarray(match, dtype=np.float32)
    rows, columns = block.shape
    t_trees, h_trees = (postorder(heads, [0, size]) for heads, size in ((t_heads, rows), (h_heads, columns)))
    costs, none = np.array([[1.0, 1.0, substitute]]), np.zeros(1, dtype=np.int64)
    scratch = gone, come, change, trees, forest = _scratch(rows, columns)
    weights, made = (real(delete), real(insert)), np.empty((1, 1))
    _distances(*t_trees, *h_trees, none, block.ravel(), *weights, costs, float(share), *scratch, made)
    t_left, h_left = t_trees.leftmost, h_trees.leftmost
    pairs = []
    # Forests still to be read, from the first node to the one after the last.
    left = [(0, rows, 0, columns)]
    while left:
        t_low, t, h_low, h = left.pop()
        _forest(t_low, t, h_low, h, t_left, h_left, gone, come, change, trees, forest)
        while t > t_low and h > h_low:
            row, column = t - t_low, h - h_low
            t_first, h_first = t_left[t - 1], h_left[h - 1]
            whole_trees = t_first == t_low and h_first == h_low
            if whole_trees:
                paired = forest[row - 1, column - 1] + change[t - 1, h - 1]
            else:
                paired = forest[t_first - t_low, h_first - h_low] + trees[t - 1, h - 1]
            deleted, inserted = forest[row - 1, column] + gone[t - 1], forest[row, column - 1] + come[h - 1]
            if paired > min(deleted, inserted):
                t, h = (t - 1, h) if deleted <= inserted else (t, h - 1)
            elif whole_trees:
                t, h = t - 1, h - 1
                pairs.append((int(t_trees.order[t]), int(h_trees.order[h])))
            else:
                left.append((int(t_first), t, int(h_first), h))
                t, h = int(t_first), int(h_first)
    steps = [(SUBSTITUTE if block[t, h] else KEEP, t, h) for t, h in sorted(pairs)]
    steps += [(DELETE, t, NONE) for t in sorted(set(range(rows)) - {t for t, _ in pairs})]
    steps += [(INSERT, NONE, h) for h in sorted(set(range(columns)) - {h for _, h in pairs})]
    return np.array(steps, dtype=np.int64).reshape(-1, 3)


def _scratch(rows: int, columns: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Room for the largest pair: costs of nodes, costs of pairs, distances of trees, distances of forests."""
    pairs = rows, columns
    return np.empty(rows), np.empty(columns), np.empty(pairs), np.empty(pairs), np.empty((rows + 1, columns + 1))


@compiled
def _postorder(
    heads: Ints, starts: Ints, order: Ints, leftmost: Ints, keys: Ints, key_starts: Ints, scratch: Ints
) -> int:
    """Fill the arrays of `Trees`; the number of the first that is no tree, or -1."""
    child, sibling, path, lowest, last = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    key = 0
    for tree in range(len(starts) - 1):
        start = starts[tree]
        size = starts[tree + 1] - start
        key_starts[tree] = key
        # `child[size]` is the first of the roots.
        child[: size + 1] = -1
        for token in range(size - 1, -1, -1):
            head = heads[start + token]
            if head >= size:
                return tree
            if head < 0 or head == token:
                head = size
            sibling[token] = child[head]
            child[head] = token
        node, depth = 0, 0
        token = child[size]
        while token >= 0:
            path[depth] = token
            depth += 1
            token = child[token]
            while token < 0 and depth > 0:
                depth -= 1
                done = path[depth]
                order[start + node] = done
                lowest[done] = node if child[done] < 0 else lowest[child[done]]
                leftmost[start + node] = lowest[done]
                node += 1
                token = sibling[done]
        if node < size:
            return tree
        for node in range(size):
            last[leftmost[start + node]] = node
        for node in range(size):
            first = leftmost[start + node]
            # Of the nodes with one leftmost the last is no first child; with the very first it is the root above all.
            if first > 0 and last[first] == node:
                keys[key] = node
                key += 1
        keys[key] = size
        key += 1
    key_starts[len(starts) - 1] = key
    return -1


@compiled
def _distances(
    t_starts: Ints,
    t_order: Ints,
    t_leftmost: Ints,
    t_keys: Ints,
    t_key_starts: Ints,
    h_starts: Ints,
    h_order: Ints,
    h_leftmost: Ints,
    h_keys: Ints,
    h_key_starts: Ints,
    m_starts: Ints,
    match: Matches,
    delete: Floats,
    insert: Floats,
    costs: Floats,
    share: float,
    gone: Floats,
    come: Floats,
    change: Floats,
    trees: Floats,
    forest: Floats,
    made: Floats,
) -> None:
    """Pairs of key roots from the bottom up; the last pair is the roots above all."""
    for scheme in range(len(costs)):
        for pair in range(len(t_starts) - 1):
            t_start, h_start = t_starts[pair], h_starts[pair]
            rows, columns = t_starts[pair + 1] - t_start, h_starts[pair + 1] - h_start
            t_left, h_left = t_leftmost[t_start : t_start + rows], h_leftmost[h_start : h_start + columns]
            for t in range(rows):
                gone[t] = costs[scheme, 0] * delete[t_start + t_order[t_start + t]]
            for h in range(columns):
                come[h] = costs[scheme, 1] * insert[h_start + h_order[h_start + h]]
            for t in range(rows):
                row = m_starts[pair] + t_order[t_start + t] * columns
                for h in range(columns):
                    apart = match[row + h_order[h_start + h]]
                    change[t, h] = apart * (costs[scheme, 2] + share * (gone[t] + come[h]))
            for t_place in range(t_key_starts[pair], t_key_starts[pair + 1]):
                t_key = t_keys[t_place]
                t_low, t_end = (t_left[t_key], t_key + 1) if t_key < rows else (0, rows)
                for h_place in range(h_key_starts[pair], h_key_starts[pair + 1]):
                    h_key = h_keys[h_place]
                    h_low, h_end = (h_left[h_key], h_key + 1) if h_key < columns else (0, columns)
                    _forest(t_low, t_end, h_low, h_end, t_left, h_left, gone, come, change, trees, forest)
            made[scheme, pair] = forest[rows, columns]


@compiled
def _forest(
    t_low: int,
    t_end: int,
    h_low: int,
    h_end: int,
    t_left: Ints,
    h_left: Ints,
    gone: Floats,
    come: Floats,
    change: Floats,
    trees: Floats,
    forest: Floats,
) -> None:
    """Distances of the forests that begin at two nodes, and of the trees that do."""
    forest[0, 0] = 0.0
    for h in range(h_low, h_end):
        forest[0, h - h_low + 1] = forest[0, h - h_low] + come[h]
    for t in range(t_low, t_end):
        above, here = forest[t - t_low], forest[t - t_low + 1]
        before = forest[t_left[t] - t_low]
        begins = t_left[t] == t_low
        away = gone[t]
        best = above[0] + away
        here[0] = best
        for h in range(h_low, h_end):
            column = h - h_low
            first = h_left[h] - h_low
            if begins and first == 0:
                best = min(min(above[column + 1] + away, above[column] + change[t, h]), best + come[h])
                trees[t, h] = best
            else:
                best = min(min(above[column + 1] + away, before[first] + trees[t, h]), best + come[h])
            here[column + 1] = best
