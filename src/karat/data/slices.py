"""Slices: the pairs with each value of an attribute, which may have several."""

from __future__ import annotations

import ast

import numpy as np

from karat.arrays import Bools
from karat.data.pairs import Pairs
from karat.errors import UsageError

NO_VALUE = "(none)"
MOST_SLICES = 500
"""With more values than this, the attribute is an identifier or free text."""


def tags(value: str | None, separator: str | None = None) -> tuple[str, ...]:
    """The values in one cell: a list (`['a', 'b']`), several separated by `;`, or one; no value counts as one.

    A `separator` replaces `;`.
    """
    if value is None or not value.strip():
        return (NO_VALUE,)
    text = value.strip()
    listed = _listed(text) if separator is None else None
    parts = text.split(separator or ";") if listed is None else listed
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip())) or (NO_VALUE,)


def _listed(text: str) -> list[str] | None:
    """The strings of a list in Python or JSON syntax; None if the text is no such list."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        found = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return [str(one) for one in found] if all(isinstance(one, str | int | float) for one in found) else None


def attribute_slices(key: Pairs, attribute: str, separator: str | None = None) -> tuple[list[str], Bools]:
    """The values of an attribute in order, and which pairs have each (values, units); a pair may have several."""
    if attribute not in key.attributes:
        raise UsageError.unknown("attribute of the pairs", attribute, key.attributes)
    cells = [tags(value, separator) for value in key.attributes[attribute]]
    distinct = sorted({value for cell in cells for value in cell}, key=lambda value: (value == NO_VALUE, value))
    if len(distinct) > MOST_SLICES:
        raise UsageError(f"{attribute} has {len(distinct)} values, which are no slices (at most {MOST_SLICES})")
    place = {value: number for number, value in enumerate(distinct)}
    within = np.zeros((len(distinct), len(cells)), dtype=bool)
    for unit, cell in enumerate(cells):
        within[[place[value] for value in cell], unit] = True
    return distinct, within
