"""The parameters of `swap`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import LARGEST_AMOUNT, MOST_DRAWS, TAIL, OneWayOption

EVERY_SIZE_UP_TO = 200
"""With up to this many units, every size is drawn."""
SIZES_DRAWN = 100
"""With more units, about this many sizes are drawn."""
STEP = f"step between sizes; by default 1 up to {EVERY_SIZE_UP_TO} units, otherwise for about {SIZES_DRAWN} sizes"


class SwapParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `swap`."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    trials: Annotated[int, Meta(description="pairs of sets drawn for each size", ge=1, le=MOST_DRAWS)] = 50
    smallest: Annotated[int, Meta(description="smallest size of a set", ge=1)] = 5
    largest: Annotated[int | None, Meta(description="largest size of a set; by default half of the units")] = None
    step: Annotated[int | None, Meta(description=STEP)] = None
    width: Annotated[float, Meta(description="width of the bins of differences", gt=0, le=LARGEST_AMOUNT)] = 0.01
    ties: Annotated[
        Literal["strict", "half", "ignore", "sakai"],
        Meta(description="ties on the second set: no error, half an error, not compared, or an error (Sakai 2006)"),
    ] = "strict"
    error: Annotated[float, Meta(description="an acceptable error rate", gt=0, lt=0.5)] = 0.05
    least: Annotated[int, Meta(description="comparisons that a point needs to be included in the fit", ge=1)] = 10
    team: Annotated[
        str | None,
        Meta(description="regular expression whose first group in a run's name is its team", examples=["^([^-]+)-"]),
    ] = None
    replicates: Annotated[
        int, Meta(description="resamples of trials for the procedure's interval", ge=2, le=MOST_DRAWS)
    ] = 200
    interval: Annotated[float, Meta(description="level of the intervals", ge=TAIL, le=1 - TAIL)] = 0.95
    seed: Annotated[int, Meta(description="seed of every random number")] = 0
