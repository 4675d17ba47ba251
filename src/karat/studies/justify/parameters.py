"""Parameters of `justify`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import MOST_DRAWS, TAIL

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
            description="what a criterion counts where it was not asked: 0, as in RTE-3, or nothing; "
            "by-scale is 0 on scales that begin above it, else nothing"
        ),
    ] = "by-scale"
    reason: Annotated[str, Meta(description="the criterion that says whether the reasons are good")] = REASON
    poor: Annotated[int, Meta(description="up to this the reasons are wrong")] = POOR
    group: Annotated[str | None, Meta(description="compare judges by this attribute of theirs")] = None
    of: Annotated[
        str | None, Meta(description="what the team of this run receives: its results alone, and all its ratings")
    ] = None
    replicates: Annotated[int, Meta(description="of every permutation test", ge=100, le=MOST_DRAWS)] = 10_000
    interval: Annotated[float, Meta(description="level of the intervals", ge=TAIL, le=1 - TAIL)] = 0.95
    seed: Annotated[int, Meta(description="seed of every random number")] = 0
