"""Numbers and names in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from karat.data.shown import Shown

SMALLEST = 1e-300
"""A p below this is said to be that: soon after it, doubles end."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: 1 unit, 2 units; `many` where an s does not make it."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def counted_units(number: int, unit: str, members: int | None) -> str:
    """So many units; of clusters, how many units they hold: 30 clusters (120 units)."""
    return counted(number, unit) + ("" if members is None else f" ({counted(members, 'unit')})")


def p_value(p: float) -> float | str:
    """A p-value for a sheet: four digits, or its power of ten where those would be zeros; NaN stays, and 0 is none."""
    if p != p:
        return p
    if p < SMALLEST:
        return f"< {SMALLEST:.0e}"
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"


P = Annotated[float, Shown(form=p_value)]
"""A p-value in a result."""


def ends(interval: tuple[float, float] | None) -> float | str | None:
    """An interval in one cell; NaN stays, with its reason."""
    if interval is None:
        return None
    low, high = interval
    return low if low != low else f"{low:.3f} – {high:.3f}"


Ends = Annotated[tuple[float, float], Shown(form=ends)]
"""An interval in a result, shown in one column."""


def some_of(names: Sequence[str], most: int = 5) -> str:
    """The names; where there are many, the first of them, and how many more."""
    more = len(names) - most
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:most])} and {more} more"


def listed(names: Sequence[str]) -> str:
    """Several names in a sentence: a, b and c."""
    return names[0] if len(names) == 1 else f"{some_of(names[:-1], len(names))} and {names[-1]}"
