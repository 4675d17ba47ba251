"""Small parts of the result of `compare`: how runs stand to one of them, and those that were left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from karat.data.fields import Shown


@dataclass(frozen=True)
class Standing:
    """The other runs by how they compare with one run."""

    better: list[str]
    """Significantly better on the units on which both were scored."""
    worse: list[str]
    alike: list[str]
    """Not significantly different."""
    untested: list[str]


@dataclass(frozen=True)
class UncomparedRun:
    """A run that cannot be compared, and why."""

    run: str
    reason: Annotated[str, Shown("why")]
