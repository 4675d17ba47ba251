"""How often another test set orders two runs the other way: by drawing sets, and by a model of fresh ones.

The swap method (Voorhees & Buckley 2002) draws two disjoint sets of units and counts. The model extrapolates to fresh
units, from how far apart runs are and how much of that is chance.

Observed differences are larger than true ones. True differences d of two runs are modelled as normal around 0, and
the error of an observed one as normal with variance v = s²/n, both pooled over all pairs of runs. The share
λ = 1 − v / mean d² of the observed variation is real: the reliability of the test set (Cronbach 1951). An observed
difference of x then has the expectation λx, a fresh test set shows it with variance (1 + λ)v, and so reverses the two
runs with probability Φ(−λx / √((1 + λ)v)). With λ = 0 that is ½, however large x is.

mean d² / v is the ratio F of an analysis of variance, and (1 − λ)F is F-distributed (Feldt 1965), which gives an
interval for λ. Correlated runs count for less than independent ones: both degrees of freedom are scaled as in Box
(1954).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karat.arrays import EXACT_TOLERANCE, Bools, Floats, Ints, Singles
from karat.data.parameters import generator
from karat.kernels.counting import divide, resampled_weights, squared_distances
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


@dataclass(frozen=True, eq=False)
class PairMoments:
    """For each pair of runs: the mean difference, and the variance of differences over units."""

    mean: Floats
    variance: Floats


def pair_moments(scores: Floats) -> PairMoments:
    """The moments of all pairs of runs (runs, units), from one matrix product."""
    one, other = np.triu_indices(len(scores), 1)
    means = scores.mean(axis=1)
    # Means are subtracted first, because Σd²/n minus the squared mean would cancel if runs are far apart.
    variance = squared_distances(scores - means[:, None])[one, other] / max(scores.shape[1] - 1, 1)
    # A difference that is the same on every unit must not vary by rounding error.
    size = (scores**2).mean(axis=1)
    variance[variance <= EXACT_TOLERANCE**2 * (size[one] + size[other])] = 0.0
    return PairMoments(means[one] - means[other], variance)


@dataclass(frozen=True)
class ScoreSpread:
    """How far apart runs are on these units, pooled over pairs."""

    ratio: float
    """The mean squared difference divided by its expectation under chance alone; NaN if runs never differ."""
    error_variance: float
    """The error variance of an observed difference."""
    units: int
    freedom: float
    """Degrees of freedom between runs, scaled by Box's epsilon."""

    @property
    def reliability(self) -> float:
        """λ, never negative."""
        return self._beyond(1.0)

    def interval(self, level: float) -> tuple[float, float]:
        """A confidence interval for λ."""
        from scipy.special import fdtri  # here: scipy takes long to load

        within = self.freedom * (self.units - 1)
        low, high = (self._beyond(float(fdtri(self.freedom, within, (1 + side * level) / 2))) for side in (1, -1))
        return low, high

    def _beyond(self, chance: float) -> float:
        return max(1 - chance / self.ratio, 0.0) if self.ratio > 0 else 0.0 if self.ratio == 0 else float("nan")


def spread_of(moments: PairMoments, runs: int, units: int) -> ScoreSpread:
    """The spread of all pairs of `runs` runs."""
    apart, noise = float(np.mean(moments.mean**2)), float(np.mean(moments.variance)) / units
    ratio = apart / noise if noise else float("inf") if apart else float("nan")
    return ScoreSpread(ratio, noise, units, (runs - 1) * _epsilon(moments.variance, runs, units))


def careful_difference(moments: PairMoments, runs: int, units: int, most: float, level: float) -> float:
    """The difference from which the upper limit of the rate is at most `most`, with all runs and without any one.

    One run far from a crowd makes the crowd's differences look real, although without it they are chance. So whichever
    run is left out, the differences among the others must be reliable by themselves or be smaller than the result,
    which is then a difference that only pairs with that run show. Infinite if no two runs differ by enough.
    """
    one, other = np.triu_indices(runs, 1)
    apart = np.abs(moments.mean)

    def needed(kept: Bools, number: int) -> float:
        spread = spread_of(PairMoments(moments.mean[kept], moments.variance[kept]), number, units)
        return reliable_difference(most, spread.interval(level)[0], spread.error_variance)

    found = needed(np.ones(len(one), dtype=bool), runs)
    for run in range(runs if runs > 2 else 0):
        others = (one != run) & (other != run)
        beyond = apart[apart > apart[others].max() + EXACT_TOLERANCE]
        found = max(found, float(np.fmin(needed(others, runs - 1), beyond.min(initial=np.inf))))
    return found


def _epsilon(variance: Floats, runs: int, units: int) -> float:
    """Box's epsilon: 1 if differences of all pairs of runs have the same variance, at least 1 / (runs − 1).

    From the doubly centred variances of differences, which are the covariances of runs without the common effect of
    units; the sum of their squares is corrected for sampling.
    """
    least = 1 / (runs - 1)
    if units < 3 or not variance.any():
        return least
    between = np.zeros((runs, runs))
    between[np.triu_indices(runs, 1)] = variance
    between += between.T
    means = between.mean(axis=0)
    covariance = (means + means[:, None] - between - means.mean()) / 2
    trace, freedom = float(np.trace(covariance)), units - 1
    squares = freedom**2 / ((freedom - 1) * (freedom + 2)) * (float((covariance**2).sum()) - trace**2 / freedom)
    return min(max(trace**2 * least / squares, least), 1.0) if squares > 0 else 1.0


def at_size(reliability: float, units: int, size: Floats | float) -> Floats:
    """The reliability of a test set of another size (Spearman and Brown)."""
    return np.asarray(size * reliability / (units + (size - units) * reliability))


def reversal_rate(difference: Floats | float, reliability: Floats | float, error_variance: Floats | float) -> Floats:
    """How often a fresh test set of the same size reverses two runs with this difference."""
    from scipy.special import ndtr

    with np.errstate(divide="ignore"):  # without any error nothing is ever reversed
        return np.asarray(ndtr(-reliability * np.asarray(difference) / np.sqrt((1 + reliability) * error_variance)))


def reliable_difference(most: float, reliability: float, error_variance: float) -> float:
    """The difference from which the rate is at most `most`; infinite if the reliability is 0."""
    from scipy.special import ndtri

    if not reliability > 0:
        return float("inf") if reliability == 0 else float("nan")
    return float(-ndtri(most) * np.sqrt((1 + reliability) * error_variance) / reliability)


def reliable_size(difference: float, most: float, reliability: float, error_variance: float, units: int) -> float:
    """The number of units from which two runs with this difference are reversed at a rate of at most `most`.

    With u the error variance divided by that of true differences, the rate equals `most` if u(1 + u)(2 + u) = c. That
    is w³ − w = c for w = 1 + u, and u is proportional to 1 / units. With reliability 0 no number of units is enough.
    """
    from scipy.special import ndtri

    if reliability in (0.0, 1.0):
        return float("inf") if reliability == 0 else 0.0
    signal = reliability / (1 - reliability)
    c = (difference / ndtri(most)) ** 2 / (error_variance * signal)
    w = float(np.roots([1, 0, -1, -c]).real.max())
    return units / signal / (w - 1)
