"""Scores: runs × units, from whatever source; NaN is "not scored"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat.arrays import Bools, Floats, Ints
from karat.data.parameters import checked_noun
from karat.data.provenance import RUNS_AS_ROWS, ScoreReading, Source
from karat.errors import Problem, UsageError, counted

SQUARABLE = 1e120
"""Scores beyond this, or all below its inverse, have squares that sums overflow or lose."""


@checked_noun
@dataclass(frozen=True, eq=False)
class Scores:
    """The score of each run on each unit."""

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
            raise UsageError(f"expected one cluster for each of {shape[1]} units; there are {len(self.clusters)}")

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

    def squarable(self) -> Scores:
        """These scores; refused where their squares, which errors are made of, cannot be computed."""
        if np.isinf(self.values).any():
            raise UsageError("scores must be finite numbers, or NaN if a unit is not scored")
        largest = np.nan_to_num(np.abs(self.values)).max(axis=1, initial=0.0)
        for run, most in zip(self.runs, largest.tolist(), strict=True):
            if most and not 1 / SQUARABLE < most < SQUARABLE:
                size = "small" if most < 1 else "large"
                raise UsageError(
                    f"the scores of run {run!r} go up to {most:g}, and their squares are too {size} to compute "
                    "with; give all scores in another unit of measurement"
                )
        return self

    def complete(self, study: str) -> Scores:
        """The units that are scored at all, every run on every one of them; anything else is refused.

        Clusters become the units, since it is they that another test set would draw anew.
        """
        missing = np.isnan(self.squarable().values)
        if len(self.runs) < 2:
            raise UsageError(f"{study} compares runs and needs at least two; there is {len(self.runs)}")
        kept = np.atleast_1d(~missing.all(axis=0))
        if not kept.any():
            raise UsageError(f"no unit has a score from any run, so there is nothing for {study} to compare")
        holes = np.argwhere(missing[:, kept])
        if len(holes):
            run, unit = holes[0]
            name = [unit for unit, keep in zip(self.units, kept, strict=True) if keep][unit]
            raise UsageError(
                f"{counted(len(holes), 'score is', 'scores are')} missing, the first of run {self.runs[run]!r} on unit "
                f"{name!r}; {study} compares runs on the same units: leave out the run or the unit"
            )
        return self.of_units(kept).by_cluster()

    def by_cluster(self) -> Scores:
        """Clusters as units; without clusters, the units as they are. Every run must have a score on every unit.

        The mean over the units of clusters of unequal sizes is a ratio of sums. The score of a cluster is that mean
        plus the influence of the cluster: mean + (its sum − mean · its size) / the mean size. This keeps the mean,
        gives it the error of a ratio, and works alike for differences of two runs. For equal sizes it is the cluster's
        mean.
        """
        if self.clusters is None:
            return self
        member = cluster_numbers(self.clusters)
        _, first, sizes = np.unique(member, return_index=True, return_counts=True)
        # Row by row, because the last digits of a matrix product depend on the number of threads.
        sums = np.stack([np.bincount(member, row, minlength=len(sizes)) for row in self.values])
        mean = self.values.mean(axis=1, keepdims=True)
        return replace(
            self,
            units=self._cluster_names(self.clusters, first.tolist()),
            values=mean + (sums - mean * sizes) / sizes.mean(),
            clusters=None,
            unit="cluster",
            members=len(self.units),
            sources=(),
        )

    def _cluster_names(self, clusters: Sequence[str | None], first: Sequence[int]) -> tuple[str, ...]:
        """The name of each cluster by its first unit; a unit that stands alone has its own, and is called a unit."""
        names = []
        for place in first:
            name = clusters[place]
            if name is None:
                name = f"unit {self.units[place]}"
                while name in clusters:
                    name += " (alone)"
            names.append(name)
        return tuple(names)


def cluster_numbers(names: Sequence[object]) -> Ints:
    """Each cluster by the place of its first appearance; a unit without one is a cluster by itself."""
    number: dict[object, int] = {}
    return np.array(
        [number.setdefault((place,) if name is None else name, len(number)) for place, name in enumerate(names)],
        dtype=np.int64,
    )


def shared_clusters(names: Sequence[object] | None) -> Ints | None:
    """The same; None if every unit is a cluster by itself, so that nothing depends on clusters."""
    numbers = None if names is None else cluster_numbers(names)
    return None if numbers is None or len(set(numbers.tolist())) == len(numbers) else numbers


def clusters_in(names: Sequence[object] | None) -> int | None:
    """The number of clusters; None if units are not clustered."""
    return None if names is None else len(set(cluster_numbers(names).tolist()))


@dataclass(frozen=True, eq=False)
class RagMetrics:
    """Stored scores of one run, by name: one per topic, and the means if the file has them."""

    units: tuple[str, ...]
    scores: Mapping[str, Floats]
    means: Mapping[str, float]
    source: Source
    warnings: tuple[Problem, ...] = ()

    def by_topic(self) -> dict[str, dict[str, float]]:
        """The scores of each topic, by their name in karat."""
        return {
            name.removesuffix("_score"): dict(zip(self.units, values.tolist(), strict=True))
            for name, values in self.scores.items()
        }
