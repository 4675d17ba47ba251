"""Correlation and deviation indices with their intervals; originals are resampled together with their parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat.arrays import Bools, Floats
from karat.data.decomposition import Decomposition
from karat.data.parameters import generator
from karat.kernels.counting import divide
from karat.statistics.bootstrap import percentile_interval, replicate
from karat.statistics.correlation_index import IDEAL, Ratio, correlation_index, weighted_correlation
from karat.studies.diagnose.parameters import DiagnoseParameters
from karat.studies.diagnose.rows import IntervalOrNone

WHOLE, EACH_LABEL = slice(0, 1), slice(1, None)
"""The sides of a group: the whole group, and its positive and negative pairs."""


@dataclass(frozen=True, eq=False)
class Indices:
    """The indices of one run on every group, whole, positive and negative (sides, groups), with their intervals."""

    correlation: Floats
    intervals: list[IntervalOrNone]
    """Intervals of the correlation index of each whole group."""
    adjusted: Floats
    """The index (groups,) with the parts weighted to the share of positive pairs among the originals."""
    adjusted_intervals: list[IntervalOrNone]
    p: Floats
    """Two-sided p (groups,) of an adjusted index of 1; NaN if there are few originals."""
    ratio: Ratio
    """The adjusted index of every group, ready to test."""
    deviations: list[IntervalOrNone]
    """Intervals of the index of positive pairs minus that of negative ones."""
    pearson: float
    pearson_interval: IntervalOrNone

    def ideal(self, at: int, level: float) -> bool:
        """Whether the interval of this level for a group's adjusted index lies near 1."""
        low, high = (float(side[at]) for side in self.ratio.interval(level))
        return IDEAL[0] <= low and high <= IDEAL[1]


class Homes:
    """Each original with the pairs made from it, which are resampled together."""

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
        """Values of originals (…, originals) at the places of their homes (…, homes)."""
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
    """The indices of one run, right or wrong (units,), on groups of parts (sides, groups, units) and of originals."""
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
    share = divide(homes.sums(right), homes.sums(np.ones(len(right))))[homes.of_original]  # of the parts that are right

    def index_under(drawn: Floats) -> Floats:
        """The correlation indices (draws, sides, groups) under weights of homes."""
        above, of, below, out_of = ((drawn @ side).reshape(len(drawn), sides, groups) for side in counts)
        return correlation_index(divide(above, of), divide(below, out_of))

    def statistic(drawn: Floats) -> Floats:
        """The deviations of all groups and the correlation (draws, groups + 1) under weights of homes."""
        index = index_under(drawn)
        return np.column_stack(
            [index[:, 1] - index[:, 2], weighted_correlation(right[places], share, drawn[:, homes.of_original])]
        )

    once = np.ones((1, homes.size))
    here = statistic(once)[0]
    drawn = replicate(statistic, homes.size, asked.replicates, generator(asked.seed, "diagnose", "originals"))
    numbers = chosen[1].sum(axis=-1)
    enough = numbers[0] >= asked.small
    above, of, below, out_of = (one.reshape(-1, sides, groups) for one in counts)
    plain, ratio = (
        Ratio.of(above[:, 0], *(one[:, side] for one in (of, below, out_of))) for side in (WHOLE, EACH_LABEL)
    )
    adjusted = divide(ratio.wholes, ratio.parts)
    both = [*(np.minimum(numbers[1], numbers[2]) >= asked.small), len(places) >= asked.small]
    found = _intervals(here, drawn, asked.interval)
    resampled = [one if enough_here else None for one, enough_here in zip(found, both, strict=True)]
    return Indices(
        correlation=index_under(once)[0],
        intervals=_ends(plain, enough, asked.interval),
        adjusted=adjusted,
        adjusted_intervals=_ends(ratio, enough, asked.interval),
        p=np.where(enough & ~np.isnan(adjusted), ratio.p(), np.nan),
        ratio=ratio,
        deviations=resampled[:-1],
        pearson=float(here[-1]),
        pearson_interval=resampled[-1],
    )


def _ends(ratio: Ratio, enough: Bools, level: float) -> list[IntervalOrNone]:
    """The interval of each group; none if there are few originals, or parts are right too seldom for an upper end."""
    low, high = ratio.interval(level)
    known = enough & ~np.isnan(low) & ~np.isnan(high)
    return [(a, b) if there else None for a, b, there in zip(low.tolist(), high.tolist(), known, strict=True)]


def _intervals(here: Floats, drawn: Floats, level: float) -> list[IntervalOrNone]:
    """The interval of each column; none if it never varies, or is undefined here or in too many draws for the level."""
    undefined = np.isnan(here) | (np.isnan(drawn).mean(axis=0) > (1 - level) / 2)
    safe = np.where(undefined, 0.0, drawn)
    low, high = percentile_interval(safe, level)
    undefined |= low == high
    ends = zip(low.tolist(), high.tolist(), undefined.tolist(), strict=True)
    return [None if missing else (a, b) for a, b, missing in ends]
