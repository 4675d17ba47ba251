"""Parameters of `diagnose`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from karat.arrays import EXACT_TOLERANCE
from karat.data.parameters import MOST_DRAWS, TAIL, OneWayOption, SeedOption


class DiagnoseParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of `diagnose`."""

    way: OneWayOption = "auto"
    by: Annotated[
        str | None,
        Meta(description="an attribute of the pairs to use as the phenomenon; there are then no originals"),
    ] = None
    separator: Annotated[
        str | None, Meta(description="separator between several values of that attribute; a semicolon by default")
    ] = None
    correction: Annotated[
        Literal["holm", "bh", "by", "none"],
        Meta(description="correction for multiple tests, over all runs and slices and over all pairs of runs"),
    ] = "holm"
    small: Annotated[int, Meta(description="slices with fewer pairs than this are marked and not tested", ge=1)] = 10
    interval: Annotated[
        float, Meta(description="level of the intervals; tests use 1 minus it", ge=TAIL, le=1 - TAIL)
    ] = 0.95
    replicates: Annotated[
        int, Meta(description="resamples of originals for the intervals of indices", ge=99, le=MOST_DRAWS)
    ] = 2000
    seed: SeedOption = 0

    @property
    def alpha(self) -> float:
        """The level of the tests, with a tolerance for rounding errors."""
        return 1 - self.interval + EXACT_TOLERANCE
