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

from karat.arrays import Floats, Int32s, Ints, Singles
from karat.kernels.compiled import compiled


class NumberedTrees(NamedTuple):
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


def postorder(heads: Int32s, starts: Ints) -> NumberedTrees:
    """Trees from the heads of their tokens, counted from the first of each tree; a root's is negative, or itself."""
    wrong, trees = _postorder(heads, starts)
    if wrong >= 0:
        raise ValueError(f"tree {wrong}: its heads are no tree; expected places in it, without a cycle")
    return trees


@compiled
def _postorder(heads: Int32s, starts: Ints) -> tuple[int, NumberedTrees]:
    """The trees, and before them the number of the first that is no tree, or -1."""
    order, leftmost = np.empty(len(heads), dtype=np.int64), np.empty(len(heads), dtype=np.int64)
    keys = np.zeros(len(heads) + len(starts) - 1, dtype=np.int64)
    key_starts = np.empty(len(starts), dtype=np.int64)
    made = NumberedTrees(starts, order, leftmost, keys, key_starts)
    key = 0
    for tree in range(len(starts) - 1):
        start = starts[tree]
        size = starts[tree + 1] - start
        key_starts[tree] = key
        # `child[size]` is the first of the roots.
        child, sibling = np.full(size + 1, -1), np.empty(size, dtype=np.int64)
        scratch = np.empty((3, size), dtype=np.int64)
        path, lowest, last = scratch[0], scratch[1], scratch[2]
        for token in range(size - 1, -1, -1):
            head = heads[start + token]
            if head >= size:
                return tree, made
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
            return tree, made
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
    return -1, made


@compiled
def tree_distances(
    t_trees: NumberedTrees,
    h_trees: NumberedTrees,
    m_starts: Ints,
    match: Singles,
    delete: Floats,
    insert: Floats,
    costs: Floats,
    share: float = 0.0,
) -> Floats:
    """The distance of each pair under each row of costs (schemes, 3), which are those of `edit_distances`."""
    made = np.empty((len(costs), len(t_trees.starts) - 1))
    for pair in range(len(t_trees.starts) - 1):
        t_start, h_start = t_trees.starts[pair], h_trees.starts[pair]
        rows, columns = t_trees.starts[pair + 1] - t_start, h_trees.starts[pair + 1] - h_start
        t_order, h_order = t_trees.order[t_start : t_start + rows], h_trees.order[h_start : h_start + columns]
        t_left, h_left = t_trees.leftmost[t_start : t_start + rows], h_trees.leftmost[h_start : h_start + columns]
        gone, come = np.empty(rows), np.empty(columns)
        change, trees = np.empty((rows, columns)), np.empty((rows, columns))
        forest = np.empty((rows + 1, columns + 1))
        for scheme in range(len(costs)):
            for t in range(rows):
                gone[t] = costs[scheme, 0] * delete[t_start + t_order[t]]
            for h in range(columns):
                come[h] = costs[scheme, 1] * insert[h_start + h_order[h]]
            for t in range(rows):
                row = m_starts[pair] + t_order[t] * columns
                for h in range(columns):
                    change[t, h] = match[row + h_order[h]] * (costs[scheme, 2] + share * (gone[t] + come[h]))
            # Pairs of key roots from the bottom up; the last pair is the roots above all.
            for t_place in range(t_trees.key_starts[pair], t_trees.key_starts[pair + 1]):
                t_key = t_trees.keys[t_place]
                t_low, t_end = (t_left[t_key], t_key + 1) if t_key < rows else (0, rows)
                for h_place in range(h_trees.key_starts[pair], h_trees.key_starts[pair + 1]):
                    h_key = h_trees.keys[h_place]
                    h_low, h_end = (h_left[h_key], h_key + 1) if h_key < columns else (0, columns)
                    _forest(t_low, t_end, h_low, h_end, t_left, h_left, gone, come, change, trees, forest)
            made[scheme, pair] = forest[rows, columns]
    return made


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
