"""Scores: runs × units, whatever filled them; NaN is "not scored"."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from karat.data.source import Source


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

    def of_units(self, kept: NDArray[np.bool_]) -> Scores:
        """Some of the units."""
        places = np.flatnonzero(kept).tolist()
        return replace(
            self,
            units=tuple(self.units[place] for place in places),
            values=self.values[:, kept],
            clusters=None if self.clusters is None else tuple(self.clusters[place] for place in places),
        )

    def by_cluster(self) -> Scores:
        """Clusters as units; where there are none, the units as they are. Every run has a score on every unit.

        The mean over units of clusters of unequal sizes is a ratio of sums. A cluster's score is that mean plus what
        the cluster moves it by: mean + (its sum − mean · its size) / the mean size. So the mean stays what it was, its
        error is that of a ratio, and differences of two runs are made alike. Of equal sizes it is the cluster's mean.
        """
        if self.clusters is None:
            return self
        names = [f"unit {unit}" if name is None else name for name, unit in zip(self.clusters, self.units, strict=True)]
        place = {name: at for at, name in enumerate(dict.fromkeys(names))}
        member = np.zeros((len(names), len(place)))
        member[np.arange(len(names)), [place[name] for name in names]] = 1
        sums, sizes = self.values @ member, member.sum(axis=0)
        mean = self.values.mean(axis=1, keepdims=True)
        return replace(self, units=tuple(place), values=mean + (sums - mean * sizes) / sizes.mean(), clusters=None)
