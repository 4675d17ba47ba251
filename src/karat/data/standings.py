"""Where a unit stands that several people labelled."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

Standing = Literal["open", "agreed", "disputed", "undecided", "adjudicated"]
"""Where a unit stands: not all labels are there, all are the same, they differ, too few agree, somebody decided."""


def standing_of(labels: Collection[str], wanted: int) -> Standing:
    """Where a unit stands that nobody decided on, if this many people were to label it.

    Where several were to label it and only one did, nobody has agreed with anybody.
    """
    if len(set(labels)) > 1:
        return "disputed"
    return "agreed" if len(labels) >= min(wanted, 2) > 0 else "undecided"
