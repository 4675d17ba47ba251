"""What `report` can be asked."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from karat.data.parameters import WayOption


class ReportParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `report` can be asked; what its studies can be asked too, they are."""

    title: Annotated[str, Meta(description="what stands at the top of the page")] = ""
    way: WayOption = "auto"
    by: Annotated[
        tuple[str, ...], Meta(description="an attribute of the pairs to score by; `task` where there is one")
    ] = ()
    automatic: Annotated[
        tuple[str, ...], Meta(description="an assessor that is no person, to be judged", examples=["NAME"])
    ] = ()
    without: Annotated[
        tuple[str, ...], Meta(description="a section to leave out, by its name", examples=["SECTION"])
    ] = ()
    seed: Annotated[int, Meta(description="seed of every random number")] = 0
