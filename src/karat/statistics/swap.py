"""The swap method (Voorhees & Buckley 2002): how often a second test set orders two runs the other way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karat.arrays import EXACT_TOLERANCE, Floats, Ints, Singles
from karat.kernels.counting import divide
from karat.kernels.random import generator, resampled_weights
from karat.kernels.swap import (
    COMPARISONS,
    OPPOSITE,
    TIED,
    bin_starts,
    bins_needed,
    exact_columns,
    selections,
    sums,
    swap_cells,
    whole_scores,
    worth_compiling,
)
from karat.progress import track
from karat.statistics.decay import refit_rates

TiePolicy = Literal["strict", "half", "ignore", "sakai"]
TIES: dict[TiePolicy, Callable[[Floats], tuple[Floats, Floats]]] = {
    "strict": lambda c: (c[..., OPPOSITE], c[..., COMPARISONS]),
    "half": lambda c: (c[..., OPPOSITE] + c[..., TIED] / 2, c[..., COMPARISONS]),
    "ignore": lambda c: (c[..., OPPOSITE], c[..., COMPARISONS] - c[..., TIED]),
    "sakai": lambda c: (c[..., OPPOSITE] + c[..., TIED], c[..., COMPARISONS]),
}
"""Errors and comparisons from the counts of a cell with a nonzero difference on the first set."""
COUNTS_AT_A_TIME = 4_000_000
"""Resampled counts held in memory at a time."""


@dataclass(frozen=True, eq=False)
class Swaps:
    """The counts; arrays are (sizes, bins) except for ties on the first set, which have no bin."""

    sizes: Ints
    width: Fraction
    counts: Ints
    """(sizes, cells, 3), summed over trials; cell 0 is a tie on the first set."""
    errors: Floats
    comparisons: Floats
    """Under the tie policy; a bin without comparisons has no error rate."""
    variance: Floats
    """The variance of the errors between trials, around the rate times the comparisons."""
    by_trial: Singles
    """(sizes, trials, bins, 2): errors and comparisons, for resampling trials."""

    @property
    def rate(self) -> Floats:
        """The error rate (sizes, bins); NaN if nothing was compared."""
        return divide(self.errors, self.comparisons)

    @property
    def standard_error(self) -> Floats:
        """The standard error of the rate over trials on these units; NaN without comparisons or with one trial."""
        return divide(np.sqrt(self.variance), self.comparisons)


def count_swaps(
    scores: Floats,
    sizes: Sequence[int],
    trials: int,
    width: Fraction,
    seed: int,
    ties: TiePolicy = "strict",
    compiled: bool | None = None,
) -> Swaps:
    """Draw two disjoint sets of each size in each trial, and count swaps over all pairs of runs (runs, units).

    Every trial of every size has its own generator. With `compiled` None, the amount of work decides; the counts are
    the same.
    """
    whole, scale = whole_scores(scores)
    runs, units = whole.shape
    if compiled is None:
        compiled = worth_compiling(len(sizes) * trials * runs * (runs - 1) // 2)
    # Subtracting each unit's minimum over runs keeps the numbers small and changes no difference.
    whole = whole - whole.min(axis=0)
    bins = bins_needed(int(whole.max(initial=0)), scale, width)
    columns = exact_columns(whole)
    counted = []
    for size in track(sizes, "drawing sets of each size"):
        draws = [generator(seed, "swap", "sets", size, trial) for trial in range(trials)]
        first, second = (sums(selected, columns) for selected in selections(size, units, draws))
        counted.append(_one_size(swap_cells(first, second, bin_starts(size, scale, width, bins), compiled), ties))
    counts, errors, comparisons, variance, by_trial = (np.stack(column) for column in zip(*counted, strict=True))
    used = int(np.flatnonzero(counts[..., COMPARISONS].sum(axis=0)).max(initial=0))
    return Swaps(
        np.array(sizes, dtype=np.int64),
        width,
        counts[:, : used + 1],
        errors[:, :used],
        comparisons[:, :used],
        variance[:, :used],
        by_trial[:, :, :used],
    )


def _one_size(cells: Ints, ties: TiePolicy) -> tuple[NDArray[Any], ...]:
    """Sums over trials, the variance of the errors between trials, and the trials themselves."""
    trials = len(cells)
    errors, comparisons = TIES[ties](cells[:, 1:].astype(np.float64))
    rate = np.nan_to_num(divide(errors.sum(axis=0), comparisons.sum(axis=0)))
    apart = ((errors - rate * comparisons) ** 2).sum(axis=0)
    variance = apart * trials / (trials - 1) if trials > 1 else np.full_like(apart, np.nan)
    kept = np.stack([errors, comparisons], axis=-1).astype(np.float32)
    return cells.sum(axis=0), errors.sum(axis=0), comparisons.sum(axis=0), variance, kept


def rates_of_other_trials(swaps: Swaps, at: int, replicates: int, seed: int, least: int, reach: float) -> Floats:
    """The fitted rates (replicates, bins) at a size when trials are resampled, separately for each size."""
    sizes, trials, bins, _ = swaps.by_trial.shape
    weights = [
        resampled_weights(trials, replicates, generator(seed, "swap", "other trials", int(size)))
        for size in swaps.sizes
    ]
    made = np.full((replicates, bins), np.nan)
    wide = max(1, COUNTS_AT_A_TIME // (replicates * sizes))
    for begin in track(range(0, bins, wide), "resampling trials"):
        part = swaps.by_trial[:, :, begin : begin + wide].astype(np.float64)
        drawn = [np.tensordot(weight, of_size, 1) for weight, of_size in zip(weights, part, strict=True)]
        errors, comparisons = np.moveaxis(np.stack(drawn, axis=-1), 2, 0)
        made[:, begin : begin + wide] = refit_rates(
            swaps.sizes.astype(np.float64), errors, comparisons, at, least, reach
        )
    return made


def smallest_reliable(rates: Floats, lows: Floats, most: float) -> Floats:
    """The lowest bin from which every rate (…, bins) is at most `most`; NaN if there is none.

    A bin without a rate is no evidence either way, and is never the answer.
    """
    known = ~np.isnan(rates)
    bad = known & ~(rates <= most)
    # Bins after the last unreliable one.
    safe = known & (np.cumsum(bad[..., ::-1], axis=-1)[..., ::-1] == 0)
    first = np.argmax(safe, axis=-1)
    return np.where(safe.any(axis=-1), lows[first], np.nan)[()]


def interval_of(smallest: Floats, level: float = 0.95) -> tuple[float, float]:
    """The central interval of resampled smallest reliable differences; each end is one of them, or NaN for "none".

    A resample without a reliable difference ranks above all others, since leaving it out would be too favourable.
    """
    ordered = np.sort(np.where(np.isnan(smallest), np.inf, smallest))
    places = [int(np.ceil(tail * len(ordered) - 1e-9)) - 1 for tail in ((1 - level) / 2, (1 + level) / 2)]
    low, high = (float(ordered[max(place, 0)]) for place in places)
    return low if np.isfinite(low) else float("nan"), high if np.isfinite(high) else float("nan")


def sensitivity(differences: Floats, least: Floats | float) -> Floats:
    """The share of absolute differences (pairs) of at least `least`; NaN if `least` is."""
    least = np.asarray(least, dtype=np.float64)
    # Means have rounding errors, and a difference exactly at the bound counts.
    share = np.mean(np.abs(differences) >= least[..., None] - EXACT_TOLERANCE, axis=-1) if len(differences) else np.nan
    return np.where(np.isnan(least), np.nan, share)[()]
