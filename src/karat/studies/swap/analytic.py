"""The analytic side of `swap`: curves that need no trials, with intervals over resampled runs and units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from karat.statistics.bootstrap import percentile_interval
from karat.statistics.swap import sensitivity, smallest_reliable
from karat.statistics.swap_normal import PairMoments, finite_rates, fresh_rates, resampled_fresh_rates
from karat.studies.swap.parameters import SwapParameters
from karat.studies.swap.procedure import written, written_interval
from karat.studies.swap.result import Analytic, AnalyticCurve, Rate

Floats = NDArray[np.float64]
FEW = 6
"""Sizes for the finite curve."""
SHOWN = 12
"""Sizes for the fresh curve, beside those; the smaller they are, the closer, since it falls most there."""
FURTHER = (1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 50, 100)
"""Multiples of the full size at which the fresh curve is worked out, to find the size needed."""


def analytic_of(
    scores: Floats, moments: PairMoments, edges: Floats, sizes: list[int], asked: SwapParameters
) -> Analytic:
    """The curves that need no trials, with intervals over resampled runs and units."""
    units = scores.shape[1]
    few = [sizes[place] for place in np.unique(np.linspace(0, len(sizes) - 1, FEW).round().astype(int))]
    closer = sizes[0] + (units - sizes[0]) * np.linspace(0, 1, SHOWN) ** 2
    shown = sorted({*few, *closer.round().astype(int).tolist()})
    grid = sorted({*shown, *(round(units * factor) for factor in FURTHER)})
    fresh = np.stack([fresh_rates(moments, size, edges) for size in grid])
    finite = np.stack([finite_rates(moments, size, units, edges) for size in few])
    full = fresh[grid.index(units)]
    known = ~np.isnan(full)
    # No bin past the last one that is known need be resampled.
    edges = edges[: int(np.flatnonzero(known).max(initial=0)) + 2]
    full, known = full[: len(edges) - 1], known[: len(edges) - 1]
    many = resampled_fresh_rates(scores, units, edges, asked.replicates, asked.seed)
    low, high = (np.full(len(full), np.nan) for _ in range(2))
    seen = known & ~np.isnan(many).all(axis=0)
    if seen.any():
        low[seen], high[seen] = percentile_interval(many[:, seen], asked.interval)
    curves: list[AnalyticCurve] = []
    for place in np.flatnonzero(known):
        curves.append(
            AnalyticCurve(
                written(edges[place]),
                written(edges[place + 1]),
                [Rate(size, float(fresh[grid.index(size), place])) for size in shown],
                [
                    Rate(size, float(row[place]))
                    for size, row in zip(few, finite, strict=True)
                    if row[place] == row[place]
                ],
                float(full[place]),
                (float(low[place]), float(high[place])),
                _crossing(grid, fresh[:, place], asked.error),
            )
        )
    least = float(smallest_reliable(full, edges[:-1], asked.error)) if len(full) else float("nan")
    ends = (float("nan"),) * 2
    if least == least:
        ends = written_interval(smallest_reliable(many, edges[:-1], asked.error), asked.interval)
    return Analytic(curves, least, ends, float(sensitivity(moments.mean, least)))


def _crossing(grid: list[int], rates: Floats, most: float) -> int | None:
    """The size from which on the rate is small enough, between two sizes by a line through the logarithms."""
    bad = np.flatnonzero(~(rates <= most))
    if not len(bad):
        return grid[0]
    last = int(bad[-1])
    if last + 1 == len(grid) or np.isnan(rates[last]):
        return None
    above, below = np.log(rates[last]), np.log(max(rates[last + 1], 1e-12))
    share = (above - np.log(most)) / (above - below)
    return int(np.ceil(grid[last] + share * (grid[last + 1] - grid[last])))
