"""Rankings as groups of ties.

A ranking with ties is a sequence of groups; within a group the order is random. All that an expectation
over that randomness needs is each group's size and how much of what is sought it holds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def tie_groups(scores: Floats, tie_break: NDArray[np.integer] | None = None) -> tuple[Ints, Ints]:
    """The units of each row by decreasing score, and the number of the tie group each place belongs to.

    With `tie_break` (smaller first) there are no ties left: every group has one unit.
    """
    if tie_break is None:
        order = np.argsort(-scores, axis=-1, kind="stable")
        ranked = np.take_along_axis(scores, order, axis=-1)
        group = np.zeros(scores.shape, dtype=np.int64)
        np.cumsum(ranked[..., 1:] != ranked[..., :-1], axis=-1, out=group[..., 1:])
        return order, group
    order = np.lexsort((np.broadcast_to(tie_break, scores.shape), -scores), axis=-1)
    return order, np.broadcast_to(np.arange(scores.shape[-1]), scores.shape)


def group_sums(values: Floats, order: Ints, group: Ints) -> Floats:
    """Sums (…, groups) of `values` (…, units) over the tie groups of a ranking; unused groups are 0."""
    groups = int(group[..., -1].max()) + 1 if group.size else 0
    leading = np.broadcast_shapes(values.shape[:-1], order.shape[:-1])
    order = np.broadcast_to(order, (*leading, order.shape[-1]))
    ranked = np.take_along_axis(np.broadcast_to(values, order.shape), order, axis=-1)
    if groups == order.shape[-1] and bool((group[..., -1] == groups - 1).all()):
        return np.ascontiguousarray(ranked, dtype=np.float64)
    rows = int(np.prod(leading, dtype=np.int64))
    cell = np.arange(rows).reshape(*leading, 1) * groups + group
    sums: Floats = np.bincount(cell.ravel(), ranked.ravel(), minlength=rows * groups).astype(np.float64)
    return sums.reshape(*leading, groups)


def mean_rank_weights(weights_by_rank: Floats, order: Ints, group: Ints) -> Floats:
    """Weights (…, units) given by place in the ranking; tied units share the mean of their places."""
    here = np.broadcast_to(np.arange(order.shape[-1]), order.shape)
    sums = group_sums(np.broadcast_to(weights_by_rank, order.shape), here, group)
    sizes = group_sums(np.ones(order.shape), here, group)
    shared = np.take_along_axis(sums / np.maximum(sizes, 1), group, axis=-1)
    weights = np.empty(order.shape)
    np.put_along_axis(weights, order, shared, axis=-1)
    return weights


def harmonic_differences(sizes: Floats) -> Floats:
    """Σ 1/(n+k) for k = 1 … size, n the units in earlier groups: how much of the harmonic series a group has."""
    after = np.cumsum(sizes, axis=-1)
    most = int(after.max()) if after.size else 0
    series = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, most + 1))])
    last = np.rint(after).astype(np.int64)
    return series[last] - series[last - np.rint(sizes).astype(np.int64)]
