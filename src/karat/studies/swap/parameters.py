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
STEP = f"from size to size; 1 up to {EVERY_SIZE_UP_TO} units, else so that they are about {SIZES_DRAWN}"


class SwapParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `swap`."""

    way: OneWayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    trials: Annotated[int, Meta(description="pairs of sets drawn for each size", ge=1, le=MOST_DRAWS)] = 50
    smallest: Annotated[int, Meta(description="smallest size of a set", ge=1)] = 5
    largest: Annotated[int | None, Meta(description="largest size of a set; half of the units")] = None
    step: Annotated[int | None, Meta(description=STEP)] = None
    width: Annotated[float, Meta(description="width of the bins of differences", gt=0, le=LARGEST_AMOUNT)] = 0.01
    ties: Annotated[
        Literal["strict", "half", "ignore", "sakai"],
        Meta(description="a tie on the second set: no error, half of one, not compared, an error (Sakai 2006)"),
    ] = "strict"
    error: Annotated[float, Meta(description="error rate that is small enough", gt=0, lt=0.5)] = 0.05
    least: Annotated[int, Meta(description="comparisons that a point needs to enter the fit", ge=1)] = 10
    team: Annotated[
        str | None,
        Meta(description="regular expression whose first group in a run's name is its team", examples=["^([^-]+)-"]),
    ] = None
    replicates: Annotated[
        int, Meta(description="resamples of trials for the procedure's interval", ge=2, le=MOST_DRAWS)
    ] = 200
    interval: Annotated[float, Meta(description="level of the intervals", ge=TAIL, le=1 - TAIL)] = 0.95
    seed: Annotated[int, Meta(description="seed of every random number")] = 0
