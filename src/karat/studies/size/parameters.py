"""The parameters of `size`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from karat.data.parameters import MOST_DRAWS, SMALLEST_DIFFERENCE, TAIL, WayOption

DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.1)


class SizeParameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of `size`."""

    way: WayOption = "auto"
    measure: Annotated[str, Meta(description="a measure that is a mean over units")] = "accuracy"
    difference: Annotated[
        tuple[Annotated[float, Meta(ge=SMALLEST_DIFFERENCE)], ...],
        Meta(description="a difference to detect; 0.01 to 0.1 by default", examples=["0.02"]),
    ] = ()
    power: Annotated[float, Meta(description="probability of detecting it", ge=TAIL, le=1 - TAIL)] = 0.8
    level: Annotated[float, Meta(description="two-sided level of the test", ge=TAIL, le=1 - TAIL)] = 0.05
    noise: Annotated[float, Meta(description="proportion of wrong labels in the key", ge=0, lt=1)] = 0.0
    pilot: Annotated[
        tuple[str, ...],
        Meta(description="two runs to simulate from; by default the pair with median discordance", examples=["RUN"]),
    ] = ()
    mix: Annotated[
        dict[str, float],
        Meta(description="proportion of a label in a test set drawn from candidates", examples=["ENTAILMENT=0.5"]),
    ] = {}
    rule: Annotated[
        Literal["majority", "unanimous", "unknown"],
        Meta(description="label of a candidate: by majority, only if unanimous, or UNKNOWN if judges disagree"),
    ] = "majority"
    units: Annotated[
        int | None, Meta(description="units to draw from candidates; by default as many as the mix allows")
    ] = None
    replicates: Annotated[int, Meta(description="simulated test sets", ge=1, le=MOST_DRAWS)] = 2000
    seed: Annotated[int, Meta(description="seed of every random number")] = 0

    @property
    def differences(self) -> tuple[float, ...]:
        """The differences asked for, or the default ones."""
        return self.difference or DIFFERENCES
