"""Options for scoring nuggets, shared by all studies of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from karat.data.answers import LengthPolicy
from karat.data.nuggets import Missing
from karat.data.parameters import LARGEST

BetaOption = Annotated[float, Meta(description="weight of recall in the F of nuggets", ge=0, le=LARGEST)]
LengthOption = Annotated[LengthPolicy, Meta(description="what the length of an answer is")]
AllowanceOption = Annotated[float, Meta(description="length that an answer may spend on each nugget", ge=0, le=LARGEST)]
RecallOption = Annotated[
    Literal["vital", "pyramid"], Meta(description="recall of vital nuggets, or of the pyramid's weights")
]
MissingOption = Annotated[
    Missing, Meta(description="a label that means nothing, a list without vital nuggets: left out, or 0")
]
