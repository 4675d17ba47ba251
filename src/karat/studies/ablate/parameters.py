"""What `ablate` can be asked."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from karat.data.parameters import TAIL
from karat.studies.run.parameters import Seed, Trees, Way


class AblateParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `ablate` can be asked."""

    PATHS: ClassVar = ("trees",)

    way: Way = "auto"
    without: Annotated[
        tuple[str, ...],
        Meta(description="what to switch off, one after another; all that the engine has, where nothing is said"),
    ] = ()
    by: Annotated[str | None, Meta(description="an attribute of the pairs: the change is also given by its values")] = (
        None
    )
    folds: Annotated[int, Meta(description="parts of the cross-validation, where there is no --train", ge=2)] = 10
    interval: Annotated[float, Meta(description="coverage of intervals", ge=TAIL, le=1 - TAIL)] = 0.95
    trees: Trees = "chunker"
    seed: Seed = 0
