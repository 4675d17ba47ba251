"""The guidelines for assessors: every version that there was, and what changed from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from difflib import unified_diff
from typing import Literal, NamedTuple

import msgspec

from karat.campaign.definition import Definition

AROUND = 2
"""The lines that are shown before and after a change."""
Kind = Literal["added", "removed", "same", "gap"]
KINDS: Mapping[str, Kind] = {
    "+": "added",
    "-": "removed",
    " ": "same",
    "@": "gap",
}


class GuidelinesVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The guidelines as they were from a moment on."""

    sha256: str
    file: str
    at: datetime
    reason: str
    """Why they replaced the version before; empty for the first."""


class Line(NamedTuple):
    """A line of a comparison."""

    kind: Kind
    """A gap stands where lines that did not change are left out."""
    text: str = ""


def with_newest(
    before: tuple[GuidelinesVersion, ...], definition: Definition, files: Mapping[str, str], at: datetime, reason: str
) -> tuple[GuidelinesVersion, ...]:
    """Every version of the guidelines, with those of a definition if they are new."""
    name = definition.guidelines
    if name is None or (before and before[-1].sha256 == files[name]):
        return before
    return (*before, GuidelinesVersion(sha256=files[name], file=name, at=at, reason=reason))


def changes(old: str, new: str) -> list[Line]:
    """What changed from one text to another, line by line, with a few lines around it; empty if nothing did."""
    compared = list(unified_diff(old.splitlines(), new.splitlines(), n=AROUND, lineterm=""))[2:]
    found = [Line(KINDS[line[0]], "" if line[0] == "@" else line[1:]) for line in compared]
    return found[1:]  # the gap before the first change says nothing
