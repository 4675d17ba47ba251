"""A file as a team sent it, and what was found in it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from karat.errors import Problem

Area = Literal["official", "practice"]
Scores = dict[str, dict[str, float | None]]
"""The stored measures of a run, by way."""


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """A file as a team sent it."""

    task: str
    run: int | None
    """The number of the run; None takes the next free one."""
    file: str
    sha256: str
    size: int
    received: datetime
    ranked: bool = False
    manual: bool = False
    justifications: bool = False
    statement: str = ""
    area: Area = "official"


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in a submitted file."""

    problems: tuple[Problem, ...]
    scores: Scores = {}
    answers: str = ""
