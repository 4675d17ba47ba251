"""Concordant and discordant pairs of runs, for many rankings at once; and ranks with ties."""

from __future__ import annotations

import numpy as np

from karat.arrays import EXACT_TOLERANCE, Floats, Integers, Ints

VALUES_AT_A_TIME = 4_000_000
"""Values held in memory at a time."""


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


def middle_places(scores: Floats) -> Floats:
    """The rank of every run (…, runs), 1 for the largest score; tied runs share the mean of their ranks."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=-1)
    here = np.broadcast_to(np.arange(scores.shape[-1]), scores.shape)
    apart = ~(-np.diff(ranked, axis=-1) <= EXACT_TOLERANCE)  # NaN is tied with nothing
    edge = np.ones((*scores.shape[:-1], 1), dtype=bool)
    starts = np.maximum.accumulate(np.where(np.concatenate([edge, apart], axis=-1), here, 0), axis=-1)
    last = scores.shape[-1] - 1
    ends = np.where(np.concatenate([apart, edge], axis=-1), here, last)
    ends = np.flip(np.minimum.accumulate(np.flip(ends, axis=-1), axis=-1), axis=-1)
    places = np.empty(scores.shape)
    np.put_along_axis(places, order, (starts + ends) / 2 + 1, axis=-1)
    return np.where(np.isnan(scores), np.nan, places)
