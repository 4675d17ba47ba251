"""Scores: runs × units, from whatever source; NaN is "not scored"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from karat.arrays import Bools, Floats
from karat.data.arguments import checked_noun
from karat.data.source import Source
from karat.errors import Problem, UsageError


class ScoreReading(msgspec.Struct, frozen=True, kw_only=True):
    """How a score matrix is read."""

    transpose: Annotated[bool, Meta(description="the score matrix has one row per unit and one column per run")] = False


RUNS_AS_ROWS = ScoreReading()


@checked_noun
@dataclass(frozen=True, eq=False)
class Scores:
    """One number per run and unit, on which reliability is studied."""

    runs: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats
    measure: str = ""
    """What the mean over units is."""
    clusters: tuple[str | None, ...] | None = None
    """Dependent units (questions of a series, pairs of a text) that are resampled together; None: a unit by itself."""
    sources: tuple[Source, ...] = ()
    warnings: tuple[Problem, ...] = ()
    unit: str = "unit"
    """What the units are: units, or clusters of them."""
    members: int | None = None
    """If the units are clusters: how many units they contain."""
    reading: ScoreReading = RUNS_AS_ROWS

    def __post_init__(self) -> None:
        """Check that there is one number per run and unit, and one cluster per unit."""
        shape = (len(self.runs), len(self.units))
        if self.values.shape != shape:
            raise UsageError(
                f"scores of {shape[0]} runs on {shape[1]} units have the shape {shape}; these have {self.values.shape}"
            )
        if self.clusters is not None and len(self.clusters) != shape[1]:
            raise UsageError(f"clusters name one of each unit: {shape[1]}; here are {len(self.clusters)}")

    def of_units(self, kept: Bools) -> Scores:
        """Some of the units; without sources, since the files contain more."""
        places = np.flatnonzero(kept).tolist()
        return replace(
            self,
            units=tuple(self.units[place] for place in places),
            values=self.values[:, kept],
            clusters=None if self.clusters is None else tuple(self.clusters[place] for place in places),
            sources=self.sources if len(places) == len(self.units) else (),
        )

    def of_runs(self, places: Sequence[int]) -> Scores:
        """Some of the runs; without sources, since the files contain more."""
        kept = list(places)
        return replace(self, runs=tuple(self.runs[place] for place in kept), values=self.values[kept], sources=())

    def leading(self, most: int) -> list[int]:
        """The positions of the `most` runs with the highest means, in the order of the runs."""
        counts = (~np.isnan(self.values)).sum(axis=1)
        means = np.where(counts > 0, np.nansum(self.values, axis=1) / np.maximum(counts, 1), -np.inf)
        return sorted(np.argsort(-means, kind="stable")[:most].tolist())

    def by_cluster(self) -> Scores:
        """Clusters as units; without clusters, the units as they are. Every run must have a score on every unit.

        The mean over the units of clusters of unequal sizes is a ratio of sums. The score of a cluster is that mean
        plus the influence of the cluster: mean + (its sum − mean · its size) / the mean size. This keeps the mean,
        gives it the error of a ratio, and works alike for differences of two runs. For equal sizes it is the cluster's
        mean.
        """
        if self.clusters is None:
            return self
        # A unit by itself is identified by its position, because a cluster may have any name.
        keys = [(at, None) if name is None else (-1, name) for at, name in enumerate(self.clusters)]
        place = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        member = np.array([place[key] for key in keys], dtype=np.int64)
        # Row by row, because the last digits of a matrix product depend on the number of threads.
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
        """The names of the clusters; a unit by itself has its own name, marked as a unit."""
        taken, names = set(self.clusters or ()), []
        for at, name in keys:
            if name is None:
                name = f"unit {self.units[at]}"
                while name in taken:
                    name += " (alone)"
            names.append(name)
        return tuple(names)
