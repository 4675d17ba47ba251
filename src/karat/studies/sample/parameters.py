"""What `sample` can be asked."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta


class SampleParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `sample` can be asked."""

    pairs: Annotated[int, Meta(description="how many are drawn", ge=1)] = 100
    by: Annotated[str | None, Meta(description="an attribute whose values have equally many pairs")] = None
    also: Annotated[tuple[str, ...], Meta(description="a pair picked by hand, among those drawn", examples=["ID"])] = ()
    prefer: Annotated[
        float, Meta(description="times as often: a pair that most runs got right, before one that they did not", ge=1)
    ] = 4.0
    judge: Annotated[tuple[str, ...], Meta(description="who will judge; a sheet has rows for each")] = ("judge",)
    seed: Annotated[int, Meta(description="seed of every random number")] = 0
