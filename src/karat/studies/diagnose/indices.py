"""Correlation and deviation indices with their intervals: originals vary together with their parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats, divide
from karat.data.decomposition import Decomposition
from karat.kernels.random import generator
from karat.statistics.bootstrap import percentile_interval, replicate
from karat.statistics.correlation_index import IDEAL, Ratio, correlation_index, weighted_correlation
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import Interval

WHOLE, LABELS = slice(0, 1), slice(1, None)
"""Of the sides of a group: all of it, and its positive and negative pairs."""


@dataclass(frozen=True, eq=False)
class Indices:
    """Of one run: the indices of every group, whole, positive and negative (sides, groups), and all intervals."""

    correlation: Floats
    intervals: list[Interval]
    """Of the correlation index of each whole group."""
    adjusted: Floats
    """The same index (groups,), the parts weighed so that as many of them are positive as of the originals."""
    adjusted_intervals: list[Interval]
    p: Floats
    """Two-sided (groups,): that the adjusted index is 1; NaN where originals are few."""
    ratio: Ratio
    """The adjusted index of every group, to be tested."""
    deviations: list[Interval]
    """Of the index of its positive pairs less that of its negative ones."""
    pearson: float
    pearson_interval: Interval

    def ideal(self, at: int, level: float) -> bool:
        """Whether an interval of this level of a group's adjusted index lies near 1."""
        low, high = (float(side[at]) for side in self.ratio.interval(level))
        return IDEAL[0] <= low and high <= IDEAL[1]


class Homes:
    """Each original with the pairs made from it: what is drawn together."""

    def __init__(self, decomposition: Decomposition) -> None:
        parts = np.flatnonzero(decomposition.mono & (decomposition.original >= 0))
        homes, at = np.unique(decomposition.original[parts], return_inverse=True)
        self.size = len(homes)
        self._parts = parts[np.argsort(at, kind="stable")]
        self._starts = np.searchsorted(np.sort(at), np.arange(self.size))
        self.of_original = np.searchsorted(homes, decomposition.originals)

    def sums(self, values: Floats) -> Floats:
        """Sums over the parts of each home: (…, units) to (…, homes)."""
        return np.add.reduceat(values[..., self._parts], self._starts, axis=-1)

    def spread(self, values: Floats) -> Floats:
        """Values of originals (…, originals) in their homes' places (…, homes)."""
        made = np.zeros((*values.shape[:-1], self.size))
        made[..., self.of_original] = values
        return made


def indices(
    decomposition: Decomposition,
    right: Floats,
    chosen: tuple[Bools, Bools],
    weights: Floats,
    asked: DiagnoseParameters,
) -> Indices:
    """The indices of one run (units,) on groups of parts (sides, groups, units) and of originals."""
    homes = Homes(decomposition)
    places = decomposition.originals
    parts, whole = (side.reshape(-1, side.shape[-1]).astype(np.float64) for side in chosen)
    sides, groups = chosen[0].shape[:2]
    counts = [
        homes.spread(whole * right[places]).T,
        homes.spread(whole).T,
        homes.sums(parts * (weights * right)).T,
        homes.sums(parts * weights).T,
    ]
    share = shares_right(decomposition, right)

    def statistic(drawn: Floats) -> Floats:
        """All indices, all deviations and the correlation (draws, …) under weights of homes."""
        above, of, below, out_of = ((drawn @ side).reshape(len(drawn), sides, groups) for side in counts)
        index = correlation_index(divide(above, of), divide(below, out_of))
        pearson = weighted_correlation(right[places], share, drawn[:, homes.of_original])
        made = [index.reshape(len(drawn), -1), index[:, 1] - index[:, 2], pearson[:, None]]
        return np.concatenate(made, axis=1)

    here = statistic(np.ones((1, homes.size)))[0]
    drawn = replicate(statistic, homes.size, asked.replicates, generator(asked.seed, "diagnose", "originals"))
    numbers = chosen[1].sum(axis=-1)
    enough = numbers[0] >= asked.small
    above, of, below, out_of = (one.reshape(-1, sides, groups) for one in counts)
    plain, ratio = (Ratio.of(above[:, 0], *(one[:, side] for one in (of, below, out_of))) for side in (WHOLE, LABELS))
    adjusted = divide(ratio.wholes, ratio.parts)
    resampled = _intervals(here, drawn, asked.interval)[sides * groups :]
    both = [*(np.minimum(numbers[1], numbers[2]) >= asked.small), len(places) >= asked.small]
    resampled = [one if enough_here else None for one, enough_here in zip(resampled, both, strict=True)]
    return Indices(
        correlation=here[: sides * groups].reshape(sides, groups),
        intervals=_ends(plain, enough, asked.interval),
        adjusted=adjusted,
        adjusted_intervals=_ends(ratio, enough, asked.interval),
        p=np.where(enough & ~np.isnan(adjusted), ratio.p(), np.nan),
        ratio=ratio,
        deviations=resampled[:-1],
        pearson=float(here[-1]),
        pearson_interval=resampled[-1],
    )


def _ends(ratio: Ratio, enough: Bools, level: float) -> list[Interval]:
    """The interval of each group; none where originals are few, or where parts are too seldom right to bound it."""
    low, high = ratio.interval(level)
    known = enough & ~np.isnan(low) & ~np.isnan(high)
    return [(a, b) if there else None for a, b, there in zip(low.tolist(), high.tolist(), known, strict=True)]


def shares_right(decomposition: Decomposition, right: Floats) -> Floats:
    """Of each original, the share of its parts that are right (originals,)."""
    own = decomposition.own.astype(np.float64)
    return np.asarray(divide(own @ right, own.sum(axis=1)))


def _intervals(here: Floats, drawn: Floats, level: float) -> list[Interval]:
    """Of each column; none where it never varies, or is undefined here or in more draws than an end leaves out."""
    undefined = np.isnan(here) | (np.isnan(drawn).mean(axis=0) > (1 - level) / 2)
    safe = np.where(undefined, 0.0, drawn)
    low, high = percentile_interval(safe, level)
    undefined |= low == high
    ends = zip(low.tolist(), high.tolist(), undefined.tolist(), strict=True)
    return [None if nothing else (a, b) for a, b, nothing in ends]
