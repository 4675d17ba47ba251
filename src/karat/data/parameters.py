"""Parameters: one frozen struct a study, from which keywords, options and signatures all derive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from karat.errors import UsageError

WayOption = Annotated[
    Literal["auto", "2", "3", "both"],
    Meta(
        description="labels to show; auto: 3 if key and all runs are three-way, else 2. "
        "2 also says that NO in a run means no entailment"
    ),
]

OneWayOption = Annotated[
    Literal["auto", "2", "3"],
    Meta(
        description="labels to work in; auto: 3 if key and all runs are three-way, else 2. "
        "2 also says that NO in a run means no entailment"
    ),
]
"""Of studies that work in one way at a time."""

MOST_DRAWS = 1_000_000
"""Resamples, flips and trials that can be asked for."""
MOST_JOBS = 1024
"""Processes at once."""
TAIL = 1e-6
"""A level or a power is at least so far from 0 and 1: what lies beyond, no approximation knows."""
SMALLEST, LARGEST = 1e-5, 1e9
"""Differences to be found, and weights, widths and margins: beyond, arithmetic vanishes or overflows."""

P = TypeVar("P", bound=msgspec.Struct)


def parameters(kind: type[P], options: Mapping[str, Any]) -> P:
    """The struct from keywords; a wrong name or value is an error in words."""
    names = kind.__struct_fields__
    if stray := set(options) - set(names):
        raise UsageError.unknown("option", sorted(stray)[0], names)
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        # "Expected `float` < 1 - at `$.interval`": where, then what, in the caller's words.
        what, _, where = str(error).partition(" - at `$.")
        name = where.rstrip("`").partition("[")[0].replace("_", "-")
        raise UsageError(f"--{name}: {what[0].lower()}{what[1:]}".replace("`", "") if name else what) from None
