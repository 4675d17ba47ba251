"""Options of studies of nuggets."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from karat.data.answers import LengthPolicy
from karat.data.nugget_counts import MissingPolicy
from karat.data.parameters import LARGEST_AMOUNT

BetaOption = Annotated[float, Meta(description="weight of recall in the F of nuggets", ge=0, le=LARGEST_AMOUNT)]
LengthOption = Annotated[LengthPolicy, Meta(description="how the length of an answer is measured")]
AllowanceOption = Annotated[float, Meta(description="length allowed for each nugget", ge=0, le=LARGEST_AMOUNT)]
RecallOption = Annotated[
    Literal["vital", "pyramid"], Meta(description="recall of vital nuggets, or of the pyramid's weights")
]
MissingOption = Annotated[
    MissingPolicy, Meta(description="invalid labels and lists without vital nuggets: left out, or scored 0")
]
