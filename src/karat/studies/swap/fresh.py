"""Fresh samples in `swap`: how often another test set would reverse two runs, without trials or extrapolation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from karat.arrays import EXACT_TOLERANCE, NAN, Floats
from karat.data.result import Estimate
from karat.statistics.swap import (
    PairMoments,
    at_size,
    careful_difference,
    reliable_difference,
    reliable_size,
    reversal_rate,
    sensitivity,
    spread_of,
)
from karat.studies.swap.parameters import SwapParameters
from karat.studies.swap.procedure import written
from karat.studies.swap.result import Fresh, FreshCurve, Rate

CURVE_SIZES = 12
"""The number of sizes of each curve, denser at small sizes, where it falls most."""


def fresh_of(scores: Floats, moments: PairMoments, edges: Floats, smallest: int, asked: SwapParameters) -> Fresh:
    """The rates for fresh samples, in bins up to the largest difference between two runs."""
    runs, units = scores.shape
    spread = spread_of(moments, runs, units)
    noise, value, (low, high) = spread.error_variance, spread.reliability, spread.interval(asked.interval)
    reach, apart = float(np.ptp(scores, axis=0).max()), np.abs(moments.mean)
    largest = float(apart.max())
    needed = [reliable_difference(asked.error, one, noise) for one in (value, high, low)]
    # Differences larger than these scores allow are undefined.
    needed = [one if one <= reach else NAN for one in needed]
    # A reliable difference must be one that two of the runs have.
    least = careful_difference(moments, runs, units, asked.error, asked.interval)
    least = max(least, float(apart[apart > 0].min())) if least <= largest + EXACT_TOLERANCE else NAN
    sizes = np.unique((smallest + (units - smallest) * np.linspace(0, 1, CURVE_SIZES) ** 2).round())
    curves = []
    for left, right in pairwise(edges):
        if left > largest + EXACT_TOLERANCE:
            break
        middle = (left + right) / 2
        rates = reversal_rate(middle, at_size(value, units, sizes), noise * units / sizes)
        full, down, up = (float(reversal_rate(middle, one, noise)) for one in (value, high, low))
        enough = reliable_size(middle, asked.error, low, noise, units)
        curves.append(
            FreshCurve(
                written(left),
                written(right),
                [Rate(int(size), float(rate)) for size, rate in zip(sizes, rates, strict=True)],
                full,
                (down, up),
                max(int(np.ceil(enough)), smallest) if np.isfinite(enough) else None,
            )
        )
    share = float(sensitivity(moments.mean, least))
    return Fresh(Estimate(value, low, high), Estimate(*needed), least, share, curves)
