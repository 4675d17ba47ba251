"""Criteria: what answers are rated on, the range of the scale, and when a criterion is asked at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from karat.errors import UsageError

_SPELLED = re.compile(
    r"(?P<name>[^:?]+):(?P<low>-?\d{1,4})\.\.(?P<high>-?\d{1,4})(?:\?(?P<other>.+?)>=(?P<least>-?\d{1,4}))?"
)
MOST_VALUES = 30
"""The most values of a scale, as its histogram is shown and its coincidences are tabled."""


@dataclass(frozen=True)
class Criterion:
    """A scale of integers; `asked_if` names an earlier criterion that must have been rated `at_least` this value."""

    name: str
    low: int
    high: int
    asked_if: str | None = None
    at_least: int = 0

    @classmethod
    def parse(cls, spelled: str) -> Criterion:
        """From `NAME:LOW..HIGH`, or `NAME:LOW..HIGH?OTHER>=N` for a conditional criterion."""
        found = _SPELLED.fullmatch(spelled.strip())
        if found is None:
            raise UsageError(f"--criterion {spelled}: write NAME:LOW..HIGH, or 'NAME:LOW..HIGH?OTHER>=N'")
        name, low, high, other, least = found.group("name", "low", "high", "other", "least")
        made = cls(name, int(low), int(high), other, int(least or 0))
        if not 1 < made.size <= MOST_VALUES:
            raise UsageError(f"--criterion {spelled}: a scale has 2 to {MOST_VALUES} whole numbers, from low to high")
        return made

    def __str__(self) -> str:
        condition = f"?{self.asked_if}>={self.at_least}" if self.asked_if else ""
        return f"{self.name}:{self.low}..{self.high}{condition}"

    @cached_property
    def size(self) -> int:
        """The number of values."""
        return self.high - self.low + 1

    @property
    def values(self) -> tuple[int, ...]:
        """The values from low to high."""
        return tuple(range(self.low, self.high + 1))

    @property
    def zero(self) -> int | None:
        """The value that may count if it was not asked: 0, or none on a scale that does not start above 0."""
        return 0 if self.low > 0 else None


UNDERSTANDABLE = Criterion("understandable", 1, 5)
COMPELLING = Criterion("compelling", 1, 5, "understandable", 3)
JUSTIFICATIONS = (UNDERSTANDABLE, COMPELLING)
"""The criteria for justifications unless others are declared."""


QUALITY = (Criterion("content", 0, 10), Criterion("organisation", 0, 10))
"""The criteria for whole answers in one's own words."""


def declared(spelled: Sequence[str]) -> tuple[Criterion, ...]:
    """Criteria from their spellings, each once and after the one it depends on; those for justifications by default."""
    made = tuple(Criterion.parse(one) for one in spelled) or JUSTIFICATIONS
    earlier: dict[str, Criterion] = {}
    for one in made:
        if one.name in earlier:
            raise UsageError(f"--criterion {one}: {one.name} is declared twice")
        other = earlier.get(one.asked_if or "")
        if one.asked_if and other is None:
            raise UsageError(f"--criterion {one}: declare {one.asked_if} before it")
        if other is not None and not other.low < one.at_least <= other.high:
            span = f"{other.low + 1} to {other.high}"
            raise UsageError(f"--criterion {one}: {other.name} decides nothing there; its values that can are {span}")
        earlier[one.name] = one
    return made
