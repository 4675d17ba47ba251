"""Rankings as groups of ties.

A ranking with ties is a sequence of groups, and the order within a group is random. An expectation over that
randomness depends only on the size of each group and on how much relevant material it contains.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats, Integers, Ints


def tie_groups(scores: Floats, tie_break: Integers | None = None) -> tuple[Ints, Ints]:
    """The units of each row by decreasing score, and for each place the number of its tie group.

    `tie_break` (smaller first) resolves all ties, so that every group has one unit.
    """
    if tie_break is None:
        order, ranked = decreasing(scores)
        if (ranked[..., 1:] != ranked[..., :-1]).all():
            return order, np.broadcast_to(np.arange(scores.shape[-1]), scores.shape)
        group = np.zeros(scores.shape, dtype=np.int64)
        np.cumsum(ranked[..., 1:] != ranked[..., :-1], axis=-1, out=group[..., 1:])
        return order, group
    order = np.lexsort((np.broadcast_to(tie_break, scores.shape), -scores), axis=-1)
    return order, np.broadcast_to(np.arange(scores.shape[-1]), scores.shape)


def near_groups(scores: Floats, tolerance: Floats) -> tuple[Ints, Ints]:
    """The units of each row by increasing score, and groups of units that hardly differ from the one before.

    `tolerance` (…, units) is the rounding error of each score.
    """
    order, ranked = decreasing(-scores)
    near = np.take_along_axis(tolerance, order, axis=-1)
    group = np.zeros(scores.shape, dtype=np.int64)
    apart = ranked[..., :-1] - ranked[..., 1:] > np.maximum(near[..., 1:], near[..., :-1])
    np.cumsum(apart, axis=-1, out=group[..., 1:])
    return order, group


def decreasing(scores: Floats) -> tuple[Ints, Floats]:
    """The units of each row by decreasing score, ties in their original order, and the sorted scores."""
    order = np.empty(scores.shape, dtype=np.int64)
    ranked = np.empty(scores.shape)
    units = scores.shape[-1]
    if not scores.size:
        return order, ranked
    rows = scores.reshape(-1, units)
    for row, places, values in zip(rows, order.reshape(-1, units), ranked.reshape(-1, units), strict=True):
        places[:], values[:] = _decreasing(row)
    return order, ranked


def _decreasing(row: Floats) -> tuple[Ints, Floats]:
    """The same as np.argsort(-row, kind="stable"), several times as fast, and the sorted row.

    If the other bits are flipped where the sign bit is set, the bits of floats sort like integers. numpy sorts 16-bit
    integers by radix, so two passes sort by the first 32 bits. The few units whose scores differ only in later bits are
    then close to their places, and numpy's merge sort is fast on nearly sorted data.
    """
    bits = (0.0 - row).view(np.int64)
    bits ^= (bits >> 63) & np.int64(0x7FFF_FFFF_FFFF_FFFF)
    lower = (bits >> 32).astype(np.uint16)
    order = np.argsort(lower, kind="stable")
    order = order[np.argsort((bits >> 48).astype(np.int16)[order], kind="stable")]
    ranked = row[order]
    if not (ranked[1:] <= ranked[:-1]).all():
        order = order[np.argsort(-ranked, kind="stable")]
        ranked = row[order]
    return order, ranked


def group_sums(values: Floats, order: Ints, group: Ints) -> Floats:
    """Sums (…, groups) of `values` (…, units) over the tie groups of a ranking; unused groups are 0."""
    leading = np.broadcast_shapes(values.shape[:-1], order.shape[:-1])
    if not group.size:
        return np.zeros((*leading, 0))
    groups = int(group[..., -1].max()) + 1
    order = np.broadcast_to(order, (*leading, order.shape[-1]))
    ranked = np.take_along_axis(np.broadcast_to(values, order.shape), order, axis=-1)
    if groups == order.shape[-1] and bool((group[..., -1] == groups - 1).all()):
        return np.ascontiguousarray(ranked, dtype=np.float64)
    rows = int(np.prod(leading, dtype=np.int64))
    cell = np.arange(rows).reshape(*leading, 1) * groups + group
    sums: Floats = np.bincount(cell.ravel(), ranked.ravel(), minlength=rows * groups).astype(np.float64)
    return sums.reshape(*leading, groups)


def mean_rank_weights(weights_by_rank: Floats, order: Ints, group: Ints) -> Floats:
    """The weight of each unit (…, units) by its place in the ranking; tied units share the mean of their weights."""
    here = np.broadcast_to(np.arange(order.shape[-1]), order.shape)
    sums = group_sums(np.broadcast_to(weights_by_rank, order.shape), here, group)
    sizes = group_sums(np.ones(order.shape), here, group)
    shared = np.take_along_axis(sums / np.maximum(sizes, 1), group, axis=-1)
    weights = np.empty(order.shape)
    np.put_along_axis(weights, order, shared, axis=-1)
    return weights


def harmonic_differences(sizes: Floats) -> Floats:
    """Σ 1/(n+k) for k = 1 … size, with n units in earlier groups: the part of the harmonic series a group covers."""
    counts = np.rint(sizes).astype(np.int64)
    last = np.cumsum(counts, axis=-1)
    series = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, last.max(initial=0) + 1))])
    return series[last] - series[last - counts]
