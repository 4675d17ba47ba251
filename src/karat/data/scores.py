"""Scores: runs × units, whatever filled them; NaN is "not scored"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from karat.data.arguments import checked_noun
from karat.data.reading import RUNS_AS_ROWS, ScoreReading
from karat.data.source import Source
from karat.errors import Problem, UsageError


@checked_noun
@dataclass(frozen=True, eq=False)
class Scores:
    """One number a run and unit: the object that reliability is studied on."""

    runs: tuple[str, ...]
    units: tuple[str, ...]
    values: NDArray[np.float64]
    measure: str = ""
    """What the mean over units is."""
    clusters: tuple[str | None, ...] | None = None
    """Which units belong together (questions of a series, pairs of a text) and are resampled as one; None: alone."""
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()
    unit: str = "unit"
    """What the units are: units, or clusters of them."""
    members: int | None = None
    """Where the units are clusters: how many units they hold."""
    reading: ScoreReading = RUNS_AS_ROWS

    def __post_init__(self) -> None:
        """One number a run and unit, and a cluster a unit."""
        shape = (len(self.runs), len(self.units))
        if self.values.shape != shape:
            raise UsageError(
                f"scores of {shape[0]} runs on {shape[1]} units have the shape {shape}; these have {self.values.shape}"
            )
        if self.clusters is not None and len(self.clusters) != shape[1]:
            raise UsageError(f"clusters name one of each unit: {shape[1]}; here are {len(self.clusters)}")

    def of_units(self, kept: NDArray[np.bool_]) -> Scores:
        """Some of the units; no longer what the files hold, so the sources are left behind."""
        places = np.flatnonzero(kept).tolist()
        return replace(
            self,
            units=tuple(self.units[place] for place in places),
            values=self.values[:, kept],
            clusters=None if self.clusters is None else tuple(self.clusters[place] for place in places),
            sources=self.sources if len(places) == len(self.units) else (),
        )

    def of_runs(self, places: Sequence[int]) -> Scores:
        """Some of the runs; the sources are left behind, as with some of the units."""
        kept = list(places)
        return replace(self, runs=tuple(self.runs[place] for place in kept), values=self.values[kept], sources=())

    def leading(self, most: int) -> list[int]:
        """The places of the runs with the highest means, at most so many, in the order of the runs."""
        counts = (~np.isnan(self.values)).sum(axis=1)
        means = np.where(counts > 0, np.nansum(self.values, axis=1) / np.maximum(counts, 1), -np.inf)
        return sorted(np.argsort(-means, kind="stable")[:most].tolist())

    def by_cluster(self) -> Scores:
        """Clusters as units; where there are none, the units as they are. Every run has a score on every unit.

        The mean over units of clusters of unequal sizes is a ratio of sums. A cluster's score is that mean plus what
        the cluster moves it by: mean + (its sum − mean · its size) / the mean size. So the mean stays what it was, its
        error is that of a ratio, and differences of two runs are made alike. Of equal sizes it is the cluster's mean.
        """
        if self.clusters is None:
            return self
        # A unit that stands alone is known by its place: a cluster may have any name.
        keys = [(at, None) if name is None else (-1, name) for at, name in enumerate(self.clusters)]
        place = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        member = np.array([place[key] for key in keys], dtype=np.int64)
        # One by one: the last digits of a matrix product depend on the number of threads.
        sums = np.stack([np.bincount(member, row, minlength=len(place)) for row in self.values])
        sizes = np.bincount(member, minlength=len(place))
        mean = self.values.mean(axis=1, keepdims=True)
        return replace(
            self,
            units=self._cluster_names(place),
            values=mean + (sums - mean * sizes) / sizes.mean(),
            clusters=None,
            unit="cluster",
            members=len(self.units),
            sources=(),
        )

    def _cluster_names(self, keys: Iterable[tuple[int, str | None]]) -> tuple[str, ...]:
        """The clusters' own names; a unit that stands alone is told by its own, and as what it is."""
        taken, names = set(self.clusters or ()), []
        for at, name in keys:
            if name is None:
                name = f"unit {self.units[at]}"
                while name in taken:
                    name += " (alone)"
            names.append(name)
        return tuple(names)
