"""Rankings as groups of ties, middle ranks, and pairs that two rankings order alike.

A ranking with ties is a sequence of groups, and the order within a group is random. An expectation over that
randomness depends only on the size of each group and on how much relevant material it contains.
"""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats, Integers, Ints

VALUES_AT_A_TIME = 4_000_000
"""Values held in memory at a time."""


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


def tie_codes(scores: Floats) -> Integers:
    """Integers (…, runs) in the order of the scores, equal if the scores are; small integers, which compare fast."""
    order = np.argsort(scores, axis=-1)
    ranked = np.take_along_axis(scores, order, axis=-1)
    kind = np.int16 if scores.shape[-1] < 2**15 else np.int32
    codes = np.zeros(scores.shape, dtype=kind)
    steps = np.cumsum(np.diff(ranked, axis=-1) > EXACT_TOLERANCE, axis=-1)
    np.put_along_axis(codes, order[..., 1:], steps.astype(kind), axis=-1)
    return codes


def concordance(x: Floats, y: Floats) -> tuple[Ints, Ints]:
    """The numbers of concordant and of discordant pairs of runs under two scores (…, runs); ties are neither."""
    x, y = np.broadcast_arrays(x, y)
    shape, runs = x.shape[:-1], x.shape[-1]
    first, second = (tie_codes(side.reshape(-1, runs)) for side in (x, y))
    net, untied = (np.zeros(len(first), dtype=np.int64) for _ in range(2))
    rows = max(1, VALUES_AT_A_TIME // max(runs, 1))
    for at in range(0, len(first), rows):
        # With rankings along the last axis, each step of the loop is one pass over contiguous memory.
        a, b = (np.ascontiguousarray(side[at : at + rows].T) for side in (first, second))
        for run in range(runs - 1):
            signs = np.sign(a[run] - a[run + 1 :])
            signs *= np.sign(b[run] - b[run + 1 :])
            net[at : at + rows] += signs.sum(axis=0, dtype=a.dtype)
            untied[at : at + rows] += np.abs(signs).sum(axis=0, dtype=a.dtype)
    return ((untied + net) // 2).reshape(shape), ((untied - net) // 2).reshape(shape)


def alike_above(x: Floats, y: Floats) -> Floats:
    """How many of the runs above each run in y (…, runs) are also above it in x; one that is tied in x counts half."""
    x, y = np.broadcast_arrays(x, y)
    shape, runs = x.shape, x.shape[-1]
    first, second = (tie_codes(side.reshape(-1, runs)) for side in (x, y))
    twice = np.zeros(first.shape, dtype=np.int64)
    rows = max(1, VALUES_AT_A_TIME // max(runs, 1))
    for at in range(0, len(first), rows):
        a, b = (np.ascontiguousarray(side[at : at + rows].T) for side in (first, second))
        for run in range(runs):
            over, signs = b > b[run], np.sign(a - a[run])
            signs += 1
            signs *= over
            twice[at : at + rows, run] = signs.sum(axis=0, dtype=np.int32)
    return twice.reshape(shape) / 2


def middle_places(scores: Floats) -> Floats:
    """The rank of every run (…, runs), 1 for the largest score; tied runs share the mean of their ranks."""
    first, last = tied_places(scores)
    return np.where(np.isnan(scores), np.nan, (first + last) / 2)


def tied_places(scores: Floats) -> tuple[Ints, Ints]:
    """The first and the last place (…, runs) that a run could have if ties were broken, 1 for the largest score."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=-1)
    here = np.broadcast_to(np.arange(1, scores.shape[-1] + 1), scores.shape)
    apart = ~(-np.diff(ranked, axis=-1) <= EXACT_TOLERANCE)  # NaN is tied with nothing
    edge = np.ones((*scores.shape[:-1], 1), dtype=bool)
    starts = np.maximum.accumulate(np.where(np.concatenate([edge, apart], axis=-1), here, 0), axis=-1)
    ends = np.where(np.concatenate([apart, edge], axis=-1), here, scores.shape[-1])
    ends = np.flip(np.minimum.accumulate(np.flip(ends, axis=-1), axis=-1), axis=-1)
    first, last = np.empty(scores.shape, dtype=np.int64), np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(first, order, starts, axis=-1)
    np.put_along_axis(last, order, ends, axis=-1)
    return first, last
