"""What `run` can be asked."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

Way = Annotated[Literal["auto", "2", "3"], Meta(description="labels to answer in; auto: those of the training pairs")]
Trees = Annotated[
    str, Meta(description="where trees come from: chunker, spacy, or a CoNLL-U file", examples=["NAME|FILE"])
]
Without = Annotated[
    tuple[str, ...],
    Meta(description="a resource or check to do without; `karat engines` lists them", examples=["NAME"]),
]
Seed = Annotated[int, Meta(description="seed of every random number")]


class RunParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What `run` can be asked."""

    PATHS: ClassVar = ("trees", "train_trees")

    way: Way = "auto"
    justify: Annotated[bool, Meta(description="say why, in a sentence or two a pair")] = False
    without: Without = ()
    trees: Trees = "chunker"
    train_trees: Annotated[
        str, Meta(description="parses of the training pairs, where --trees is a file of the others'", examples=["FILE"])
    ] = ""
    seed: Seed = 0
