"""Numbers and names in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: 1 unit, 2 units; `many` where an s does not make it."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def some_of(names: Sequence[str], most: int = 5) -> str:
    """The names; where there are many, the first of them."""
    return ", ".join(names if len(names) <= most else [*names[:most], "…"])
