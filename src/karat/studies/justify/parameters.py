"""Parameters of `justify`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import MOST_DRAWS, IntervalOption, SeedOption

NotAsked = Literal["zero", "missing"]
"""How a criterion counts if it was not asked."""
POLICIES: tuple[NotAsked, ...] = ("zero", "missing")
MOST_RATED = 200
"""The most runs, and the most judges: every two are compared on every criterion."""
POOR = 2
REASON = "compelling"
SIGNIFICANCE_LEVEL = 0.05
"""The level of every test, after correction."""


class JustifyParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of `justify`."""

    not_asked: Annotated[
        Literal["by-scale", "zero", "missing"],
        Meta(
            description="the value of a criterion that was not asked: 0, as in RTE-3, or missing; "
            "by-scale is 0 for scales that begin above 0, otherwise missing"
        ),
    ] = "by-scale"
    reason: Annotated[str, Meta(description="the criterion for the quality of the reasons")] = REASON
    poor: Annotated[int, Meta(description="ratings up to this count as wrong reasons")] = POOR
    group: Annotated[str | None, Meta(description="compare judges by this attribute")] = None
    of: Annotated[
        str | None, Meta(description="report for the team of this run: its own results, and all its ratings")
    ] = None
    replicates: Annotated[int, Meta(description="replicates of each permutation test", ge=100, le=MOST_DRAWS)] = 10_000
    interval: IntervalOption = 0.95
    seed: SeedOption = 0
