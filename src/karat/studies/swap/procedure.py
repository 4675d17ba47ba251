"""The published procedure in `swap`: its curves, their fits, and the interval over trials."""

from __future__ import annotations

import numpy as np

from karat.arrays import Floats
from karat.data.fields import Missing, known
from karat.kernels.swap import COMPARISONS, TIED
from karat.statistics.decay import Decay
from karat.statistics.intervals import quantile
from karat.statistics.swap import Swaps, interval_of, rates_of_other_trials, smallest_reliable
from karat.studies.swap.parameters import SwapParameters
from karat.studies.swap.result import NOT_RELIABLE, ONE_TRIAL, Curve, Fit, Point, Tied

NONE_DRAWN = "in too many resamples no difference is reliable at all: the interval is open above"


def smallest_by_fit(
    swaps: Swaps, decay: Decay, edges: Floats, units: int, asked: SwapParameters
) -> tuple[float, tuple[float, float]]:
    """The smallest reliable difference by the fit, and its interval over trials."""
    least: float = Missing(NOT_RELIABLE)
    if len(edges) > 1:
        least = known(float(smallest_reliable(decay.at(units), edges[:-1], asked.error)), NOT_RELIABLE)
    if least != least or asked.trials == 1:
        unknown = Missing(NOT_RELIABLE if least != least else ONE_TRIAL)
        return least, (unknown, unknown)
    rates = rates_of_other_trials(swaps, units, asked.replicates, asked.seed, asked.least, swaps.sizes[-1] / 2)
    low, high = interval_of(smallest_reliable(rates, edges[:-1], asked.error), asked.interval)
    return least, (known(written(low), NONE_DRAWN), known(written(high), NONE_DRAWN))


def curves_of(swaps: Swaps, decay: Decay, edges: Floats, units: int, asked: SwapParameters) -> list[Curve]:
    """One curve for each bin with comparisons."""
    rate, half = swaps.rate, quantile(asked.interval) * swaps.standard_error
    low, high = np.clip(rate - half, 0, 1), np.clip(rate + half, 0, 1)
    at_full, (down, up) = decay.at(units), decay.interval(units, asked.interval)
    reaches = decay.reaches(asked.error)
    made: list[Curve] = []
    for place in np.flatnonzero(swaps.comparisons.sum(axis=0) > 0):
        points = [
            Point(
                int(size),
                float(rate[i, place]),
                int(swaps.comparisons[i, place]),
                (float(low[i, place]), float(high[i, place])),
            )
            for i, size in enumerate(swaps.sizes)
            if swaps.comparisons[i, place] > 0
        ]
        fit = needed = None
        if decay.log_a[place] == decay.log_a[place]:
            fit = Fit(
                float(np.exp(decay.log_a[place])),
                float(decay.b[place]),
                float(at_full[place]),
                (float(down[place]), float(up[place])),
                float(decay.dispersion[place]),
                int(decay.points[place]),
            )
            needed = max(int(np.ceil(reaches[place])), int(swaps.sizes[0])) if np.isfinite(reaches[place]) else None
        made.append(Curve(written(edges[place]), written(edges[place + 1]), points, fit, needed))
    return made


def tied_of(swaps: Swaps) -> list[Tied]:
    """Comparisons that are tied on the first set, by size."""
    cells = swaps.counts[:, 0]
    return [
        Tied(int(size), int(cell[COMPARISONS]), float(1 - cell[TIED] / cell[COMPARISONS]))
        for size, cell in zip(swaps.sizes, cells, strict=True)
        if cell[COMPARISONS]
    ]


def written(edge: float) -> float:
    """An edge as a short decimal: 0.07, and not 7 × 0.01 in floating point."""
    return float(f"{edge:.10g}")
