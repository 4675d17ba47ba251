"""How the ranking depends on the weights of factoid, list and other questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from karat.data.fields import Why
from karat.data.result import Sheet
from karat.statistics.rank_correlation import tau
from karat.statistics.weight_region import grid_of_weights, share_of_all, weight_region
from karat.studies.qa.aggregate import Parts, Weights
from karat.studies.unit_means import plain_mean


@dataclass(frozen=True)
class WeightSetting:
    """Other weights, and Kendall's tau of the rankings under them with the official one."""

    factoid: float
    list: float
    other: float
    tau_by_type: float
    tau_by_series: Annotated[float, Why("no series is scored")]


@dataclass(frozen=True)
class WeightSensitivity:
    """How the ranking of runs depends on the weights."""

    region: list[tuple[float, float, float]]
    """Corners of the region of weights (factoid, list, other) under which runs rank by type as officially."""
    share: float
    """The share of all weights that lie in the region."""
    grid: list[WeightSetting]

    def sheet(self) -> Sheet:
        """The corners of the region in which the ranking by type is unchanged, and the least tau over the grid."""
        by_type = min(one.tau_by_type for one in self.grid)
        by_series = min(one.tau_by_series for one in self.grid)
        return Sheet.listed(
            "Weights under which the ranking by type does not change",
            ("factoid", "list", "other"),
            self.region,
            notes=[
                f"The corners of a region that contains {self.share:.1%} of all weights.",
                "Lowest Kendall's tau with the official ranking, over all weights in steps of 0.1: "
                f"by type {by_type:.4f}, by series {by_series:.4f}.",
            ],
        )


def weight_sensitivity(parts: Parts, weights: Weights) -> WeightSensitivity | None:
    """The region of weights with an unchanged ranking, and tau on a grid; None unless all three types are scored."""
    if np.isnan(parts.types).any() or len(parts.types) < 2:
        return None
    corners = weight_region(parts.types, np.array(weights) / sum(weights))
    by_type, by_series = parts.by_type(weights), plain_mean(parts.by_series(weights))
    settings = []
    for these in map(tuple, grid_of_weights().tolist()):
        taus = tau(by_type, parts.by_type(these)), tau(by_series, plain_mean(parts.by_series(these)))
        settings.append(WeightSetting(*these, *map(float, taus)))
    return WeightSensitivity([tuple(corner) for corner in corners.tolist()], share_of_all(corners), settings)
